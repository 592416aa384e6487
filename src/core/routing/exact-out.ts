import type { Address } from "../types.ts";
import { amountToSell } from "./aim.ts";
import { gasCost, type Hurried, type Judged, settleTimed, type Trial } from "./settlement/evaluate.ts";

/** Rounds of aiming: each searches for a sale of the amount that the last route needs. */
const AIMS = 8;
/** Searches for a sale that pays enough, at most, including sales that cannot be filled. */
const REACHES = 24;
const START = 2n ** 10n;
const LARGEST = 2 ** 255;
/** Factor by which a first route may pay more or less than is wanted. */
const FAR = 4n;
/** An aim exceeds the amount that should pay enough by one part in this many, since paying a unit too little is useless. */
const BEYOND = 2n ** 30n;
/** Another search is not worth a saving below one part in this many. */
const WORTH = 10n ** 9n;
/** A plan made for an amount within this share of the one sold needs no other search. */
const SAME = 1e-5;
/** A sale within one part in this many of an amount that cannot be sold counts as the largest possible. */
const CLOSE = 10n ** 6n;

/** About what the best route for an amount pays, found before `late`, with less work; 0 if it cannot be sold. */
type Delivers<T> = (trial: T, amount: bigint, late: () => boolean) => number;

/**
 * The least that must be sold to buy `request.amount`: aims with searches that sell, then keeps the plan and lowers the
 * amount sold, to the unit, by exact settlement. It pays at least the wanted amount, with the smallest excess that
 * integer amounts allow.
 *
 * @param solveIn the best route that sells an amount
 * @returns "out-of-time" if the deadline came before any search for about the right amount: what is known pays too
 *   little, or may cost much more. `isSure`: a search for about the amount sold ended before the deadline
 */
export function findExactOut<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
  delivers: Delivers<T>,
): Bought<J> | "out-of-time" | undefined {
  const begun = first(trial, solveIn, delivers);
  const reached = begun && reach(trial, solveIn, begun);
  if (reached === undefined) return begun !== undefined && trial.late() ? "out-of-time" : undefined;
  const { exact, stretch, isSure } = improved(trial, solveIn, reached);
  return stretch > STRETCH && trial.late() ? "out-of-time" : { exact, isSure };
}

/** The sale that buys what is wanted. */
type Bought<J> = { readonly exact: J; readonly isSure: boolean };

/** Searches again at the amount that the last route sells, as long as that costs less, unless its plan was made for that amount. */
function improved<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
  reached: Reached<J>,
): Reached<J> {
  let best = reached;
  for (let round = 0; round < AIMS && apart(best) > SAME && !trial.late(); ) {
    const found = solveIn(trial, best.exact.route.amountIn);
    const exact: J | undefined = found && leastIn(trial, found, trial.request.amount);
    if (found === undefined || exact === undefined || cost(trial, exact) > cost(trial, best.exact)) break;
    const isWorth = isMuchCheaper(trial, exact, best.exact);
    // With profitable cycles each route may need only a fraction of the one before.
    if (2n * exact.route.amountIn > best.exact.route.amountIn) round++;
    // Of equal routes the later one: it was found by a search at the amount that it sells, whatever the first aim.
    best = { exact, stretch: stretchOf(found, exact), isSure: best.isSure || !trial.late() };
    if (!isWorth) break;
  }
  return best;
}

/** By what share the amount that a plan sells differs from the one it was made for. */
function apart({ stretch }: Reached<unknown>): number {
  return Math.abs(Math.log(stretch));
}

/** A sale that pays enough, and how many times the amount that its plan was made for it sells. */
type Reached<J> = Bought<J> & { readonly stretch: number };

/** A plan that sells more than this many times the amount it was made for may cost much more than another. */
const STRETCH = 1.1;

function stretchOf(found: Judged, exact: Judged): number {
  return Number(exact.route.amountIn) / Number(found.route.amountIn);
}

/** A sale that pays too little, the smaller one before it, and the least amount that could not be sold. */
type Short<J> = {
  readonly found: J;
  readonly isSure: boolean;
  readonly before: J | undefined;
  readonly refused: bigint | undefined;
};

/** A plan that pays enough: the first one, or that of a larger sale, since not every plan can sell more. */
function reach<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
  begun: J,
): Reached<J> | undefined {
  let short: Short<J> | undefined = {
    found: begun,
    isSure: !trial.late(),
    before: undefined,
    refused: undefined,
  };
  for (let k = 0; k < REACHES && short !== undefined; k++) {
    const exact = leastIn(trial, short.found, trial.request.amount);
    if (exact !== undefined) return { exact, stretch: stretchOf(short.found, exact), isSure: short.isSure };
    if (k >= AIMS && (short.refused === undefined || trial.late())) return undefined;
    short = larger(trial, solveIn, short);
  }
  return undefined;
}

