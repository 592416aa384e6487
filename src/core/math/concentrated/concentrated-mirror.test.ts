import { describe, expect, test } from "vitest";
import { concentratedCurve, concentratedFloat, concentratedMirror } from "./concentrated-mirror.ts";
import { type Concentrated, LIMIT_DOWN, LIMIT_UP, swap } from "./concentrated-swap.ts";
import { sqrtRatioAtTick } from "./tick-math.ts";

/** Ticks are known from -450 to 450 only; positions that reach in from beyond are in range between the ticks too. */
const pool: Concentrated = {
  feePpm: 3000,
  tickSpacing: 10,
  sqrtPriceX96: sqrtRatioAtTick(5) + 12_345n,
  tick: 5,
  liquidity: 10n ** 18n,
  ticks: [-100, 100],
  nets: [4n * 10n ** 17n, -4n * 10n ** 17n],
  lowest: -450,
  highest: 450,
};

const sizes = [10n ** 12n, 10n ** 15n, 6n * 10n ** 15n, 10n ** 16n];

function expectAgreement(state: Concentrated, amounts = sizes): void {
  const mirror = concentratedMirror(state);
  for (const i of [0, 1])
    for (const amount of amounts) {
      const exact = swap(state, i === 0, amount, i === 0 ? LIMIT_DOWN : LIMIT_UP)!;
      const float = concentratedFloat(mirror, i, 1 - i, Number(amount));
      expect(float / Number(exact.amountOut)).toBeCloseTo(1, 9);
    }
}

describe("mirrors that share their ticks", () => {
  test("a swap moves the price, and the ranges stay", () => {
    expectAgreement(pool);
    const done = swap(pool, true, 6n * 10n ** 15n, LIMIT_DOWN)!;
    expect(done.crossed).toBe(1);
    const { sqrtPriceX96, tick, liquidity } = done;
    expectAgreement({ ...pool, sqrtPriceX96, tick, liquidity }, sizes.slice(0, 3));
  });

  test("a position over the whole window changes every range, though no tick of the table", () => {
    expectAgreement(pool);
    expectAgreement({ ...pool, liquidity: 5n * 10n ** 18n }, [...sizes, 4n * 10n ** 16n, 8n * 10n ** 16n]);
    expectAgreement(pool);
  });
});

describe("a direction that is closed", () => {
  test.each([
    ["before the pool is initialised", { ...pool, sqrtPriceX96: 0n, tick: 0 }],
    [
      "where the price is outside of the known ticks",
      { ...pool, tick: 450, sqrtPriceX96: sqrtRatioAtTick(450) },
    ],
    ["without any liquidity", { ...pool, liquidity: 0n, ticks: [], nets: [] }],
  ])("%s", (_name, state) => {
    const mirror = concentratedMirror(state);
    for (const i of [0, 1]) {
      expect(concentratedFloat(mirror, i, 1 - i, 1e6)).toBe(0);
      expect(concentratedCurve(mirror, i, 1 - i)).toMatchObject({ end: 0, x: [0] });
    }
  });
});

test("a curve of very many ranges ends where it is cut, and says so", () => {
  const ticks = Array.from({ length: 3000 }, (_, k) => k - 1500);
  const nets = ticks.map((_, k) => (k < 1500 ? 10n ** 15n : -(10n ** 15n)));
  const liquidity = 1500n * 10n ** 15n;
  const dense = {
    ...pool,
    tickSpacing: 1,
    ticks,
    nets,
    liquidity,
    tick: -1,
    sqrtPriceX96: sqrtRatioAtTick(-1),
  };
  const mirror = concentratedMirror({ ...dense, lowest: -2000, highest: 2000 });
  const curve = concentratedCurve(mirror, 0, 1);
  expect(curve.x.length).toBe(1024);
  expect(curve.end).toBeGreaterThan(curve.x.at(-1)!);
  expect(concentratedFloat(mirror, 0, 1, curve.end * 1.01)).toBeGreaterThan(0);
});

test("a range of next to no liquidity after one of much does not bend the curve of those behind it", () => {
  const state: Concentrated = {
    ...pool,
    tickSpacing: 60,
    tick: 19_020,
    sqrtPriceX96: sqrtRatioAtTick(19_020),
    liquidity: 2n * 10n ** 8n,
    ticks: [19_020, 28_440, 30_060, 36_960, 37_800, 87_780],
    nets: [2n * 10n ** 8n, 10n ** 24n, -(10n ** 24n), 3n * 10n ** 23n, -3n * 10n ** 23n, -2n * 10n ** 8n],
    lowest: -887_220,
    highest: 887_220,
  };
  const mirror = concentratedMirror(state);
  const { x, y, m, c } = concentratedCurve(mirror, 1, 0);
  for (let k = 0; k + 1 < x.length; k++) {
    const h = (x[k + 1]! - x[k]!) / 2;
    const along = y[k]! + (m[k]! * h) / (1 + c[k]! * h);
    expect(along / concentratedFloat(mirror, 1, 0, x[k]! + h)).toBeCloseTo(1, 12);
  }
});
