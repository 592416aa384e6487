import { amountToSell } from "./aim.ts";
import { findOptimum } from "./column-generation/optimum.ts";
import { leastIn } from "./least-sale.ts";
import { beyond, STRAIGHT } from "./next-sale.ts";
import { demandOf, legsOf, type Query } from "./request.ts";
import type { Sale } from "./sale.ts";
import { gasCost } from "./settlement/evaluate.ts";

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

/** The searches that a purchase consists of. */
export type Searches = {
  /** The best route that sells an amount. */
  readonly sell: (query: Query, amount: bigint) => Sale | undefined;
  /** About what the best route for an amount pays, found before `late`, with less work; 0 if it cannot be sold. */
  readonly delivers: (query: Query, amount: bigint, late: () => boolean) => number;
  /** Units bought for a unit more, at the optimum of the last sale; undefined if no optimum was found. */
  readonly marginal: (query: Query) => number | undefined;
};

type Purchase = { readonly query: Query; readonly searches: Searches };

/** A search for a sale. */
type Found = {
  readonly sale: Sale;
  /** Whether it ended before the deadline. */
  readonly isSure: boolean;
  /** Units bought for a unit more, at its optimum. */
  readonly marginal: number | undefined;
};

function searched({ query, searches }: Purchase, amount: bigint): Found | undefined {
  const sale = searches.sell(query, amount);
  return sale && { sale, isSure: !sale.isCut && !query.late(), marginal: searches.marginal(query) };
}

/** The sale that buys what is wanted, and the search that found its plan. */
type Bought = { readonly exact: Sale; readonly found: Found };

/** The purchase by the plan that a search for a sale of `amount` finds. */
function buy(purchase: Purchase, amount: bigint): Bought | undefined {
  const found = searched(purchase, amount);
  return found && bought(purchase, found);
}

/** The purchase by the plan of a sale; undefined if the plan cannot pay enough. */
function bought({ query }: Purchase, found: Found): Bought | undefined {
  const exact = leastIn(query, found.sale, query.request.amount);
  return exact && { exact, found };
}

/**
 * The least that must be sold to buy `request.amount`: aims with searches that sell, then keeps the plan and lowers the
 * amount sold, to the unit, by exact settlement. It pays at least the wanted amount, with the smallest excess that
 * integer amounts allow.
 *
 * @returns "out-of-time" if the deadline came before any search for about the right amount: what is known pays too
 *   little, or may cost much more. `isSure`: a search for about the amount sold ended before the deadline
 */
export function findExactOut(
  query: Query,
  searches: Searches,
): { readonly exact: Sale; readonly isSure: boolean } | "out-of-time" | undefined {
  const purchase = { query, searches };
  const begun = first(purchase);
  const reached = begun && reach(purchase, begun);
  if (reached === undefined) return begun !== undefined && query.late() ? "out-of-time" : undefined;
  const { exact, found } = improved(purchase, smaller(purchase, reached));
  const isStretched = Number(exact.route.amountIn) > STRETCH * Number(found.sale.route.amountIn);
  return isStretched && query.late() ? "out-of-time" : { exact, isSure: reached.found.isSure };
}

/**
 * The sale of a part of the amount, as long as its plan pays enough for less. With much arbitrage what a sale pays hardly depends on
 * the amount, so that a sale that is many times too large pays what is wanted, too.
 */
function smaller(purchase: Purchase, reached: Bought): Bought {
  const { query } = purchase;
  let best = reached;
  while (best.found.sale.reachable > NOTABLE && best.exact.route.amountIn >= PART && !query.late()) {
    const next = buy(purchase, best.exact.route.amountIn / PART);
    if (next === undefined || cost(query, next.exact) >= cost(query, best.exact)) break;
    best = next;
  }
  return best;
}

/** Searches again at the amount that the last route sells, as long as that may cost less, and does. */
function improved(purchase: Purchase, reached: Bought): Bought {
  const { query } = purchase;
  let best = reached;
  for (let round = 0; round < AIMS && mostSaved(query, best) > WORTH && !query.late(); ) {
    const next = buy(purchase, best.exact.route.amountIn);
    if (next === undefined) break;
    const [before, after] = [cost(query, best.exact), cost(query, next.exact)];
    if (after > before) break;
    // With profitable cycles each route may need only a fraction of the one before.
    if (2n * next.exact.route.amountIn > best.exact.route.amountIn) round++;
    // Of equal routes the later one: it was found by a search at the amount that it sells, whatever the first aim.
    best = next;
    if (!(Number(before - after) > WORTH * Number(before))) break;
  }
  return best;
}

/**
 * The largest share of its input that another plan can save. What the best route pays is a concave function of the amount
 * sold where no cycle is profitable, so that around the amount a plan was made for each unit more buys at most `marginal`.
 */
