import fc from "fast-check";
import { expect, test } from "vitest";
import { stableAmountOut } from "../../core/math/pairs/solidly-math.ts";

const ONE = 10n ** 18n;
const k = (x: bigint, y: bigint) => (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE;
const slope = (x: bigint, y: bigint) => (3n * x * ((y * y) / ONE)) / ONE + (((x * x) / ONE) * x) / ONE;

/** velodrome-finance/superchain-contracts 7e54588 src/pools/Pool.sol _get_y, line by line. */
function getY(x0: bigint, xy: bigint, start: bigint): bigint | undefined {
  let y = start;
  for (let i = 0; i < 255; i++) {
    const reached = k(x0, y);
    if (reached < xy) {
      let dy = ((xy - reached) * ONE) / slope(x0, y);
      if (dy === 0n) {
        if (k(x0, y + 1n) > xy) return y + 1n;
        dy = 1n;
      }
      y += dy;
    } else {
      let dy = ((reached - xy) * ONE) / slope(x0, y);
      if (dy === 0n) {
        if (reached === xy || k(x0, y - 1n) < xy) return y;
        dy = 1n;
      }
      y -= dy;
    }
  }
  return undefined;
}

const digits = fc.constantFrom(6n, 8n, 18n);
const whole = fc.bigInt({ min: 10n, max: 10n ** 9n });
/** Parts per billion of the reserve: more than ten times of it is near the overflow of a uint256. */
const part = fc.bigInt({ min: 1n, max: 10n ** 10n });

test("nearestPlain is the contract of the chains beyond Optimism, line by line", () => {
  fc.assert(
    fc.property(fc.tuple(whole, whole), fc.tuple(digits, digits), part, ([a, b], [da, db], ppb) => {
      const units = [10n ** da, 10n ** db] as const;
      const reserves = [a * units[0] + 7n, b * units[1] + 3n] as const;
      const sold = (reserves[0] * ppb) / 10n ** 9n;
      const [x, y] = [(reserves[0] * ONE) / units[0], (reserves[1] * ONE) / units[1]];
      const after = getY(x + (sold * ONE) / units[0], k(x, y), y);
      const paid = after === undefined ? undefined : ((y - after) * units[1]) / ONE;
      expect(stableAmountOut({ reserves, units, solver: "nearestPlain" }, 0, sold)).toBe(paid);
    }),
    { numRuns: 2_000 },
  );
});

test("with 18 decimals on both sides nearest and nearestPlain agree", () => {
  const units = [ONE, ONE] as const;
  fc.assert(
    fc.property(whole, whole, part, (a, b, ppb) => {
      const sold = (a * ONE * ppb) / 10n ** 9n;
      const pair = { reserves: [a * ONE, b * ONE] as const, units };
      const plain = stableAmountOut({ ...pair, solver: "nearestPlain" }, 0, sold);
      expect(plain).toBe(stableAmountOut({ ...pair, solver: "nearest" }, 0, sold));
    }),
  );
});

/** Random pools of the compiled contracts, which revert with an overflow. */
test.each([
  [
    "unit",
    [2, 18],
    { reserves: [5_182_959_960_690_157n, 60_360_592_438_278_666n], i: 0, sold: 3_446_282_040_758_437n },
  ],
  [
    "nearest",
    [24, 8],
    { reserves: [7_845_498_784_528_432_044_422n, 6_630_410n], i: 1, sold: 18_481_123_518_107_583_017_607n },
  ],
] as const)(
  "%s: the cube of 10^13 tokens and more does not fit a uint256",
  (solver, decimals, { reserves, i, sold }) => {
    const units = [10n ** BigInt(decimals[0]), 10n ** BigInt(decimals[1])] as const;
    const pays = (amount: bigint, by: bigint) =>
      stableAmountOut({ reserves: [reserves[0] / by, reserves[1] / by], units, solver }, i, amount / by);
    expect(pays(sold, 1n)).toBeUndefined();
    expect(pays(sold, 1000n)).toBeDefined();
  },
);
