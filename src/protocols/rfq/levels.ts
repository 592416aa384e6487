import type { Level } from "../../core/rfq.ts";

/** Output of a sale along levels, and the levels left after it. */
export type Sale = { readonly amountOut: bigint; readonly left: readonly Level[] };

/**
 * Sells along the levels, best price first. A partly filled level rounds down, as the router does with an order: out
 * = floor(makerAmount · in / takerAmount). O(levels).
 *
 * @returns undefined if the levels take less than `amount`
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
 * The least input whose output is at least `amount`; undefined if the levels pay less. Within a level, floor(x · out
 * / in) ≥ y if and only if x ≥ ceil(y · in / out).
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
