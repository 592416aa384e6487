import { sqrtRatioAtTick } from "../../core/math/concentrated/tick-math.ts";
import type { Address } from "../../core/types.ts";
import { reference } from "./market.ts";

/** Order for a concentrated-liquidity pool of a given depth. */
export type PoolOrder = {
  readonly address: Address;
  readonly token0: Address;
  readonly token1: Address;
  readonly fee: number;
  readonly tickSpacing: number;
  /** Value of all positions, in percent of the value of the shallower token's deepest WETH pair. */
  readonly depthPercent: number;
};

type PositionDesign = {
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly liquidity: bigint;
};

/** A designed pool: price, positions, and `stock`, an upper bound of the tokens that the positions need. */
export type PoolDesign = PoolOrder & {
  readonly sqrtPriceX96: bigint;
  readonly positions: readonly PositionDesign[];
  readonly liquidityInRange: bigint;
  readonly stock: readonly [bigint, bigint];
};

const MAX_TICK = 887_272;
/** Ticks beyond this belong to full-range positions. */
const FULL_RANGE = 880_000;
/** Tokens for ageing, as a multiple of the pool's stock: enough to trade to the ends of its bounded positions. */
export const AGEING_STOCK = 20n;

/** Ranges of the positions relative to the price, in tick spacings, with their share of the pool's value in percent. */
const RANGES: readonly { readonly from: number; readonly to: number; readonly percent: number }[] = [
  { from: -Infinity, to: Infinity, percent: 30 },
  { from: -100, to: 100, percent: 25 },
  { from: -30, to: 30, percent: 20 },
  { from: -10, to: 10, percent: 10 },
  { from: -3, to: 2, percent: 5 },
  { from: -40, to: -4, percent: 5 },
  { from: 5, to: 50, percent: 5 },
];

/**
 * Designs a pool with positions around the market's price, so that no cycle through pools and pairs is profitable after
 * fees. The price is exact. Liquidity is computed in doubles, which is precise enough because the positions are free to
 * choose.
 */
export function designPool(order: PoolOrder): PoolDesign {
  const [first, second] = [reference(order.token0), reference(order.token1)];
  const sqrtPriceX96 = squareRoot(((first.weth * second.amount) << 192n) / (first.amount * second.weth));
  const sqrtPrice = Number(sqrtPriceX96) / 2 ** 96;
  const tick = Math.floor((2 * Math.log(sqrtPrice)) / Math.log(1.0001));

  // The reference of WETH itself is 1:1 and has no depth.
  const depths = [first, second].map(({ weth }) => Number(weth)).filter((weth) => weth > 1);
  const weth = (2 * Math.min(...depths) * order.depthPercent) / 100;
  const value = (weth * Number(second.amount)) / Number(second.weth);

  let stock: [number, number] = [0, 0];
  const positions = RANGES.map(({ from, to, percent }) => {
    const tickLower = snap(tick, from, order.tickSpacing);
    const tickUpper = snap(tick, to, order.tickSpacing);
    const unit = amountsPerLiquidity(sqrtPrice, sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper));
    const liquidity = Math.floor((value * percent) / 100 / (unit[1] + unit[0] * sqrtPrice ** 2));
    stock = [stock[0] + liquidity * unit[0], stock[1] + liquidity * unit[1]];
    return { tickLower, tickUpper, liquidity: BigInt(liquidity) };
  });

  const inRange = positions.filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper);
  return {
    ...order,
    sqrtPriceX96,
    positions,
    liquidityInRange: inRange.reduce((sum, { liquidity }) => sum + liquidity, 0n),
    stock: [withMargin(stock[0]), withMargin(stock[1])],
  };
}

/**
 * Square-root prices (Q96) to which a new pool is traded in turn, so that all bounded ticks are crossed: below them,
 * above them, and back to the initial price.
 */
export function ageingPrices(design: PoolDesign): readonly [bigint, bigint, bigint] {
  const ticks = design.positions
    .flatMap(({ tickLower, tickUpper }) => [tickLower, tickUpper])
    .filter((tick) => Math.abs(tick) < FULL_RANGE);
  const low = sqrtRatioAtTick(Math.min(...ticks) - design.tickSpacing);
  const high = sqrtRatioAtTick(Math.max(...ticks) + design.tickSpacing);
  return [low, high, design.sqrtPriceX96];
}

/** Amounts of both tokens that a unit of liquidity needs between two square-root prices. */
function amountsPerLiquidity(sqrtPrice: number, lower: number, upper: number): [number, number] {
  const inside = Math.min(Math.max(sqrtPrice, lower), upper);
  return [1 / inside - 1 / upper, inside - lower];
}

function snap(tick: number, spacings: number, tickSpacing: number): number {
  const limit = Math.floor(MAX_TICK / tickSpacing);
  const wanted = Math.floor(tick / tickSpacing) + spacings;
  return Math.min(Math.max(wanted, -limit), limit) * tickSpacing;
}

function sqrtPriceAt(tick: number): number {
  return 1.0001 ** (tick / 2);
}

/** Adds a margin for the pool's rounding up and the error of doubles. */
function withMargin(amount: number): bigint {
  return BigInt(Math.ceil(amount * 1.000001)) + 1000n;
}

/** The largest integer whose square is not more than `value`. */
function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
