import type { Loop } from "./clock.ts";

/**
 * What every figure is a multiple of: a constant product written out, in doubles and in integers. The machine may be
 * shared, and slower today than yesterday; the multiples stay.
 */

const COUNT = 64;
/** So often in a row: reading the clock costs as much as 64 constant products in doubles. */
const IN_A_ROW = 64;
const integers = Array.from({ length: COUNT }, (_, k) => ({
  amount: 10n ** 18n + BigInt(k) * 987_654_321n,
  reserves: [10n ** 23n + BigInt(k), 10n ** 21n + BigInt(k)] as const,
}));
const doubles = integers.map(({ amount, reserves: [bought, sold] }) => ({
  amount: Number(amount),
  bought: Number(bought),
  sold: Number(sold),
}));

/** A constant product in doubles. */
const double: Loop = {
  count: COUNT * IN_A_ROW,
  run: () => {
    let sum = 0;
    for (let turn = 0; turn < IN_A_ROW; turn++)
      for (const { amount, bought, sold } of doubles) {
        const lessFee = amount * 0.997;
        sum += (lessFee * bought) / (sold + lessFee);
      }
    return sum;
  },
};

/** The same in integers of 60 to 80 bits, as most pairs hold: two products, one sum, one quotient. */
const integer: Loop = {
  count: COUNT,
  run: () => {
    let filled = 0;
    for (const { amount, reserves } of integers) {
      const lessFee = amount * 997n;
      if ((lessFee * reserves[0]) / (reserves[1] * 1000n + lessFee) > 0n) filled++;
    }
    return filled;
  },
};

export const plainLoops = { double, integer };
