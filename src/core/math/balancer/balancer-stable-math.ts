import { divideUp } from "../fixed-point.ts";

/**
 * The stableswap invariant with the roundings of Balancer's Solidity:
 *
 *   A·n^n·Σx + D = A·D·n^n + D^(n+1) / (n^n·Πx)
 *
 * It is Curve's equation, rounded differently. Balances have 18 decimals and exclude the pool's own share token;
 * `amp` is A·n^(n-1)·1000. D and single balances are found by Newton's method: at most 255 steps of O(n). `undefined`
 * stands for a revert.
 *
 * @source balancer/balancer-v2-monorepo pkg/pool-stable/contracts/StableMath.sol: "down" is master (316ded0), of
 *   composable pools; "up" is the tag stable-deployment, of stable and metastable pools;
 *   balancer/balancer-v3-monorepo pkg/solidity-utils/contracts/math/StableMath.sol for `balanceFor` too
 */

export const AMP_PRECISION = 1000n;

/** Rounding of D, which depends on the contract's version. */
export type InvariantRounding = "down" | "up";

const MAX_UINT256 = 2n ** 256n - 1n;
const MOST_STEPS = 255;

function total(balances: readonly bigint[]): bigint {
  let sum = 0n;
  for (const balance of balances) sum += balance;
  return sum;
}

/** The invariant D: the sum of the balances of a pool in balance. */
export function invariantOf(
  balances: readonly bigint[],
  amp: bigint,
  rounding: InvariantRounding,
): bigint | undefined {
  const sum = total(balances);
  if (sum === 0n) return 0n;
  if (balances.includes(0n)) return undefined;
  const next = rounding === "down" ? stepDown : stepUp;
  let d = sum;
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = d;
    const after = next(balances, amp, { sum, d });
    if (after === undefined) return undefined;
    d = after;
    if (isSettled(d, before)) return d;
  }
  return undefined;
}

type Step = { readonly sum: bigint; readonly d: bigint };

function stepDown(balances: readonly bigint[], amp: bigint, { sum, d }: Step): bigint | undefined {
  const n = BigInt(balances.length);
  const ann = amp * n;
  let product = d;
  for (const balance of balances) {
    product *= d;
    if (product > MAX_UINT256) return undefined;
    product /= balance * n;
  }
  const above = ((ann * sum) / AMP_PRECISION + product * n) * d;
  if (above > MAX_UINT256) return undefined;
  return above / (((ann - AMP_PRECISION) * d) / AMP_PRECISION + (n + 1n) * product);
}

function stepUp(balances: readonly bigint[], amp: bigint, { sum, d }: Step): bigint | undefined {
  const n = BigInt(balances.length);
  const ann = amp * n;
  let product = balances[0]! * n;
  for (let k = 1; k < balances.length; k++) {
    product *= balances[k]! * n;
    if (product > MAX_UINT256) return undefined;
    product = divideUp(product, d);
  }
  const weighted = ann * sum * product;
  const above = n * d * d + divideUp(weighted, AMP_PRECISION);
  if (weighted > MAX_UINT256 || above > MAX_UINT256) return undefined;
  return divideUp(above, (n + 1n) * d + ((ann - AMP_PRECISION) * product) / AMP_PRECISION);
}

function isSettled(now: bigint, before: bigint): boolean {
  const change = now - before;
  return change <= 1n && change >= -1n;
}

/** State of a pool: 18-decimal balances, their D and amp. */
export type StablePool = {
  readonly balances: readonly bigint[];
  readonly d: bigint;
  readonly amp: bigint;
  /** Whether the precision of amp is multiplied in before dividing (Vault v3) or after (Vault v2). */
  readonly precise?: boolean;
};

/**
 * The balance of token `j` that gives the invariant D with the other balances; rounded up.
 *
 * @param pool its balance of `j` cancels out of the equation, but must not be 0
 */
export function balanceFor(j: number, { balances, d, amp, precise }: StablePool): bigint | undefined {
  if (d === 0n || balances.includes(0n)) return undefined;
  const n = BigInt(balances.length);
  const ann = amp * n;
  let product = balances[0]! * n;
  for (let k = 1; k < balances.length; k++) {
    product *= balances[k]! * n;
    if (product > MAX_UINT256) return undefined;
    product /= d;
  }
  if (product === 0n) return undefined;
  const square = d * d;
  const quotient = precise
    ? divideUp(square * AMP_PRECISION, ann * product)
    : divideUp(square, ann * product) * AMP_PRECISION;
  const c = quotient * balances[j]!;
  const slope = precise ? (d * AMP_PRECISION) / ann : (d / ann) * AMP_PRECISION;
  const b = total(balances) - balances[j]! + slope;
  if (square * AMP_PRECISION > MAX_UINT256 || square + c > MAX_UINT256) return undefined;
  return newton(b, c, { d, start: divideUp(square + c, d + b) });
}

/**
 * Up to this D, in 18-digit units, Newton's method starts where the contract's does: the last unit may depend on the
 * start.
 */
const LEAST_D_TO_GUESS = 2n ** 64n;
/** Factor that lifts a root in doubles above the exact one. */
const ABOVE = 1 + 2 ** -40;

/**
 * Iterates y = ceil((y² + c) / (2y + b - D)) until two iterates differ by at most 1.
 *
 * From a start above the root r, as in the contract, the iterates fall to ceil(r): one step from y leads to r + (y -
 * r)²/(2y + b - D). A start from the root in doubles, slightly raised, gives the same integer in fewer steps.
 */
function newton(b: bigint, c: bigint, { d, start }: { d: bigint; start: bigint }): bigint | undefined {
  let y = d > LEAST_D_TO_GUESS ? rootAbove(Number(b - d), Number(c)) : start;
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = y;
    const above = y * y + c;
    const divisor = 2n * y + b - d;
    if (divisor <= 0n || above > MAX_UINT256) return undefined;
    y = divideUp(above, divisor);
    if (isSettled(y, before)) return y;
  }
  return undefined;
}

/** The positive root of y² + b·y = c in doubles, raised slightly. */
function rootAbove(b: number, c: number): bigint {
  const root = Math.sqrt(b * b + 4 * c);
  return BigInt(Math.ceil((b > 0 ? (2 * c) / (b + root) : (root - b) / 2) * ABOVE) + 1);
}

/** A trade of token `i` for token `j`. */
export type StableSwap = StablePool & { readonly i: number; readonly j: number };

function withBalance(pool: StablePool, index: number, value: bigint): StablePool {
  const balances = pool.balances.slice();
  balances[index] = value;
  return { ...pool, balances };
}

/** Output for `amountIn`: the fall of balance `j` less one unit for rounding. 18 decimals, ≥ 0. */
export function outGivenIn(swap: StableSwap, amountIn: bigint): bigint | undefined {
  const { i, j, balances } = swap;
  const after = balanceFor(j, withBalance(swap, i, balances[i]! + amountIn));
  if (after === undefined) return undefined;
  const out = balances[j]! - after - 1n;
  return out < 0n ? undefined : out;
}

/** Input that buys `amountOut`: the rise of balance `i` plus one unit for rounding. 18 decimals, > 0. */
export function inGivenOut(swap: StableSwap, amountOut: bigint): bigint | undefined {
  const { i, j, balances } = swap;
  if (amountOut >= balances[j]!) return undefined;
  const after = balanceFor(i, withBalance(swap, j, balances[j]! - amountOut));
  if (after === undefined || after < balances[i]!) return undefined;
  return after - balances[i]! + 1n;
}
