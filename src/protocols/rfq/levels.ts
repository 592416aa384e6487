import type { Level } from "../../core/rfq.ts";

/** What levels pay for an amount, and what is left of them. */
export type Sale = { readonly amountOut: bigint; readonly left: readonly Level[] };

/**
 * Sells along the levels, the best first. Each level rounds down what it pays for a part of it, as the router does with an
 * order: out = floor(makerAmount · in / takerAmount). O(levels).
 *
 * @returns undefined where the levels take less than `amount`
 * @source contracts/steps/Rfq.sol swap
 */
export function sell(levels: readonly Level[], amount: bigint): Sale | undefined {
  let rest = amount;
  let paid = 0n;
  for (const [k, { amountIn, amountOut }] of levels.entries()) {
    if (rest < amountIn) {
      const part = (amountOut * rest) / amountIn;
      const remainder = { amountIn: amountIn - rest, amountOut: amountOut - part };
      return { amountOut: paid + part, left: [remainder, ...levels.slice(k + 1)] };
    }
    rest -= amountIn;
    paid += amountOut;
    if (rest === 0n) return { amountOut: paid, left: levels.slice(k + 1) };
  }
  return undefined;
}

/**
 * The least that must be sold to be paid `amount`; undefined where the levels pay less. Within a level
 * floor(x · out / in) ≥ y exactly where x ≥ ceil(y · in / out).
 */
export function priceOf(levels: readonly Level[], amount: bigint): bigint | undefined {
  let rest = amount;
  let sold = 0n;
  for (const { amountIn, amountOut } of levels) {
    if (rest <= amountOut) return sold + (rest * amountIn + amountOut - 1n) / amountOut;
    rest -= amountOut;
    sold += amountIn;
  }
  return undefined;
}
