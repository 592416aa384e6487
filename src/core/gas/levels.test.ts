import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type FeeHistory,
  grown,
  type Levels,
  legacyLevels,
  levels,
  nextBaseFeeWei,
  PROMISED_BLOCKS,
} from "./levels.ts";

const GWEI = 1_000_000_000n;
const wei = fc.bigInt({ min: 0n, max: 100_000n * GWEI });
const history: fc.Arbitrary<FeeHistory> = fc.record({
  nextBaseFeeWei: wei,
  suggestedTipWei: wei,
  tips: fc.array(fc.record({ low: wei, medium: wei, high: wei }), { maxLength: 20 }),
});

const NAMES = ["low", "medium", "high"] as const;
const FIELDS = ["priceWei", "maxPriorityFeePerGasWei", "maxFeePerGasWei"] as const;

function rises(all: Levels): boolean {
  return FIELDS.every((field) => all.low[field] <= all.medium[field] && all.medium[field] <= all.high[field]);
}

/** The base fee after one full block, as nodes compute it. */
function nextBaseFee(baseFee: bigint): bigint {
  const gasTarget = 15_000_000n;
  const delta = (baseFee * (2n * gasTarget - gasTarget)) / gasTarget / 8n;
  return baseFee + (delta > 1n ? delta : 1n);
}

test("every maxFeePerGas pays its tip through the blocks that its level promises, all of them full", () => {
  fc.assert(
    fc.property(history, (fees) => {
      const all = levels(fees);
      for (const name of NAMES) {
        const { maxFeePerGasWei, maxPriorityFeePerGasWei } = all[name];
        let base = fees.nextBaseFeeWei;
        for (let block = 1; block <= PROMISED_BLOCKS[name]; block++) {
          expect(maxFeePerGasWei).toBeGreaterThanOrEqual(base + maxPriorityFeePerGasWei);
          base = nextBaseFee(base);
        }
      }
    }),
  );
});

test("low ≤ medium ≤ high in every field, and a transaction can always be sent", () => {
  fc.assert(
    fc.property(history, (fees) => {
      const all = levels(fees);
      expect(rises(all)).toBe(true);
      for (const name of NAMES) {
        expect(all[name].priceWei).toBeGreaterThan(0n);
        expect(all[name].maxFeePerGasWei).toBeGreaterThanOrEqual(all[name].maxPriorityFeePerGasWei);
        expect(all[name].priceWei).toBeGreaterThanOrEqual(fees.nextBaseFeeWei);
      }
    }),
  );
});

test("tips are the medians of their percentiles", () => {
  const tips = [1n, 2n, 9n].map((k) => ({ low: k * GWEI, medium: 2n * k * GWEI, high: 3n * k * GWEI }));
  const all = levels({ nextBaseFeeWei: 10n * GWEI, tips, suggestedTipWei: 100n * GWEI });
  expect(NAMES.map((name) => all[name].maxPriorityFeePerGasWei)).toEqual([2n * GWEI, 4n * GWEI, 6n * GWEI]);
  expect(all.high.priceWei).toBe(grown(10n * GWEI, 2) + 6n * GWEI);
});

test("without a block that held transactions the node's suggestion is the tip", () => {
  const all = levels({ nextBaseFeeWei: 7n, tips: [], suggestedTipWei: GWEI });
  expect(NAMES.map((name) => all[name].maxPriorityFeePerGasWei)).toEqual([GWEI, GWEI, GWEI]);
});

test("a base fee grows by an eighth, at least 1 wei", () => {
  expect(grown(8_000n, 1)).toBe(9_000n);
  expect(grown(0n, 3)).toBe(3n);
  expect(grown(7n, 1)).toBe(8n);
});

test("a chain without EIP-1559 is priced from its gas price", () => {
  fc.assert(
    fc.property(wei, (price) => {
      const all = legacyLevels(price);
      expect(rises(all)).toBe(true);
      expect(all.low.priceWei).toBeGreaterThanOrEqual(price);
      expect(all.high.maxFeePerGasWei).toBe(all.high.priceWei);
    }),
  );
});

test.each([
  ["half of the limit leaves it", 15_000_000n, 1_000_000_000n],
  ["a full block adds an eighth", 30_000_000n, 1_125_000_000n],
  ["an empty one takes an eighth", 0n, 875_000_000n],
  ["three quarters add a sixteenth", 22_500_000n, 1_062_500_000n],
])("the base fee of the next block: %s", (_what, gasUsed, next) => {
  expect(nextBaseFeeWei(1_000_000_000n, gasUsed, 30_000_000n)).toBe(next);
});

test("the base fee rises by at least 1 wei, and falls by nothing where an eighth is less than that", () => {
  expect(nextBaseFeeWei(7n, 30_000_000n, 30_000_000n)).toBe(8n);
  expect(nextBaseFeeWei(7n, 0n, 30_000_000n)).toBe(7n);
  expect(nextBaseFeeWei(7n, 0n, 0n)).toBeUndefined();
});
