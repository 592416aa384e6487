import type { Address } from "../types.ts";
import { amountToSell } from "./aim.ts";
import { findOptimum } from "./column-generation/optimum.ts";
import { leastIn } from "./least-sale.ts";
import { beyond, STRAIGHT } from "./next-sale.ts";
import { demandOf, legsOf, type Query } from "./request.ts";
import { gasCost, type Hurried, type Judged, type Trial } from "./settlement/evaluate.ts";

/** Rounds of aiming: each searches for a sale of the amount that the last route needs. */
const AIMS = 8;
/** Searches for a sale that pays enough, at most, including sales that cannot be filled. */
const REACHES = 24;
const START = 2n ** 10n;
const LARGEST = 2 ** 255;
/** Factor by which a first route may pay more or less than is wanted. */
const FAR = 4n;
/**
 * Another search is not worth it if it can save no more than this share of the input, or if the last one did not. It trades time
 * for cost: `npm run bench:routing -- --buy` shows both.
 */
const WORTH = 1e-6;
/** Only within this share of the amount that a plan was made for its prices say what another one saves. */
const AROUND = 0.05;
/** A sale within one part in this many of an amount that cannot be sold counts as the largest possible. */
const CLOSE = 10n ** 6n;
/** A plan that sells more than this many times the amount it was made for may cost much more than another. */
const STRETCH = 1.1;

/**
 * If arbitrage can gain more than this share of what the optimum of a sale delivers, the sale of one `PART`th may pay as much. With
 * less, it cannot save half of the cost, and is not worth the time of a search.
 */
const NOTABLE = 0.5;
const PART = 4n;

/** A route that sells an amount. */
type Sold = Judged & {
  /** Whether the search for it had to leave something out for lack of time. */
  readonly isCut: boolean;
  /** What arbitrage can gain in addition to the optimum, as a share of it. */
  readonly reachable: number;
};

/** The searches that a purchase consists of. */
export type Searches<T, J> = {
  /** The best route that sells an amount. */
  readonly sell: (trial: T, amount: bigint) => J | undefined;
  /** About what the best route for an amount pays, found before `late`, with less work; 0 if it cannot be sold. */
  readonly delivers: (trial: T, amount: bigint, late: () => boolean) => number;
  /** Units bought for a unit more, at the optimum of the last sale; undefined if no optimum was found. */
  readonly marginal: (trial: T) => number | undefined;
};

/** A search for a sale. */
type Found<J> = {
  readonly sale: J;
  /** Whether it ended before the deadline. */
  readonly isSure: boolean;
  /** Units bought for a unit more, at its optimum. */
  readonly marginal: number | undefined;
};

function searched<T extends Hurried, J extends Sold>(
  trial: T,
  { sell, marginal }: Searches<T, J>,
  amount: bigint,
): Found<J> | undefined {
  const sale = sell(trial, amount);
  return sale && { sale, isSure: !sale.isCut && !trial.late(), marginal: marginal(trial) };
}

/** The sale that buys what is wanted, and the search that found its plan. */
type Bought<J> = { readonly exact: J; readonly found: Found<J> };

/** The purchase by the plan that a search for a sale of `amount` finds. */
function buy<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
  amount: bigint,
): Bought<J> | undefined {
  const found = searched(trial, searches, amount);
  const exact: J | undefined = found && leastIn(trial, found.sale, trial.request.amount);
  return found && exact && { exact, found };
}

/**
 * The least that must be sold to buy `request.amount`: aims with searches that sell, then keeps the plan and lowers the
 * amount sold, to the unit, by exact settlement. It pays at least the wanted amount, with the smallest excess that
 * integer amounts allow.
 *
 * @returns "out-of-time" if the deadline came before any search for about the right amount: what is known pays too
 *   little, or may cost much more. `isSure`: a search for about the amount sold ended before the deadline
 */
export function findExactOut<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
): { readonly exact: J; readonly isSure: boolean } | "out-of-time" | undefined {
  const begun = first(trial, searches);
  const reached = begun && reach(trial, searches, begun);
  if (reached === undefined) return begun !== undefined && trial.late() ? "out-of-time" : undefined;
  const { exact, found } = improved(trial, searches, smaller(trial, searches, reached));
  const isStretched = Number(exact.route.amountIn) > STRETCH * Number(found.sale.route.amountIn);
  return isStretched && trial.late() ? "out-of-time" : { exact, isSure: reached.found.isSure };
}

/**
 * The sale of a part of the amount, as long as its plan pays enough for less. With much arbitrage what a sale pays hardly depends on
 * the amount, so that a sale that is many times too large pays what is wanted, too.
 */
function smaller<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
  reached: Bought<J>,
): Bought<J> {
  let best = reached;
  while (best.found.sale.reachable > NOTABLE && best.exact.route.amountIn >= PART && !trial.late()) {
    const next = buy(trial, searches, best.exact.route.amountIn / PART);
    if (next === undefined || cost(trial, next.exact) >= cost(trial, best.exact)) break;
    best = next;
  }
  return best;
}

/** Searches again at the amount that the last route sells, as long as that may cost less, and does. */
function improved<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
  reached: Bought<J>,
): Bought<J> {
  let best = reached;
  for (let round = 0; round < AIMS && mostSaved(trial, best) > WORTH && !trial.late(); ) {
    const next = buy(trial, searches, best.exact.route.amountIn);
    if (next === undefined || cost(trial, next.exact) > cost(trial, best.exact)) break;
    const isWorth = isMuchCheaper(trial, next.exact, best.exact);
    // With profitable cycles each route may need only a fraction of the one before.
    if (2n * next.exact.route.amountIn > best.exact.route.amountIn) round++;
    // Of equal routes the later one: it was found by a search at the amount that it sells, whatever the first aim.
    best = next;
    if (!isWorth) break;
  }
  return best;
}

