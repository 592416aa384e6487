import { complement, divDown, divUp, mulDown, mulUp, ONE } from "../fixed-point.ts";
import { pow } from "./log-exp-math.ts";

/**
 * Two balances of a weighted pool: trades keep the product of all balances to the power of their weights. All values
 * have 18 decimals: balance·scaling, and weights that add up to 1 over the whole pool.
 */
export type WeightedPair = {
  readonly balanceIn: bigint;
  readonly weightIn: bigint;
  readonly balanceOut: bigint;
  readonly weightOut: bigint;
  /**
   * Whether exponents 1, 2 and 4 are computed by multiplication; the first contracts use the general power for them
   * too.
   */
  readonly shortcuts: boolean;
};

/** Largest input and output of a swap as a fraction of the balance. */
export const MAX_RATIO = (3n * ONE) / 10n;
const MAX_POW_RELATIVE_ERROR = 10_000n;
const TWO = 2n * ONE;
const FOUR = 4n * ONE;

/**
 * x^y, never below the exact value: the general power is raised by its largest error, 10^-14 of it and one unit.
 *
 * @returns undefined if the contract reverts
 * @source balancer/balancer-v2-monorepo pkg/solidity-utils/contracts/math/FixedPoint.sol powUp
 */
export function powUp(x: bigint, y: bigint, shortcuts: boolean): bigint | undefined {
  if (shortcuts) {
    if (y === ONE) return x;
    if (y === TWO) return mulUp(x, x);
    if (y === FOUR) {
      const square = mulUp(x, x);
      return mulUp(square, square);
    }
  }
  const raw = pow(x, y);
  return raw === undefined ? undefined : raw + mulUp(raw, MAX_POW_RELATIVE_ERROR) + 1n;
}

/**
 * Output of a weighted pair for an exact input.
 *
 *   out = Bo·(1 - (Bi / (Bi + in))^(wi/wo))
 *
 * The ratio and the power round up, so the output rounds down.
 *
 * @param amountIn 18 decimals, net of the fee
 * @returns 18 decimals, ≥ 0; undefined if the contract reverts: the input exceeds 30 % of the balance
 * @source balancer/balancer-v2-monorepo pkg/pool-weighted/contracts/WeightedMath.sol _calcOutGivenIn
 */
export function outGivenIn(pair: WeightedPair, amountIn: bigint): bigint | undefined {
  const { balanceIn, weightIn, balanceOut, weightOut } = pair;
  if (balanceIn === 0n || amountIn > mulDown(balanceIn, MAX_RATIO)) return undefined;
  const base = divUp(balanceIn, balanceIn + amountIn);
  const power = powUp(base, divDown(weightIn, weightOut), pair.shortcuts);
  return power === undefined ? undefined : mulDown(balanceOut, complement(power));
}

/**
 * Input of a weighted pair for an exact output.
 *
 *   in = Bi·((Bo / (Bo - out))^(wo/wi) - 1)
 *
 * The ratio, the exponent and the power round up, and so does the input.
 *
 * @param amountOut 18 decimals
 * @returns 18 decimals, before the fee; undefined if the contract reverts: the output exceeds 30 % of the balance
 * @source balancer/balancer-v2-monorepo pkg/pool-weighted/contracts/WeightedMath.sol _calcInGivenOut
 */
export function inGivenOut(pair: WeightedPair, amountOut: bigint): bigint | undefined {
  const { balanceIn, weightIn, balanceOut, weightOut } = pair;
  if (balanceOut === 0n || amountOut > mulDown(balanceOut, MAX_RATIO)) return undefined;
  const base = divUp(balanceOut, balanceOut - amountOut);
  const power = powUp(base, divUp(weightOut, weightIn), pair.shortcuts);
  return power === undefined || power < ONE ? undefined : mulUp(balanceIn, power - ONE);
}
