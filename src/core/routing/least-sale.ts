import type { Sale } from "./sale.ts";
import { settleTimed, type Trial } from "./settlement/evaluate.ts";

/** An amount and what a plan pays for it; 0 if it cannot be filled. */
type Point = { readonly amount: bigint; readonly paid: bigint };

/** A found plan with the least amount sold that still pays `wanted`; undefined if no amount tried does. */
export function leastIn(trial: Trial, found: Sale, wanted: bigint): Sale | undefined {
  const paidFor = (amount: bigint): Point => {
    const settled = settleTimed(trial, found.plan, amount);
    return { amount, paid: settled.kind === "settled" ? settled.amountOut : 0n };
  };
  const high = enough(found, wanted, paidFor);
  if (high === undefined) return undefined;
  const least = leastOf(high, wanted, paidFor);
  const settled = settleTimed(trial, found.plan, least);
  if (settled.kind === "failed") return undefined;
  const { steps, amountOut, gas } = settled;
  return { ...found, route: { ...found.route, amountIn: least, amountOut, steps }, gas, net: -least };
}

/**
 * Two amounts, of which the lower pays too little and the higher enough; both differences as weighted for the next
 * secant; and which end moved last.
 */
type Bracket = {
  readonly low: bigint;
  readonly high: bigint;
  readonly under: bigint;
  readonly over: bigint;
  readonly last: "low" | "high" | undefined;
};

/** Every so many probes one bisects, unless they have halved the bracket. */
const PROBES = 3;

/** The least amount that pays enough, so that a unit less does not, by the Illinois method. */
function leastOf({ amount, paid }: Point, wanted: bigint, paidFor: (amount: bigint) => Point): bigint {
  let at: Bracket = { low: 0n, high: amount, under: wanted, over: paid - wanted, last: undefined };
  let width = amount;
  for (let k = 0; at.high - at.low > 1n; k++) {
    const left = at.high - at.low;
    if (k % PROBES === 0) width = left;
    const isSlow = at.over === 0n || (k % PROBES === PROBES - 1 && 2n * left > width);
    at = narrowed(at, paidFor(isSlow ? (at.low + at.high) / 2n : onLine(at)), wanted);
  }
  return at.high;
}

/** Where the secant between both ends predicts that just enough is paid. */
function onLine({ low, high, under, over }: Bracket): bigint {
  const amount = high - ((high - low) * over) / (over + under);
  if (amount <= low) return low + 1n;
  return amount < high ? amount : high - 1n;
}

/** The bracket with one end moved to a point. If the other end stays twice in a row its difference is halved (Illinois method). */
function narrowed(
  { low, high, under, over, last }: Bracket,
  { amount, paid }: Point,
  wanted: bigint,
): Bracket {
  return paid >= wanted
    ? {
        low,
        high: amount,
        under: last === "high" ? (under + 1n) / 2n : under,
        over: paid - wanted,
        last: "high",
      }
    : { low: amount, high, under: wanted - paid, over: last === "low" ? over / 2n : over, last: "low" };
}

/**
 * An amount that pays `wanted` with the plan of a route: the route's own, or a larger one of less than 64 times that.
 */
function enough(found: Sale, wanted: bigint, paidFor: (amount: bigint) => Point): Point | undefined {
  const { amountIn, amountOut } = found.route;
  if (amountOut >= wanted) return { amount: amountIn, paid: amountOut };
  const limit = amountIn * 64n;
  for (let amount = (amountIn * wanted) / amountOut + 1n; amount < limit; amount += amount / 4n + 1n) {
    const point = paidFor(amount);
    if (point.paid >= wanted) return point;
  }
  return undefined;
}
