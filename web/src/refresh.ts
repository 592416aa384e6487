import type { Platform } from "./api.ts";

/** Limits of the refresh interval: the load on the service, and the age of the price on the page. */
const LEAST_REFRESH_MS = 1000;
const MOST_REFRESH_MS = 12_000;

/** Refresh interval of a chain's prices in milliseconds: its block time, limited to 1 to 12 s. */
export function refreshMsOf(platform: Platform | undefined): number {
  return Math.min(MOST_REFRESH_MS, Math.max(LEAST_REFRESH_MS, platform?.block_time_ms ?? 4000));
}
