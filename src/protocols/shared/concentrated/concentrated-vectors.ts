import {
  type Concentrated,
  type ConcentratedSwap,
  LIMIT_DOWN,
  LIMIT_UP,
  swap as poolSwap,
} from "../../../core/math/concentrated/concentrated-swap.ts";
import { MAX_TICK, MIN_TICK } from "../../../core/math/concentrated/tick-math.ts";
import {
  asked,
  complaint,
  type Fields,
  integer,
  list,
  NotUnderstood,
  type Trial,
  tokenIndex,
  understood,
  type Vector,
  type VectorSwap,
} from "../../swapvec.ts";

/** Recorded swaps of concentrated-liquidity designs. The pool's swap loop is compared, including partial fills. */

export const CONCENTRATED_FIELDS = ["tickSpacing", "sqrtPriceX96", "tick", "liquidity", "ticks"];

/**
 * The pool of a vector.
 *
 * @param state fields whose presence was checked
 * @throws NotUnderstood if its ticks are not ascending
 */
export function concentratedOf(state: Fields, feePpm: unknown): Concentrated {
  const ticks = list(state.ticks).map((tick) =>
    understood(tick, ["index", "liquidityNet"], ["liquidityGross"]),
  );
  const indexes = ticks.map((tick) => Number(integer(tick.index)));
  if (indexes.some((index, k) => k > 0 && index <= indexes[k - 1]!))
    throw new NotUnderstood("ticks are not in order");
  const window = state.ticksComplete === false;
  return {
    feePpm: Number(integer(feePpm)),
    tickSpacing: Number(integer(state.tickSpacing)),
    sqrtPriceX96: integer(state.sqrtPriceX96),
    tick: Number(integer(state.tick)),
    liquidity: integer(state.liquidity),
    ticks: indexes,
    nets: ticks.map((tick) => integer(tick.liquidityNet)),
    lowest: window ? (indexes[0] ?? MIN_TICK) : MIN_TICK,
    highest: window ? (indexes.at(-1) ?? MAX_TICK) : MAX_TICK,
  };
}

/** @param feeOf fee of a direction in ppm, if it differs from the pool's fee */
export function concentratedTrial(
  vector: Vector,
  start: Concentrated,
  feeOf: (zeroForOne: boolean) => number = () => start.feePpm,
): Trial {
  let pool = start;
  return (swap) => {
    const zeroForOne = directionOf(vector, swap);
    const done = trySwap({ ...pool, feePpm: feeOf(zeroForOne) }, zeroForOne, swap);
    if (vector.sequential && done !== undefined)
      pool = { ...pool, sqrtPriceX96: done.sqrtPriceX96, tick: done.tick, liquidity: done.liquidity };
    if (swap.mustFail) return complaint(swap, done === undefined || cutShort(swap, done) ? undefined : done);
    return complaint(swap, done) ?? (done && moreComplaints(swap, done));
  };
}

function directionOf(vector: Vector, swap: VectorSwap): boolean {
  const zeroForOne = tokenIndex(vector, swap.tokenIn) === 0;
  if (tokenIndex(vector, swap.tokenOut) !== (zeroForOne ? 1 : 0)) throw new NotUnderstood("not a pair");
  return zeroForOne;
}

function trySwap(pool: Concentrated, zeroForOne: boolean, swap: VectorSwap) {
  const { amountSpecified, sqrtPriceLimitX96 } = swap.fields;
  const amount = amountSpecified === undefined ? asked(swap) : magnitude(integer(amountSpecified));
  const limit = sqrtPriceLimitX96 ?? (zeroForOne ? LIMIT_DOWN : LIMIT_UP).toString();
  return poolSwap(pool, zeroForOne, swap.kind === "exactIn" ? amount : -amount, integer(limit));
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Whether a swap without an explicit limit stopped early; quoters refuse that. */
function cutShort(swap: VectorSwap, done: ConcentratedSwap): boolean {
  return swap.fields.sqrtPriceLimitX96 === undefined && done.unfilled !== 0n;
}

/**
 * Checks the remaining answers: both amounts if the swap gives `amountSpecified`, and `tickAfter`,
 * `sqrtPriceAfter` and `remainingAmountIn` if they are given.
 */
function moreComplaints(swap: VectorSwap, done: ConcentratedSwap): string | undefined {
  const { amountSpecified, tickAfter, sqrtPriceAfter, remainingAmountIn } = swap.fields;
  const checks: readonly (readonly [string, unknown, bigint])[] = [
    ["amountIn", amountSpecified === undefined ? undefined : swap.amountIn?.toString(), done.amountIn],
    ["amountOut", amountSpecified === undefined ? undefined : swap.amountOut?.toString(), done.amountOut],
    ["tickAfter", tickAfter, BigInt(done.tick)],
    ["sqrtPriceAfter", sqrtPriceAfter, done.sqrtPriceX96],
    ["remainingAmountIn", remainingAmountIn, done.unfilled],
  ];
  for (const [name, expected, got] of checks)
    if (expected !== undefined && expected !== null && integer(expected) !== got)
      return `expected ${name} ${expected}, got ${got}`;
  return undefined;
}
