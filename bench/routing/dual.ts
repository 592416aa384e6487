import type { Pool } from "../../src/core/types.ts";
import type { Board, Edge } from "./board.ts";
import { profitOf } from "./directions.ts";
import { jointGain } from "./joint-gain.ts";
import { leastOf } from "./least.ts";

/** What prices prove about an order. */
export type DualBound = {
  /** No route pays more, in units of the token bought; undefined where prices around the given ones never come to rest. */
  readonly bound: number | undefined;
  /** The price of every token that the proof used; 0 where it leads nowhere. */
  readonly prices: Float64Array;
};

const ROUNDS = 60;
/** A price is better only by more than the rounding of a few products. */
const MARGIN = 1 + 1e-13;
const SWEEPS = 12;

/**
 * The bound that given prices prove, over all pools of the market: the amount sold at its price, and what every pool
 * would earn at these prices. Any prices give a valid bound, because a route's worth at them changes only in pools.
 *
 * Tokens without a given price first get what a small amount of them fetches at best, neither from the token bought nor into
 * the one sold, where no route leads: then no pool between two of them,
 * and none from one of them to a priced token, earns anything. Where a pool that leads into one of them does, the price
 * is moved to where the pools around it earn least together, the others held.
 */
export function dualBound(
  board: Board,
  order: { readonly from: number; readonly to: number; readonly amount: number },
  given: ReadonlyMap<number, number>,
): DualBound {
  const { from, to, amount } = order;
  const prices = new Float64Array(board.tokens.length);
  for (const [node, price] of given) prices[node] = price;
  const counts = (edge: Edge) => edge.head !== from && edge.tail !== to;
  if (!spread(board, given, prices, counts)) return { bound: undefined, prices };
  const earning = new Set<number>();
  for (const edge of board.edges) {
    if (!counts(edge) || gainOf(edge, prices) <= 0) continue;
    for (const node of [edge.tail, edge.head]) if (!given.has(node)) earning.add(node);
  }
  for (let sweep = 0; sweep < SWEEPS && earning.size > 0; sweep++) {
    for (const node of earning) lowerAround(board, node, prices, counts);
  }
  return { bound: prices[from]! * amount + earnedByPools(board, { from, to }, prices), prices };
}

/** What all pools earn, each over its pairs together where that is less than over each by itself. */
function earnedByPools(board: Board, ends: Ends, prices: Float64Array): number {
  const byPool = new Map<Pool, { pairs: number; sum: number }>();
  for (const edge of board.edges) {
    const gain = edge.head !== ends.from && edge.tail !== ends.to ? gainOf(edge, prices) : 0;
    if (!(gain > 0)) continue;
    const known = byPool.get(edge.pool);
    byPool.set(edge.pool, { pairs: (known?.pairs ?? 0) + 1, sum: (known?.sum ?? 0) + gain });
  }
  let total = 0;
  for (const [pool, { pairs, sum }] of byPool) {
    total += pairs > 1 && pool.tokens.length > 2 ? Math.min(sum, together(board, pool, ends, prices)) : sum;
  }
  return total;
}

type Ends = { readonly from: number; readonly to: number };

function together({ market, nodeOf }: Board, pool: Pool, { from, to }: Ends, prices: Float64Array): number {
  const coins = pool.tokens.map((token) => {
    const node = nodeOf.get(token)!;
    return { price: prices[node]!, sells: node !== to, buys: node !== from };
  });
  return jointGain(pool.protocol, market.states.get(pool.id), coins);
}

/** What a pool earns at the prices, in units of the token bought. */
export function gainOf({ tail, head, direction }: Edge, prices: Float64Array): number {
  const worth = prices[head]!;
  return worth > 0 ? profitOf(direction, prices[tail]! / worth) * worth : 0;
}

/** Gives every token without a price what it fetches at best. @returns false where a cycle keeps raising prices */
function spread(
  { incoming }: Board,
  given: ReadonlyMap<number, number>,
  prices: Float64Array,
  counts: (edge: Edge) => boolean,
): boolean {
  let queue = [...given.keys()];
  for (let round = 0; round < ROUNDS && queue.length > 0; round++) {
    const raised = new Set<number>();
    for (const node of queue) {
      for (const edge of incoming[node]!) {
        const { tail, direction } = edge;
        const fetched = direction.spot * prices[node]!;
        if (given.has(tail) || !counts(edge) || !(fetched > prices[tail]! * MARGIN)) continue;
        prices[tail] = fetched;
        raised.add(tail);
      }
    }
    queue = [...raised];
  }
  return queue.length === 0;
}

/** Golden section over the logarithm of one price: what the pools around it earn is convex in the price. */
function lowerAround(
  { incoming, outgoing }: Board,
  node: number,
  prices: Float64Array,
  counts: (edge: Edge) => boolean,
): void {
  const edges = [...incoming[node]!, ...outgoing[node]!].filter(counts);
  const start = prices[node]!;
  const earned = (shift: number) => {
    prices[node] = start * Math.exp(shift);
    let gain = 0;
    for (const edge of edges) gain += gainOf(edge, prices);
    return gain;
  };
  const best = leastOf(earned, -0.25, 0.05);
  prices[node] = earned(best) <= earned(0) ? start * Math.exp(best) : start;
}
