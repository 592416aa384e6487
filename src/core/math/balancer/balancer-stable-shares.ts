import { complement, divDown, divUp, mulDown, mulUp, ONE } from "../fixed-point.ts";
import { balanceFor, invariantOf } from "./balancer-stable-math.ts";

/**
 * Single-token joins and exits of a composable stable pool, as swaps against the pool's own share token (BPT). The
 * part of an amount that is out of proportion to the balances counts as swapped, and pays the swap fee. 18 decimals;
 * `undefined` stands for a revert.
 *
 * @source balancer/balancer-v2-monorepo pkg/pool-stable/contracts/StableMath.sol (316ded0)
 */
export type SharePool = {
  /** Balances without the share token. */
  readonly balances: readonly bigint[];
  readonly d: bigint;
  readonly amp: bigint;
  /** Shares in circulation, including protocol fees that are due. */
  readonly supply: bigint;
  readonly swapFee: bigint;
};

function sumOf(balances: readonly bigint[]): bigint {
  return balances.reduce((sum, balance) => sum + balance, 0n);
}

/** Largest join as a multiple of the pool: beyond it Newton's method for D does not always converge. */
export const MOST_JOINED = 100n;

/** Shares minted for `amountIn` of token `k`, rounded down. @source _calcBptOutGivenExactTokensIn */
export function sharesOutGivenIn(pool: SharePool, k: number, amountIn: bigint): bigint | undefined {
  const { balances, d, amp, supply, swapFee } = pool;
  if (d === 0n || balances.includes(0n)) return undefined;
  const sum = sumOf(balances);
  if (amountIn > MOST_JOINED * sum) return undefined;
  const amount = (index: number) => (index === k ? amountIn : 0n);
  const ratios = balances.map((balance, index) => divDown(balance + amount(index), balance));
  let growth = 0n;
  for (const [index, balance] of balances.entries()) growth += mulDown(ratios[index]!, divDown(balance, sum));
  // Weights are rounded down, so a tiny join can seem to shrink the pool; the contract's subtraction then reverts.
  if (growth < ONE && ratios.some((ratio) => ratio > growth)) return undefined;
  const after = balances.map((balance, index) => {
    if (ratios[index]! <= growth) return balance + amount(index);
    const untaxed = mulDown(balance, growth - ONE);
    return balance + untaxed + mulDown(amount(index) - untaxed, ONE - swapFee);
  });
  const afterD = invariantOf(after, amp, "down");
  if (afterD === undefined) return undefined;
  const ratio = divDown(afterD, d);
  return ratio > ONE ? mulDown(supply, ratio - ONE) : 0n;
}

/** Input of token `k` that mints `sharesOut`, rounded up. @source _calcTokenInGivenExactBptOut */
export function inGivenSharesOut(pool: SharePool, k: number, sharesOut: bigint): bigint | undefined {
  const { balances, d, amp, supply, swapFee } = pool;
  const after = balanceFor(k, { balances, d: mulUp(divUp(supply + sharesOut, supply), d), amp });
  if (after === undefined || after < balances[k]!) return undefined;
  const added = after - balances[k]!;
  if (added > MOST_JOINED * sumOf(balances)) return undefined;
  const taxed = mulUp(added, complement(divDown(balances[k]!, sumOf(balances))));
  return added - taxed + divUp(taxed, ONE - swapFee);
}

/** Output of token `k` for `sharesIn`, rounded down. @source _calcTokenOutGivenExactBptIn */
export function outGivenSharesIn(pool: SharePool, k: number, sharesIn: bigint): bigint | undefined {
  const { balances, d, amp, supply, swapFee } = pool;
  if (sharesIn >= supply) return undefined;
  const after = balanceFor(k, { balances, d: mulUp(divUp(supply - sharesIn, supply), d), amp });
  if (after === undefined || after > balances[k]!) return undefined;
  const removed = balances[k]! - after;
  const taxed = mulUp(removed, complement(divDown(balances[k]!, sumOf(balances))));
  return removed - taxed + mulDown(taxed, ONE - swapFee);
}

/** Shares burnt for `amountOut` of token `k`, rounded up. @source _calcBptInGivenExactTokensOut */
export function sharesInGivenOut(pool: SharePool, k: number, amountOut: bigint): bigint | undefined {
  const { balances, d, amp, supply, swapFee } = pool;
  if (d === 0n || balances.includes(0n) || amountOut > balances[k]!) return undefined;
  const sum = sumOf(balances);
  const amount = (index: number) => (index === k ? amountOut : 0n);
  const ratios = balances.map((balance, index) => divUp(balance - amount(index), balance));
  let shrinkage = 0n;
  for (const [index, balance] of balances.entries()) shrinkage += mulUp(ratios[index]!, divUp(balance, sum));
  const after: bigint[] = [];
  for (const [index, balance] of balances.entries()) {
    let taken = amount(index);
    if (shrinkage > ratios[index]!) {
      const untaxed = mulDown(balance, complement(shrinkage));
      if (untaxed > taken) return undefined;
      taken = untaxed + divUp(taken - untaxed, ONE - swapFee);
    }
    if (taken > balance) return undefined;
    after.push(balance - taken);
  }
  const afterD = invariantOf(after, amp, "down");
  return afterD === undefined ? undefined : mulUp(supply, complement(divDown(afterD, d)));
}
