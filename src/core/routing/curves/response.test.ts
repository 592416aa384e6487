import { expect, test } from "vitest";
import { emptyResponse, profitAfterTolls, respondAt } from "./response.ts";
import { emptyCurves, outputAt, profitAt, putCurve, reserveEdge } from "./segments.ts";

const WIDTH = 1000;
const PRICE = 1.5;

const curves = emptyCurves();
reserveEdge(curves, 0);
putCurve(curves, 0, {
  x: Float64Array.of(0, WIDTH),
  y: Float64Array.of(0, WIDTH * PRICE),
  m: Float64Array.of(PRICE, 1.4),
  c: Float64Array.of(0, 1e-4),
  end: 1e6,
});

test("a straight segment is sold whole below its price, and nothing at a price that doubles cannot tell from it", () => {
  const just = PRICE * (1 - Number.EPSILON);
  expect(just).toBeLessThan(PRICE);
  for (const [least, sold] of [
    [PRICE, 0],
    [just, 0],
    [PRICE * (1 - 1e-9), WIDTH],
  ] as const) {
    const response = emptyResponse();
    respondAt(curves, 0, least, response);
    expect(response).toEqual({ sold, bought: sold * PRICE, bend: 0 });
  }
});

test("a boundary is passed only where the trade beyond it earns more than its toll", () => {
  const profit = (x: number, least: number, toll: number) =>
    outputAt(curves, 0, x) - least * x - (x > WIDTH ? toll : 0);
  const amounts = Array.from({ length: 4000 }, (_, k) => k);
  for (const least of [1.49, 1.39, 1.2, 0.9]) {
    const free = profitAfterTolls(curves, 0, least, 0);
    expect(free).toBeCloseTo(profitAt(curves, 0, least), 9);
    const beyond = free - profit(WIDTH, least, 0);
    for (const toll of [0.5 * beyond, 0.99 * beyond, 1.01 * beyond, 2 * beyond]) {
      const best = Math.max(...amounts.map((x) => profit(x, least, toll)));
      const found = profitAfterTolls(curves, 0, least, toll);
      expect(found).toBeGreaterThanOrEqual(best - 1e-9);
      expect(found).toBeLessThanOrEqual(best * (1 + 1e-4) + 1e-9);
    }
  }
  expect(profitAfterTolls(curves, 0, PRICE, 1)).toBe(0);
});
