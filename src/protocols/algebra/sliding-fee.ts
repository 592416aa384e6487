import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "../../core/math/concentrated/tick-math.ts";
import type { Fees } from "./past.ts";

/** Parameters and memory of Integral's sliding fee, which is low against the last move of the price and high along it. */
export type Sliding = {
  /** Parts per million. */
  readonly baseFee: number;
  /** Weight of a relative change of the price, in thousandths. */
  readonly priceChangeFactor: number;
  /** Multiples of the base fee for sales of token 0 and of token 1, in units of 2^-96; their sum is 2. */
  readonly factors: readonly [zeroToOne: bigint, oneToZero: bigint];
  /** Newest timepoint: the tick before the first swap of its block. */
  readonly newest: { readonly timestamp: number; readonly tick: number };
};

const ONE = 1n << 96n;
const MAX_UINT16 = 65_535n;

/**
 * What the plugin keeps of a swap in a block at `time`, and with which it sets the swap's fee:
 *
 *   f0' = clamp(f0 - k·(p / p_last - 1), 0, 2),  f1' = 2 - f0'
 *
 * where f are the factors, p / p_last is the price over that of the newest timepoint, and k the weight of its changes.
 *
 * @param tick before the swap
 * @source cryptoalgebra/Algebra integral-v1.2 src/plugin/contracts/plugins/SlidingFeePlugin.sol _calculateFeeFactors
 */
export function slid(sliding: Sliding, tick: number, time: number): Sliding {
  const { newest, factors } = sliding;
  const moved = tick === newest.tick ? factors : leaned(sliding, tick - newest.tick);
  return {
    ...sliding,
    factors: moved,
    newest: time === newest.timestamp ? newest : { timestamp: time, tick },
  };
}

function leaned({ factors, priceChangeFactor }: Sliding, ticks: number): Sliding["factors"] {
  const root = sqrtRatioAtTick(Math.max(MIN_TICK, Math.min(MAX_TICK, ticks)));
  const change = ((root * root) >> 96n) - ONE;
  const impact = (change * BigInt(priceChangeFactor)) / 1000n;
  const zeroToOne = factors[0] - impact;
  if (zeroToOne <= 0n) return [0n, 2n * ONE];
  return zeroToOne < 2n * ONE ? [zeroToOne, factors[1] + impact] : [2n * ONE, 0n];
}

/** The fees that the factors give, in parts per million; 1 at least. */
export function slidingFees({ baseFee, factors }: Sliding): Fees {
  const [zeroToOne, oneToZero] = factors.map((factor) => {
    const fee = (BigInt(baseFee) * factor) >> 96n;
    return fee === 0n ? 1 : Number(fee < MAX_UINT16 ? fee : MAX_UINT16);
  }) as [number, number];
  return [zeroToOne, oneToZero];
}
