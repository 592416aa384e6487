import type { Pool } from "../../../src/core/types.ts";
import type { Board, Edge } from "../orders/board.ts";
import { profitOf } from "../orders/directions.ts";
import { jointGain } from "./joint-gain.ts";

/** An order as bounds are worked out for it; nodes of the board. */
export type BoundedOrder = {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** Crossings allowed; 0 = no cap. */
  readonly maxLegs: number;
  /** Units of the token bought that a unit of gas costs; 0 where gas is free. */
  readonly gasOut: number;
};

/** What prices prove: no route pays more than `gross`, nor `net` after the gas of its legs. */
export type DualBounds = { readonly gross: number; readonly net: number };

/**
 * The bounds that the prices of all tokens prove, over all pools of the market and with formulas of the bench's own: the
 * amount sold at its price, and what the pools that would earn most at these prices would earn, as many as legs are allowed.
 * For the net bound each costs the gas of its leg, a route has at least as many legs as its ends lie apart, and it crosses some
 * pool of either end.
 *
 * @param prices by node, in units of the token bought; 0 = none
 */
export function dualBounds(board: Board, order: BoundedOrder, prices: Float64Array): DualBounds {
  const { from, amount, maxLegs, gasOut } = order;
  const most = maxLegs > 0 ? maxLegs : Number.POSITIVE_INFINITY;
  const earners = earnersOf(board, prices);
  const sold = prices[from]! * amount;
  const gross =
    sold +
    sumOf(
      earners
        .map(({ gain }) => gain)
        .sort(descending)
        .slice(0, Math.min(most, earners.length)),
    );
  const cheapest =
    board.edges.reduce((least, { gas }) => Math.min(least, gas), Number.POSITIVE_INFINITY) * gasOut;
  const fewest = legsApart(board, order);
  const reached = losingEnds(board, order, earners).slice(0, fewest);
  const others = earners.filter((one) => !reached.some(({ earner }) => earner === one));
  const left = others.map(({ gain, gas }) => gain - gas * gasOut).sort(descending);
  let net = sold + sumOf(reached.map(({ net }) => net));
  const missing = (crossed: number) => Math.max(0, fewest - reached.length - crossed) * cheapest;
  let best = net - missing(0);
  for (let k = 0; k < Math.min(most - reached.length, left.length); k++) {
    net += left[k]!;
    best = Math.max(best, net - missing(k + 1));
  }
  return { gross, net: best };
}

type Earner = { readonly pool: Pool; readonly gain: number; readonly gas: number };

/** The least loss of a crossing at each end of an order where none gains after its gas, the larger loss first. */
function losingEnds(
  { edges, tokens }: Board,
  { from, to, gasOut }: BoundedOrder,
  earners: readonly Earner[],
) {
  return [from, to]
    .map((end) => {
      const idle = edges.filter(({ tail, head }) => tail === end || head === end);
      const cost = idle.reduce((least, { gas }) => Math.min(least, gas), Number.POSITIVE_INFINITY) * gasOut;
      return earners
        .filter(({ pool }) => pool.tokens.includes(tokens[end]!))
        .map((earner) => ({ earner, net: earner.gain - earner.gas * gasOut }))
        .reduce<{ earner?: Earner; net: number }>((a, b) => (b.net > a.net ? b : a), { net: -cost });
    })
    .filter(({ net }) => net <= 0)
    .sort((a, b) => a.net - b.net);
}

/** What each pool earns: in its better direction, or over its pairs together. */
function earnersOf(board: Board, prices: Float64Array): Earner[] {
  const byPool = new Map<Pool, Omit<Earner, "pool">>();
  for (const edge of board.edges) {
    const gain = gainOf(edge, prices);
    if (!(gain > 0)) continue;
    const known = byPool.get(edge.pool);
    byPool.set(edge.pool, { gain: Math.max(gain, known?.gain ?? 0), gas: edge.gas });
  }
  return [...byPool].map(([pool, { gain, gas }]) => ({
    pool,
    gain: pool.tokens.length > 2 ? Math.max(gain, together(board, pool, prices)) : gain,
    gas,
  }));
}

function together({ market, nodeOf }: Board, pool: Pool, prices: Float64Array): number {
  const coins = pool.tokens.map((token) => ({ price: prices[nodeOf.get(token)!]!, sells: true, buys: true }));
  return jointGain(pool.protocol, market.states.get(pool.id), coins);
}

/** What a pool earns at the prices over any number of swaps, in units of the token bought. */
export function gainOf({ tail, head, direction }: Edge, prices: Float64Array): number {
  const worth = prices[head]!;
  if (!(worth > 0)) return 0;
  const cost = prices[tail]! / worth;
  return (direction.repeated?.(cost) ?? profitOf(direction, cost)) * worth;
}

/** The fewest pools in a row that lead from one end to the other. */
function legsApart({ outgoing }: Board, { from, to }: BoundedOrder): number {
  let [reached, legs] = [new Set([from]), 0];
  const seen = new Set([from]);
  while (!seen.has(to) && reached.size > 0) {
    const next = [...reached].flatMap((node) => outgoing[node]!.map(({ head }) => head));
    reached = new Set(next.filter((node) => !seen.has(node)));
    for (const node of reached) seen.add(node);
    legs++;
  }
  return legs;
}

function descending(a: number, b: number): number {
  return b - a;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
