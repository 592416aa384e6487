import { BraidError, type Detail, shortened } from "../../core/errors.ts";
import type { NoRouteReason, RouteMissing, RouteResult } from "../../core/routing/types.ts";
import { feeOf, mostBeforeFee } from "../../core/shares/fees.ts";
import type { Side } from "../../core/types.ts";
import { decimalText } from "../amount-text.ts";
import type { FindRequest, ListedToken, MarketPort, SearchSession } from "../ports/ports.ts";
import type { Fees } from "./offer.ts";
import type { SourceWish } from "./sources.ts";

const texts: Record<Exclude<NoRouteReason, "out-of-time">, string> = {
  "unknown-token": "no pool holds one of these tokens",
  "no-path": "no chain of pools joins these tokens",
  "too-deep": "the pools that join these tokens cannot fill this amount",
  "too-small": "this amount buys nothing, not even one unit",
  excluded: "the sources that this request allows do not join these tokens",
};

const NO_MAKER = "rfqOnly asks for makers, and none prices these tokens now";

/** The parts of a request that can explain why nothing routes. */
export type Unrouted = {
  readonly tokenIn: ListedToken;
  readonly tokenOut: ListedToken;
  /** The request's amount, fees included. */
  readonly amount: bigint;
  readonly side: Side;
  readonly fees: Fees;
  readonly sources: SourceWish;
};

type Find = SearchSession["find"];

/**
 * Fractions of the engine's figure, in thousandths: if the first routes, `more` is tried too, and otherwise less until it
 * routes. A purchase of nearly all that pools hold takes the longest, and often finds no route.
 */
const PARTS = {
  in: { first: 990n, more: 1_000n, less: [900n, 500n, 100n], unsearched: 900n },
  out: { first: 880n, more: 990n, less: [700n, 500n, 100n], unsearched: 500n },
} as const;

/**
 * The engine's figure of the largest amount, reduced until a search finds a route for it, because a hint that fails
 * is worse than none. All searches together get the time of one. Smallest units of the route's token, without fees, at
 * most six significant digits.
 *
 * @returns less than the query's amount; undefined where no amount is known to route, or where the amount is too small
 */
export async function largestThatRoutes(
  find: Find,
  query: FindRequest,
  { missing: { reason, largestAmount }, monotonicMs }: Hinting,
): Promise<bigint | undefined> {
  const endMs = monotonicMs() + query.timeoutMs;
  const leftMs = () => Math.max(0, endMs - monotonicMs());
  if (reason === "too-small") return undefined;
  const estimate = largestAmount ?? (await depthOf(find, { ...query, timeoutMs: leftMs() }, reason));
  if (estimate === undefined) return undefined;
  const most = estimate < query.amount ? estimate : query.amount;
  const { first, more, less, unsearched } = PARTS[query.side];
  const part = (thousandths: bigint) => sixDigits((most * thousandths) / 1_000n);
  const routes = async (amount: bigint) => {
    const isTried = amount > 0n && amount < query.amount && leftMs() > 0;
    return isTried && (await find({ ...query, timeoutMs: leftMs(), amount })).kind === "found";
  };
  if (await routes(part(first))) return (await routes(part(more))) ? part(more) : part(first);
  for (const thousandths of less) if (await routes(part(thousandths))) return part(thousandths);
  // The engine has filled its own figure, so that a part of it is no guess, unlike the figure that `depthOf` derives.
  const rest = leftMs() > 0 || largestAmount === undefined ? 0n : part(unsearched);
  return positive(rest);
}

const positive = (amount: bigint) => (amount > 0n ? amount : undefined);

/** What a hint is about, and the clock of its time: all of its searches together get that of one search. */
type Hinting = { readonly missing: RouteMissing; readonly monotonicMs: () => number };

/** Whether a search found nothing because its deadline came, so that more time may find a route. */
export function isCutShort(result: RouteResult): boolean {
  if (result.kind !== "missing" || !result.isCutShort) return false;
  return result.reason === "too-deep" || result.reason === "out-of-time";
}

/** An amount above the supply of any token, and below the 112 bits of a pool's reserves. */
const EVERYTHING = 2n ** 96n;

