import { BraidError, type Detail } from "../../core/errors.ts";
import type { NoRouteReason, RouteMissing } from "../../core/routing/types.ts";
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
 * Fractions of the largest amount, in thousandths, tried in turn until one routes: the engine's figure is an estimate.
 */
const PARTS = [1_000n, 990n, 900n, 500n, 100n];

/**
 * The engine's estimate of the largest amount, reduced until a search finds a route for it, because a hint that fails
 * is worse than none. Smallest units of the route's token, without fees, at most six significant digits.
 *
 * @returns less than the query's amount; undefined where no amount is known to route, or where the amount is too small
 */
export async function largestThatRoutes(
  find: Find,
  query: FindRequest,
  { reason, largestAmount }: RouteMissing,
): Promise<bigint | undefined> {
  const estimate = largestAmount ?? (await depthOf(find, query, reason));
  if (estimate === undefined || reason === "too-small") return undefined;
  const most = estimate < query.amount ? estimate : query.amount;
  for (const part of PARTS) {
    const amount = sixDigits((most * part) / 1_000n);
    // A later request for this amount gets the time of this search and, where that is not enough, several times as
    // much.
    if (amount <= 0n || amount >= query.amount) continue;
    if ((await find({ ...query, amount })).kind === "found") return amount;
  }
  return undefined;
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
    hint = ` The largest amount that routes is ${units} ${counted.symbol} (${largest} in smallest units).`;
  }
  if (reason === "unknown-token") details.push(...untraded(asked, facts.isTraded));
  if (reason === "excluded") details.push(...limits(asked.sources));
  const why = reason === "excluded" && asked.sources.rfqOnly ? NO_MAKER : texts[reason];
  return new BraidError("NO_ROUTE", `No liquidity ${pair}: ${why}.${hint}`, { details });
}

/** The failure for a search that ran out of time before it found a price near the best one. */
function outOfTime(): BraidError {
  const text = "The search ran out of time before it knew what this amount has to cost: ask again.";
  return new BraidError("OVERLOADED", text, { retryAfterSeconds: 1 });
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
    ...(names.length > 0 ? [{ field, reason, value: names.join(",") }] : []),
    ...(rfqOnly ? [{ field: "rfqOnly", reason, value: "true" }] : []),
  ];
}