/** A sale larger than the last one: of what should pay enough, or if that cannot be sold, of amounts halfway to it. */
function larger<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
  short: Short<J>,
): Short<J> | undefined {
  const { amountIn } = short.found.route;
  const aim = beyond(short, trial.request.amount);
  let { refused } = short;
  for (let k = 0; k < REACHES && !(k >= AIMS && trial.late()); k++) {
    if (refused !== undefined && refused - amountIn <= amountIn / CLOSE) return undefined;
    const amount = refused === undefined || aim < refused ? aim : (amountIn + refused) / 2n;
    const found = solveIn(trial, amount);
    if (found !== undefined) return { found, isSure: !trial.late(), before: short.found, refused };
    refused = amount;
  }
  return undefined;
}

/** A route that pays about what is wanted, aimed by what the optimum delivers, or by a small sale if that misleads. */
function first<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
  delivers: Delivers<T>,
): J | undefined {
  const wanted = trial.request.amount;
  let aim = aimed(trial, delivers);
  for (let round = 0; round < AIMS && aim !== undefined; round++) {
    const found = solveIn(trial, aim);
    if (found === undefined) break;
    const { amountIn, amountOut } = found.route;
    const isNear = amountOut < FAR * wanted && wanted < FAR * amountOut;
    if (isNear || trial.late()) return found;
    aim = (amountIn * wanted) / amountOut + 1n;
  }
  const small = smallSale(trial, solveIn);
  if (small === undefined) return undefined;
  return solveIn(trial, (small.route.amountIn * wanted) / small.route.amountOut + 1n) ?? small;
}

/** The amount to sell by what the optimum delivers, found in half of the time; undefined if it is not worth a unit. */
function aimed<T extends Hurried>(trial: T, delivers: Delivers<T>): bigint | undefined {
  const { graph, request, ends } = trial;
  const refOf = (token: Address) => graph.values.ref[graph.nodeOf.get(token)!]!;
  const rate = refOf(ends.tokenIn) / refOf(ends.tokenOut);
  const wanted = Number(request.amount);
  const late = () => trial.late(request.timeoutMs / 2);
  const isWhole = (amount: number) => amount >= 1 && amount < LARGEST;
  const bought = (sold: number) => (isWhole(sold) ? delivers(trial, BigInt(Math.round(sold)), late) : 0);
  const amount = amountToSell({ wanted, rate, late }, bought) ?? wanted / rate;
  return isWhole(amount) ? BigInt(Math.round(amount)) : undefined;
}

/** Whether a route costs enough less than another to be worth one more aim. */
function isMuchCheaper(trial: Trial, one: Judged, than: Judged): boolean {
  const before = cost(trial, than);
  return before - cost(trial, one) > before / WORTH;
}

/** What a route costs in units of the token sold, gas included at the route's own price. */
function cost(trial: Trial, { route, gas }: Judged): bigint {
  return route.amountIn + (gasCost(trial, gas) * route.amountIn) / route.amountOut;
}

/** The next amount is at most this many times the last one. */
const LEAP = 64n;

/** Slightly more than the amount that should pay enough, by linear extrapolation from the last one or two sales. */
function beyond({ found, before }: Short<Judged>, wanted: bigint): bigint {
  const { amountIn, amountOut } = found.route;
  const [sold, paid] = [
    amountIn - (before?.route.amountIn ?? 0n),
    amountOut - (before?.route.amountOut ?? 0n),
  ];
  const [by, per] = sold > 0n && paid > 0n ? [sold, paid] : [amountIn, amountOut];
  const short = wanted > amountOut ? wanted - amountOut : 0n;
  const aim = amountIn + (short * by) / per + 1n;
  const most = LEAP * amountIn;
  return aim < most ? aim + aim / BEYOND : most;
}

/** The first sale that routes, of amounts that grow from a small one. */
function smallSale<T extends Trial, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
): J | undefined {
  for (let amount = START; amount < 2n ** 256n; amount *= START) {
    const found = solveIn(trial, amount);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An amount and what a plan pays for it; 0 if it cannot be filled. */
type Point = { readonly amount: bigint; readonly paid: bigint };

/** A found plan with the least amount sold that still pays `wanted`; undefined if no amount tried does. */
function leastIn<J extends Judged>(trial: Trial, found: J, wanted: bigint): J | undefined {
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
function enough(found: Judged, wanted: bigint, paidFor: (amount: bigint) => Point): Point | undefined {
  const { amountIn, amountOut } = found.route;
  if (amountOut >= wanted) return { amount: amountIn, paid: amountOut };
  const limit = amountIn * 64n;
  for (let amount = (amountIn * wanted) / amountOut + 1n; amount < limit; amount += amount / 4n + 1n) {
    const point = paidFor(amount);
    if (point.paid >= wanted) return point;
  }
  return undefined;
}
