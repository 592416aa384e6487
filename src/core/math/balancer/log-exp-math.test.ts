import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pow } from "./log-exp-math.ts";

const ONE = 10n ** 18n;

describe("x^y", () => {
  test.each([
    ["anything to the power of nothing is one", 0n, 0n, ONE],
    ["nothing to any power is nothing", 0n, ONE, 0n],
    ["one to any power is one", ONE, 7n * ONE, ONE],
    ["a square, near enough to be told by its last digits", 2n * ONE, 2n * ONE, 3_999_999_999_999_999_996n],
    ["the least result", 10n ** 17n, 17n * ONE, 10n],
    ["beyond the least exponent", 10n ** 17n, 18n * ONE, undefined],
    ["beyond the greatest exponent", 10n * ONE, 57n * ONE, undefined],
    ["a base of more than 255 bits", 2n ** 255n, ONE, undefined],
    ["an exponent of more than the contract takes", ONE, 2n ** 254n / 10n ** 20n, undefined],
  ])("%s", (_name, x, y, power) => {
    expect(pow(x, y)).toBe(power);
  });

  test("near one the logarithm has 36 digits, so that a millionth power of one unit is not lost", () => {
    const power = pow(ONE + 1n, 10n ** 6n * ONE)!;
    expect(power - ONE >= 999_999n && power - ONE <= 1_000_000n).toBe(true);
  });

  test("agrees with doubles as far as these go", () => {
    const base = fc.bigInt({ min: 10n ** 16n, max: 10n ** 20n });
    const exponent = fc.bigInt({ min: 10n ** 16n, max: 8n * ONE });
    fc.assert(
      fc.property(base, exponent, (x, y) => {
        const expected = (Number(x) / 1e18) ** (Number(y) / 1e18);
        const got = Number(pow(x, y)) / 1e18;
        expect(Math.abs(got - expected)).toBeLessThanOrEqual(expected * 1e-13 + 2e-18);
      }),
    );
  });
});