/** The most that the pools can pay: the output for `EVERYTHING`. Undefined with side "in" and for other reasons. */
async function depthOf(find: Find, query: FindRequest, reason: NoRouteReason): Promise<bigint | undefined> {
  if (query.side === "in" || (reason !== "too-deep" && reason !== "out-of-time")) return undefined;
  const sold = await find({ ...query, side: "in", amount: EVERYTHING });
  return sold.kind === "found" ? sold.route.amountOut : undefined;
}

function sixDigits(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, amount.toString().length - 6));
  return (amount / unit) * unit;
}

/**
 * The failure for a search that found nothing: the reason, and the largest amount that would route. A search that ran
 * out of time is OVERLOADED if no such amount is known, and otherwise NO_ROUTE.
 *
 * @param largest what `largestThatRoutes` found, without fees
 */
export function noRoute(
  found: NoRouteReason,
  asked: Unrouted,
  facts: { largest: bigint | undefined; isTraded: MarketPort["isTraded"] },
): BraidError {
  if (found === "out-of-time" && facts.largest === undefined) return outOfTime();
  const reason = found === "out-of-time" ? "too-deep" : found;
  const { tokenIn, tokenOut, side, fees } = asked;
  const pair = `from ${named(tokenIn)} to ${named(tokenOut)}`;
  const counted = side === "in" ? tokenIn : tokenOut;
  const largest = facts.largest === undefined ? undefined : withFees(facts.largest, side, fees);
  const details: Detail[] = [{ field: "amount", reason, value: asked.amount.toString() }];
  let hint = "";
  if (largest !== undefined) {
    const units = decimalText(largest, counted.decimals);
    details[0] = { ...details[0]!, largest_amount: largest.toString(), largest_amount_units: units };
    hint = ` The largest amount found that routes is ${units} ${counted.symbol} (${largest} in smallest units).`;
  }
  if (reason === "unknown-token") details.push(...untraded(asked, facts.isTraded));
  if (reason === "excluded") details.push(...limits(asked.sources));
  const why = reason === "excluded" && asked.sources.rfqOnly ? NO_MAKER : texts[reason];
  return new BraidError("NO_ROUTE", `No liquidity ${pair}: ${why}.${hint}`, { details });
}

/** The failure for a search that ran out of time before it found a route, or for a purchase one near the best price. */
function outOfTime(): BraidError {
  const text = "The search ran out of time before it found a route near the best price: ask again.";
  const details = [{ field: "amount", reason: OUT_OF_TIME }];
  return new BraidError("OVERLOADED", text, { retryAfterSeconds: 1, details });
}

/** Reason in the details of an OVERLOADED that is about one search, and not about the service. */
const OUT_OF_TIME = "out-of-time";

/** Whether one search ended without a route since its time was over, while the service answers others. */
export function ranOutOfTime({ reason, details }: BraidError): boolean {
  return reason === "OVERLOADED" && details.some((detail) => detail.reason === OUT_OF_TIME);
}

const named = ({ symbol, address }: ListedToken): string => `${symbol} (${address})`;

/** The route's amount in the terms of the request: before the sell fee, or after the buy fee. */
function withFees(amount: bigint, side: Side, { sellPermille, buyPermille }: Fees): bigint {
  return side === "in" ? mostBeforeFee(amount, sellPermille) : amount - feeOf(amount, buyPermille);
}

/** A detail for each of the two tokens that no pool holds. */
function untraded({ tokenIn, tokenOut }: Unrouted, isTraded: MarketPort["isTraded"]): Detail[] {
  const fields = [
    { field: "fromTokenAddress", address: tokenIn.address },
    { field: "toTokenAddress", address: tokenOut.address },
  ];
  return fields
    .filter(({ address }) => !isTraded(address))
    .map(({ field, address }) => ({ field, reason: "no pool holds this token", value: address }));
}

/** A detail for each source restriction of the request. */
function limits({ list, names, rfqOnly }: SourceWish): Detail[] {
  const reason = "leaves no source that joins these tokens";
  const field = list === "include" ? "includeAggregator" : "excludeAggregator";
  return [
    ...(names.length > 0 ? [{ field, reason, value: shortened(names.join(",")) }] : []),
    ...(rfqOnly ? [{ field: "rfqOnly", reason, value: "true" }] : []),
  ];
}