/**
 * The largest share of its input that another plan can save. What the best route pays is a concave function of the amount
 * sold where no cycle is profitable, so that around the amount a plan was made for each unit more buys at most `marginal`.
 */
function mostSaved({ request }: Trial, { exact, found: { sale, marginal } }: Bought<Judged>): number {
  const { amountIn, amountOut } = sale.route;
  const more = Number(exact.route.amountIn - amountIn) / Number(amountIn);
  if (marginal === undefined || Math.abs(more) > AROUND) return Infinity;
  return more - Number(request.amount - amountOut) / marginal / Number(amountIn);
}

/** A sale that pays too little, the smaller one before it, and the least amount that could not be sold. */
type Short<J> = {
  readonly found: Found<J>;
  readonly before: J | undefined;
  readonly refused: bigint | undefined;
};

/** A plan that pays enough: the first one, or that of a larger sale, since not every plan can sell more. */
function reach<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
  begun: Found<J>,
): Bought<J> | undefined {
  let short: Short<J> | undefined = { found: begun, before: undefined, refused: undefined };
  for (let k = 0; k < REACHES && short !== undefined; k++) {
    const exact = leastIn(trial, short.found.sale, trial.request.amount);
    const bought = exact && { exact, found: short.found };
    if (bought !== undefined) return k < STRAIGHT ? bought : nearer(trial, searches, bought, short.before);
    if (k >= AIMS && (short.refused === undefined || trial.late())) return undefined;
    short = larger(trial, searches, short, k + 1);
  }
  return undefined;
}

/**
 * Halvings, by ratio, of the interval between a sale that paid too little and one that pays enough. Each costs a search; six
 * narrow a ratio of 64, the largest between two aims, to one of 1.07.
 */
const HALVINGS = 6;

/** Where the last aim went far beyond sales that pay too little, searches between them: near all that pools hold, a little more costs much. */
function nearer<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
  bought: Bought<J>,
  before: J | undefined,
): Bought<J> {
  if (before === undefined) return bought;
  let best = bought;
  let low = Number(before.route.amountIn);
  for (let k = 0; k < HALVINGS && !trial.late(); k++) {
    const middle = Math.sqrt(low * Number(best.exact.route.amountIn));
    const next = buy(trial, searches, BigInt(Math.round(middle)));
    if (next !== undefined && cost(trial, next.exact) < cost(trial, best.exact)) best = next;
    else low = middle;
  }
  return best;
}

/**
 * A sale larger than the last one: of what should pay enough, or if that cannot be sold, of amounts halfway to it.
 *
 * @param tries number of sales that have paid too little
 */
function larger<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
  short: Short<J>,
  tries: number,
): Short<J> | undefined {
  const { sale } = short.found;
  const { amountIn } = sale.route;
  const aim = beyond(sale.route, short.before?.route, { wanted: trial.request.amount, tries });
  let { refused } = short;
  for (let k = 0; k < REACHES && !(k >= AIMS && trial.late()); k++) {
    if (refused !== undefined && refused - amountIn <= amountIn / CLOSE) return undefined;
    const amount = refused === undefined || aim < refused ? aim : (amountIn + refused) / 2n;
    const found = searched(trial, searches, amount);
    if (found !== undefined) return { found, before: sale, refused };
    refused = amount;
  }
  return undefined;
}

/** A route that pays about what is wanted, aimed by what the optimum delivers, or by a small sale if that misleads. */
function first<T extends Hurried, J extends Sold>(trial: T, searches: Searches<T, J>): Found<J> | undefined {
  const wanted = trial.request.amount;
  let aim = aimed(trial, searches);
  for (let round = 0; round < AIMS && aim !== undefined; round++) {
    const found = searched(trial, searches, aim);
    if (found === undefined) break;
    const { amountIn, amountOut } = found.sale.route;
    const isNear = amountOut < FAR * wanted && wanted < FAR * amountOut;
    if (isNear || trial.late()) return found;
    aim = (amountIn * wanted) / amountOut + 1n;
  }
  const small = smallSale(trial, searches);
  if (small === undefined) return undefined;
  const { amountIn, amountOut } = small.sale.route;
  return searched(trial, searches, (amountIn * wanted) / amountOut + 1n) ?? small;
}

/** The amount to sell by what the optimum delivers, found in half of the time; undefined if it is not worth a unit. */
function aimed<T extends Hurried>(
  trial: T,
  { delivers }: Pick<Searches<T, never>, "delivers">,
): bigint | undefined {
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
  return Number(before - cost(trial, one)) > WORTH * Number(before);
}

/** What a route costs in units of the token sold, gas included at the route's own price. */
function cost(trial: Trial, { route, gas }: Judged): bigint {
  return route.amountIn + (gasCost(trial, gas) * route.amountIn) / route.amountOut;
}

/** The first sale that routes, of amounts that grow from a small one. */
function smallSale<T extends Hurried, J extends Sold>(
  trial: T,
  searches: Searches<T, J>,
): Found<J> | undefined {
  for (let amount = START; amount < 2n ** 256n; amount *= START) {
    const found = searched(trial, searches, amount);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * About what a sale of `amount` pays: what the convex optimum delivers, in smallest units; 0 if it cannot be sold.
 *
 * @param late when the search for the optimum ends early: what the flows found by then deliver
 */
export function optimalOutput(query: Query, amount: bigint, late: () => boolean): number {
  const { graph, workspace, to } = query;
  const market = graph.arbitrageFree.market ?? graph;
  const optimum = findOptimum(market, workspace, { ...demandOf(query, amount), late }, legsOf(query));
  return Math.max(0, (optimum?.delivered ?? 0) / graph.values.ref[to]!);
}
