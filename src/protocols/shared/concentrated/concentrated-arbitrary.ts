import fc from "fast-check";
import type { Concentrated } from "../../../core/math/concentrated/concentrated-swap.ts";
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "../../../core/math/concentrated/tick-math.ts";
import {
  type LiveTickTable,
  type PositionChange,
  withPosition,
} from "../../../core/math/concentrated/tick-table.ts";

/** A random concentrated-liquidity pool of any design. */
type TickedPool = Concentrated & LiveTickTable;

type PoolFacts = { readonly feePpm: number; readonly tickSpacing: number };

/**
 * Number of steps of the contract's loop from one end of the liquidity to the other: ticks and ends of bitmap words.
 */
export function longestWalk({ ticks, tickSpacing }: TickedPool): number {
  if (ticks.length === 0) return 1;
  return ticks.length + Math.ceil((ticks[ticks.length - 1]! - ticks[0]!) / tickSpacing / 256) + 2;
}

/** A pool without positions, whose price is `part`/2^32 of the way from a tick to the next. */
export function emptyPool(facts: PoolFacts, tick: number, part: number): TickedPool {
  const lower = sqrtRatioAtTick(tick);
  const gap = sqrtRatioAtTick(tick + 1) - lower;
  return {
    ...facts,
    sqrtPriceX96: lower + (gap * BigInt(part)) / 2n ** 32n,
    tick,
    liquidity: 0n,
    lowest: MIN_TICK,
    highest: MAX_TICK,
    ticks: [],
    nets: [],
    grosses: [],
  };
}

/** The pool after a Mint. */
export function minted<S extends TickedPool>(state: S, change: PositionChange): S {
  const inRange = change.lower <= state.tick && state.tick < change.upper;
  const table = withPosition(state, change)!;
  return { ...table, liquidity: state.liquidity + (inRange ? change.liquidity : 0n) };
}

/**
 * Positions at and near the price, with gaps without liquidity between them, and sometimes a position over all
 * prices.
 */
function positionsAround(tick: number, tickSpacing: number): fc.Arbitrary<PositionChange> {
  const centre = Math.floor(tick / tickSpacing);
  const most = Math.floor(MAX_TICK / tickSpacing);
  const bounded = (k: number) => Math.min(Math.max(k, -most), most);
  const near = fc
    .tuple(fc.integer({ min: -600, max: 600 }), fc.integer({ min: 1, max: 600 }))
    .map(([offset, width]) => [bounded(centre + offset), bounded(centre + offset + width)] as const)
    .filter(([lower, upper]) => lower < upper);
  const whole = fc.constant([-most, most] as const);
  return fc
    .tuple(
      tickSpacing < 60 ? near : fc.oneof({ arbitrary: near, weight: 5 }, { arbitrary: whole, weight: 1 }),
      fc.integer({ min: 30, max: 90 }).chain((bits) => fc.bigInt({ min: 1n, max: 2n ** BigInt(bits) })),
    )
    .map(([[lower, upper], liquidity]) => ({
      lower: lower * tickSpacing,
      upper: upper * tickSpacing,
      liquidity,
    }));
}

/** Pools with these facts and up to eight positions around the price. */
export function tickedPools(facts: fc.Arbitrary<PoolFacts>): fc.Arbitrary<TickedPool> {
  return fc
    .tuple(facts, fc.integer({ min: -250_000, max: 250_000 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
    .chain(([fact, tick, part]) =>
      fc
        .array(positionsAround(tick, fact.tickSpacing), { maxLength: 8 })
        .map((positions) => positions.reduce(minted<TickedPool>, emptyPool(fact, tick, part))),
    );
}
