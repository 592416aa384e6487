import { BraidError } from "../core/errors.ts";
import type { NoRouteReason, RouteMissing } from "../core/routing/types.ts";
import type { ListedToken } from "./ports.ts";

const texts: Record<NoRouteReason, string> = {
  "unknown-token": "no pool holds one of these tokens",
  "no-path": "no chain of pools joins these tokens",
  "too-deep": "the pools that join these tokens cannot fill this amount",
  "too-small": "this amount buys nothing, not even one unit",
  excluded: "the sources that this request allows do not join these tokens",
};

/** The failure for a search that found nothing: why, and the largest amount that would route where it is known. */
export function noRoute(
  missing: RouteMissing,
  tokenIn: ListedToken,
  tokenOut: ListedToken,
  amount: bigint,
): BraidError {
  const largest = hintOf(missing, amount);
  const hint = largest === undefined ? "" : ` The largest amount that routes is ${largest}.`;
  const pair = `from ${tokenIn.symbol} (${tokenIn.address}) to ${tokenOut.symbol} (${tokenOut.address})`;
  const detail = { field: "amount", reason: missing.reason, value: amount.toString() };
  return new BraidError("NO_ROUTE", `No liquidity ${pair}: ${texts[missing.reason]}.${hint}`, {
    details: [largest === undefined ? detail : { ...detail, largest_amount: largest.toString() }],
  });
}

/** The largest amount is news only to whoever asked for more. */
function hintOf({ largestAmount }: RouteMissing, amount: bigint): bigint | undefined {
  return largestAmount !== undefined && largestAmount < amount ? largestAmount : undefined;
}
