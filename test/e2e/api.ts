import { setTimeout } from "node:timers/promises";
import type { Hex } from "viem";

export type Offer = {
  amount_out_total: string;
  estimate_gas_total: string;
  fee_recipient_amount: string;
  sell_fee_amount: string;
  min_amount_out: string;
  value: string;
  block_number: number;
  price_impact_bps?: number;
  routes: { type: string; protocol_name: string; percent: number }[];
  route_graph: { steps: { pool: Hex; token_in: Hex; token_out: Hex; deployment: string }[] };
  calldata: Hex;
  to: Hex;
};

/** An answer of the API that is not a 200. */
export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, body: { message?: string; reason?: string }) {
    super(`${status} ${body.reason}: ${body.message}`);
    this.status = status;
    this.reason = body.reason ?? "";
  }
}

/** A busy service, or one that is behind the block asked for, is asked again so often, each time after as long as it says. */
const MOST_TRIES = 10;
const BUSY: readonly (string | undefined)[] = ["OVERLOADED", "STALE_STATE"];

/** The HTTP interface as a wallet uses it. */
export function api(url: string) {
  return async <T>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>> = {},
  ): Promise<T> => {
    const given = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) given.set(key, String(value));
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${url}${path}?${given}`);
      const body = (await response.json()) as T & { message?: string; reason?: string };
      if (response.ok) return body;
      if (!BUSY.includes(body.reason) || tries === MOST_TRIES) throw new ApiError(response.status, body);
      await setTimeout(1_000 * Number(response.headers.get("retry-after") ?? 1));
    }
  };
}

export type Api = ReturnType<typeof api>;
