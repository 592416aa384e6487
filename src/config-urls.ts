import { chains } from "./chains/index.ts";

/**
 * Endpoints by chain id, from `RPC_URL_<chain id>`.
 *
 * @param faults takes one line for each bad setting
 */
export function readRpcUrls(
  env: Readonly<Record<string, string | undefined>>,
  faults: string[],
): ReadonlyMap<number, readonly string[]> {
  const known = new Set(chains.map((chain) => chain.id));
  const rpcUrls = new Map<number, readonly string[]>();
  for (const [key, value] of Object.entries(env)) {
    if (!key.startsWith("RPC_URL_") || !isGiven(value)) continue;
    const id = chainIdOf(key.slice("RPC_URL_".length));
    const urls = value.split(",").map((url) => url.trim());
    // A URL may hold a key, also one with a mistake in it: only its place is said.
    const bad = urls.flatMap((url, k) => (isEndpoint(url) ? [] : [`number ${k + 1} of ${urls.length}`]));
    if (!known.has(id))
      faults.push(`${key}: no chain of this id is known; known are ${[...known].join(", ")}`);
    else if (bad.length > 0) faults.push(`${key}: not an http, https, ws or wss URL: ${bad.join(", ")}`);
    else rpcUrls.set(id, urls);
  }
  return rpcUrls;
}

/** Whether a setting has a value: one of spaces alone has none. */
export const isGiven = (value: string | undefined): value is string =>
  value !== undefined && value.trim() !== "";

/** A chain id in its one spelling; NaN for others, which would replace the endpoints of the first. */
const chainIdOf = (text: string): number => (/^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN);

/**
 * Streams of partial blocks by chain id, from `FLASHBLOCKS_URL_<chain id>`.
 *
 * @param faults takes one line for each bad setting
 */
export function readFlashblocksUrls(
  env: Readonly<Record<string, string | undefined>>,
  rpcUrls: ReadonlyMap<number, readonly string[]>,
  faults: string[],
): ReadonlyMap<number, string> {
  const prefix = "FLASHBLOCKS_URL_";
  const urls = new Map<number, string>();
  for (const [key, value] of Object.entries(env)) {
    if (!key.startsWith(prefix) || !isGiven(value)) continue;
    const id = Number(key.slice(prefix.length));
    if (!rpcUrls.has(id)) faults.push(`${key}: needs RPC_URL_${id}, whose blocks it is laid over`);
    else if (!isEndpoint(value) || !/^wss?:/.test(value.trim())) faults.push(`${key}: not a ws or wss URL`);
    else urls.set(id, value.trim());
  }
  return urls;
}

function isEndpoint(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:", "ws:", "wss:"].includes(new URL(text).protocol);
}