function mostSaved({ request }: Query, { exact, found: { sale, marginal } }: Bought): number {
  const { amountIn, amountOut } = sale.route;
  const more = Number(exact.route.amountIn - amountIn) / Number(amountIn);
  if (marginal === undefined || Math.abs(more) > AROUND) return Infinity;
  return more - Number(request.amount - amountOut) / marginal / Number(amountIn);
}

/** A sale that pays too little, the smaller one before it, and the least amount that could not be sold. */
type Short = {
  readonly found: Found;
  readonly before: Sale | undefined;
  readonly refused: bigint | undefined;
};

/** A plan that pays enough: the first one, or that of a larger sale, since not every plan can sell more. */
function reach(purchase: Purchase, begun: Found): Bought | undefined {
  let short: Short | undefined = { found: begun, before: undefined, refused: undefined };
  for (let k = 0; k < REACHES && short !== undefined; k++) {
    const reached = bought(purchase, short.found);
    if (reached !== undefined) return k < STRAIGHT ? reached : nearer(purchase, reached, short.before);
    if (k >= AIMS && (short.refused === undefined || purchase.query.late())) return undefined;
    short = larger(purchase, short, k + 1);
  }
  return undefined;
}

/**
 * Halvings, by ratio, of the interval between a sale that paid too little and one that pays enough. Each costs a search; six
 * narrow a ratio of 64, the largest between two aims, to one of 1.07.
 */
const HALVINGS = 6;

/** Where the last aim went far beyond sales that pay too little, searches between them: near all that pools hold, a little more costs much. */
function nearer(purchase: Purchase, reached: Bought, before: Sale | undefined): Bought {
  const { query } = purchase;
  if (before === undefined) return reached;
  let best = reached;
  let low = Number(before.route.amountIn);
  for (let k = 0; k < HALVINGS && !query.late(); k++) {
    const middle = Math.sqrt(low * Number(best.exact.route.amountIn));
    const next = buy(purchase, BigInt(Math.round(middle)));
    if (next !== undefined && cost(query, next.exact) < cost(query, best.exact)) best = next;
    else low = middle;
  }
  return best;
}

/**
 * A sale larger than the last one: of what should pay enough, or if that cannot be sold, of amounts halfway to it.
 *
 * @param tries number of sales that have paid too little
 */
function larger(purchase: Purchase, short: Short, tries: number): Short | undefined {
  const { query } = purchase;
  const { sale } = short.found;
  const { amountIn } = sale.route;
  const aim = beyond(sale.route, short.before?.route, { wanted: query.request.amount, tries });
  let { refused } = short;
  for (let k = 0; k < REACHES && !(k >= AIMS && query.late()); k++) {
    if (refused !== undefined && refused - amountIn <= amountIn / CLOSE) return undefined;
    const amount = refused === undefined || aim < refused ? aim : (amountIn + refused) / 2n;
    const found = searched(purchase, amount);
    if (found !== undefined) return { found, before: sale, refused };
    refused = amount;
  }
  return undefined;
}

/** A route that pays about what is wanted, aimed by what the optimum delivers, or by a small sale if that misleads. */
function first(purchase: Purchase): Found | undefined {
  const { query } = purchase;
  const wanted = query.request.amount;
  let aim = aimed(purchase);
  for (let round = 0; round < AIMS && aim !== undefined; round++) {
    const found = searched(purchase, aim);
    if (found === undefined) break;
    const { amountIn, amountOut } = found.sale.route;
    const isNear = amountOut < FAR * wanted && wanted < FAR * amountOut;
    const next = (amountIn * wanted) / amountOut + 1n;
    if (isNear || next === amountIn || query.late()) return found;
    aim = next;
  }
  const small = smallSale(purchase);
  if (small === undefined) return undefined;
  const { amountIn, amountOut } = small.sale.route;
  return searched(purchase, (amountIn * wanted) / amountOut + 1n) ?? small;
}

/** The amount to sell, at least one unit, by what the optimum delivers, found in half of the time; undefined without prices. */
function aimed({ query, searches }: Purchase): bigint | undefined {
  const { ref } = query.graph.values;
  const rate = ref[query.from]! / ref[query.to]!;
  const wanted = Number(query.request.amount);
  const late = () => query.late(query.request.timeoutMs / 2);
  const isWhole = (amount: number) => amount >= 1 && amount < LARGEST;
  const paid = (sold: number) =>
    isWhole(sold) ? searches.delivers(query, BigInt(Math.round(sold)), late) : 0;
  const amount = amountToSell({ wanted, rate, late }, paid) ?? wanted / rate;
  return amount < LARGEST ? BigInt(Math.max(1, Math.round(amount))) : undefined;
}

/** What a route costs in units of the token sold, gas included at the route's own price. */
function cost(query: Query, { route, gas }: Sale): bigint {
  return route.amountIn + (gasCost(query, gas) * route.amountIn) / route.amountOut;
}

/** The first sale that routes, of amounts that grow from a small one. */
function smallSale(purchase: Purchase): Found | undefined {
  for (let amount = START; amount < 2n ** 256n; amount *= START) {
    const found = searched(purchase, amount);
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
