import type { Pool } from "../../../src/core/types.ts";
import { TICK_GAS } from "../market/gas.ts";
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
 * For the net bound each costs the gas of its leg and of the ticks that it crosses, and a route crosses all pools of some path between its ends: what these
 * lose after their gas, and after what the last pool that counts earns, comes off.
 *
 * @param prices by node, in units of the token bought; 0 = none
 */
export function dualBounds(board: Board, order: BoundedOrder, prices: Float64Array): DualBounds {
  const { from, amount, maxLegs, gasOut } = order;
  const most = maxLegs > 0 ? maxLegs : Number.POSITIVE_INFINITY;
  const earners = earnersOf(board, prices, gasOut);
  const sold = prices[from]! * amount;
  const best = (gains: readonly number[]) =>
    gains.toSorted(descending).slice(0, Math.min(most, gains.length));
  const gross = sold + sumOf(best(earners.map(({ gain }) => gain)));
  if (!(gasOut > 0)) return { gross, net: gross };
  const counted = best(earners.map(({ paidTicks, gas }) => paidTicks - gas * gasOut)).filter(
    (gain) => gain > 0,
  );
  const displaced = counted.length === most ? counted.at(-1)! : 0;
  return { gross, net: sold + sumOf(counted) - lossOnTheWay(board, order, { earners, displaced }) };
}

/** What a pool earns: in all, and after the gas of the ticks that it crosses for it; and the gas of its leg. */
type Earner = {
  readonly pool: Pool;
  readonly gain: number;
  readonly paidTicks: number;
  readonly gas: number;
};

type Earning = { readonly earners: readonly Earner[]; readonly displaced: number };

/** The least that the pools of a path between the ends lose, by rounds over all edges until nothing changes. */
function lossOnTheWay(
  { edges, tokens }: Board,
  { from, to, gasOut }: BoundedOrder,
  { earners, displaced }: Earning,
): number {
  const gains = new Map(earners.map(({ pool, paidTicks }) => [pool, paidTicks]));
  const losses = edges.map(({ pool, gas }) => Math.max(0, gas * gasOut + displaced - (gains.get(pool) ?? 0)));
  const least = new Float64Array(tokens.length).fill(Number.POSITIVE_INFINITY);
  least[from] = 0;
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [k, { tail, head }] of edges.entries()) {
      const reached = least[tail]! + losses[k]!;
      if (!(reached < least[head]!)) continue;
      least[head] = reached;
      isChanged = true;
    }
  }
  return Number.isFinite(least[to]!) ? least[to]! : 0;
}

/** What each pool earns: in its better direction, or over its pairs together. */
function earnersOf(board: Board, prices: Float64Array, gasOut: number): Earner[] {
  const byPool = new Map<Pool, Omit<Earner, "pool">>();
  for (const edge of board.edges) {
    const gain = gainOf(edge, prices);
    if (!(gain > 0)) continue;
    const paidTicks = afterTicks(board, edge, prices, gasOut) ?? gain;
    const known = byPool.get(edge.pool) ?? { gain: 0, paidTicks: 0 };
    const better = { gain: Math.max(gain, known.gain), paidTicks: Math.max(paidTicks, known.paidTicks) };
    byPool.set(edge.pool, { ...better, gas: edge.gas });
  }
  return [...byPool].map(([pool, { gain, paidTicks, gas }]) => {
    if (pool.tokens.length === 2) return { pool, gain, paidTicks, gas };
    const all = Math.max(gain, together(board, pool, prices));
    return { pool, gain: all, paidTicks: all, gas };
  });
}

/** What a pool earns after the gas of its ticks; undefined where ticks cost nothing. */
function afterTicks({ market }: Board, edge: Edge, prices: Float64Array, gasOut: number): number | undefined {
  const { direction, pool, tail, head } = edge;
  if (!(gasOut > 0) || market.gas.has(pool.id)) return undefined;
  const worth = prices[head]!;
  const earned = direction.afterTicks?.(prices[tail]! / worth, (TICK_GAS * gasOut) / worth);
  return earned === undefined ? undefined : earned * worth;
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

function descending(a: number, b: number): number {
  return b - a;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
