import { expect, test } from "vitest";
import { conjugateAt, respondAt } from "./response.ts";
import { emptyCurves, putCurve, reserveEdge } from "./segments.ts";

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
    const [plain, bent] = [
      { sold: -1, bought: -1 },
      { sold: -1, bought: -1, bend: -1 },
    ];
    respondAt(curves, 0, least, plain);
    conjugateAt(curves, 0, least, bent);
    expect(plain).toEqual({ sold, bought: sold * PRICE });
    expect(bent).toEqual({ sold, bought: sold * PRICE, bend: 0 });
  }
});
