import type { Pool } from "../../../src/core/types.ts";
import { TICK_GAS } from "../market/gas.ts";
import type { Board, Edge } from "../orders/board.ts";
import { profitOf } from "../orders/directions.ts";
import { jointGain } from "./joint-gain.ts";
import { type Earner, reachedGain } from "./reached.ts";

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

const NOTHING = { gross: Number.NEGATIVE_INFINITY, net: Number.NEGATIVE_INFINITY };

/** What prices prove: no route pays more than `gross`, nor `net` after the gas of its legs. */
export type DualBounds = { readonly gross: number; readonly net: number };

/**
 * The bounds that the prices of all tokens prove, over all pools of the market and with formulas of the bench's own: the
 * amount sold at its price, and what the pools that would earn most at these prices would earn, as many as legs are allowed,
 * or what `reached.ts` leaves of it. For the net bound each costs the gas of its leg and of the ticks that it crosses.
 *
 * @param prices by node, in units of the token bought; 0 = none
 * @param stated what is to be proved: bounds as low as these are not lowered further
 */
export function dualBounds(
  board: Board,
  order: BoundedOrder,
  prices: Float64Array,
  stated: DualBounds = NOTHING,
): DualBounds {
  const { from, to, amount, maxLegs, gasOut } = order;
  const most = maxLegs > 0 ? maxLegs : Number.POSITIVE_INFINITY;
  const earners = earnersOf(board, prices, gasOut);
  const sold = prices[from]! * amount;
  const gains = earners.map(({ gain }) => gain).sort((a, b) => b - a);
  const all = gains.slice(0, Math.min(most, gains.length)).reduce((sum, gain) => sum + gain, 0);
  const asked = { from, to, most, gasOut, enough: stated.net - sold };
  if (gasOut > 0) return { gross: sold + all, net: sold + reachedGain(board, earners, asked) };
  const isProved = most === Number.POSITIVE_INFINITY || sold + all <= stated.gross;
  const gross = sold + (isProved ? all : Math.min(all, reachedGain(board, earners, asked)));
  return { gross, net: gross };
}

/** What each pool earns: in its better direction, or over its pairs together. */
function earnersOf(board: Board, prices: Float64Array, gasOut: number): Earner[] {
  const byPool = new Map<Pool, Earner>();
  for (const edge of board.edges) {
    const gain = gainOf(edge, prices);
    if (!(gain > 0) || gain <= (byPool.get(edge.pool)?.gain ?? 0)) continue;
    const paidTicks = afterTicks(board, edge, prices, gasOut) ?? gain;
    byPool.set(edge.pool, { pool: edge.pool, edge, gain, paidTicks, gas: edge.gas });
  }
  return [...byPool.values()].map((one) => {
    if (one.pool.tokens.length === 2) return one;
    const all = Math.max(one.gain, together(board, one.pool, prices));
    return { ...one, edge: undefined, gain: all, paidTicks: all };
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
