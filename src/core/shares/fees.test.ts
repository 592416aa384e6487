import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beforeFee, feeOf, MAX_FEE_PERMILLE, minimumOut, mostBeforeFee } from "./fees.ts";

const amounts = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });
const permilles = fc.integer({ min: 0, max: MAX_FEE_PERMILLE });
const restOf = (amount: bigint, permille: number) => amount - feeOf(amount, permille);

describe("fees", () => {
  test.each([
    [1000n, 10, 10n],
    [999n, 1, 0n],
    [1000n, 0, 0n],
    [3n, 500, 1n],
  ])("of %s at %s thousandths: %s", (amount, permille, fee) => {
    expect(feeOf(amount, permille)).toBe(fee);
  });

  test("the amount before a fee is the least that leaves the rest asked for, to the unit", () => {
    fc.assert(
      fc.property(amounts, permilles, (rest, permille) => {
        const amount = beforeFee(rest, permille);
        expect(restOf(amount, permille)).toBe(rest);
        expect(restOf(amount - 1n, permille)).toBeLessThan(rest);
      }),
    );
  });

  test("the most before a fee is the largest that leaves no more", () => {
    fc.assert(
      fc.property(amounts, permilles, (rest, permille) => {
        const amount = mostBeforeFee(rest, permille);
        expect(restOf(amount, permille)).toBe(rest);
        expect(restOf(amount + 1n, permille)).toBeGreaterThan(rest);
      }),
    );
  });

  test("the minimum is never nothing, and never more than the total", () => {
    expect(minimumOut(1_000_000n, 1_000)).toBe(999_000n);
    expect(minimumOut(1n, 500_000)).toBe(1n);
  });
});
