import { expect, test } from "vitest";
import { subjectOf } from "./arbitrary.ts";
import { fluid } from "./index.ts";
import { NO_HALF, scaleOf } from "./state.ts";

const LARGE = 10n ** 40n;
const unlimited = { available: LARGE, expandsTo: LARGE, seconds: 0n };
const PRICE = 10n ** 26n;
/** The least amount of the token sold is 10^12 units, and what may be borrowed of the other is worth less than five times that. */
const { pool, states, at } = subjectOf({
  debts: [10n ** 24n, 10n ** 24n],
  withdrawable: [unlimited, unlimited],
  borrowable: [unlimited, { available: 420_000_000_000n, expandsTo: 420_000_000_000n, seconds: 0n }],
  scales: [scaleOf(18n), scaleOf(18n)],
  fee: 9_610n,
  revenueCut: 24n,
  collateral: NO_HALF,
  debt: {
    imaginary: [1_000_000_000_000_015n, 100_001_700_000_001n],
    real: [306_000_000_000_004n, 61_001_037_000_000n],
  },
  centerPrice: PRICE,
  oracle: { time: 1_699_999_981, price: (PRICE * 101n) / 100n, before: PRICE, center: PRICE },
  readAt: 1_699_999_981,
  readFor: 1,
  isOpen: true,
});

test("a pool that takes less than a few times the least amount has a curve up to the most that it takes", () => {
  const mirror = fluid.mirror(states.get(pool.stateIds[0]) as never, pool, at, states);
  const takes = (sold: number) => fluid.quoteFloat(mirror, 0, 1, sold) > 0;
  const tried = Array.from({ length: 10_000 }, (_, k) => 1e10 * 1.001 ** k).filter(takes);
  const most = Math.max(...tried);
  expect(most / Math.min(...tried)).toBeLessThan(8);
  const curve = fluid.curve(mirror, 0, 1);
  expect(curve?.end).toBeGreaterThan(most * 0.99);
});
