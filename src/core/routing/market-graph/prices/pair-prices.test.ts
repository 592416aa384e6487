import fc from "fast-check";
import { expect, test } from "vitest";
import type { Curve } from "../../../protocol.ts";
import { profitAt, putCurve, spotSlope } from "../../curves/segments.ts";
import { graphOf, type PairSpec, token, WRAPPED } from "../../market.fixture.ts";
import { refresh } from "../update.ts";
import { NEAR, weigh } from "./pair-prices.ts";

const POOL: PairSpec = { tokens: [WRAPPED, token(1)], reserves: [10n ** 21n, 10n ** 21n] };

type Segment = readonly [width: number, bend: number, step: number];

/** Consecutive hyperbolas. Between two of them the marginal price is continuous or falls by a factor. */
function curveOf(spot: number, segments: readonly Segment[]): Curve {
  const curve = { x: [0], y: [0], m: [spot], c: [] as number[], end: 0 };
  for (const [k, [width, bend, step]] of segments.entries()) {
    const fall = 1 + bend * width;
    curve.c.push(bend);
    curve.end += width;
    if (k + 1 === segments.length) break;
    curve.x.push(curve.end);
    curve.y.push(curve.y[k]! + (curve.m[k]! * width) / fall);
    curve.m.push((curve.m[k]! / fall ** 2) * step);
  }
  return curve;
}

const segment = fc.tuple(
  fc.double({ min: 1e15, max: 1e19, noNaN: true }),
  fc.double({ min: 1e-22, max: 1e-18, noNaN: true }),
  fc.oneof(fc.constant(1), fc.double({ min: 0.98, max: 1, noNaN: true })),
);
const curve = fc
  .tuple(fc.double({ min: 0.99, max: 1, noNaN: true }), fc.array(segment, { minLength: 1, maxLength: 8 }))
  .map(([spot, segments]) => curveOf(spot, segments));

test("a pair's pools earn no more than its depth allows, and about as much if they are all alike", () => {
  const graph = graphOf([POOL, POOL, POOL]);
  refresh(graph);
  const { pairs, pair, curves, values, edges, head } = graph;
  const pools = Array.from({ length: edges }, (_, edge) => edge).filter((edge) => pair[edge] === pair[0]);
  const earned = (least: number) => pools.reduce((sum, edge) => sum + profitAt(curves, edge, least), 0);
  const most = (share: number) => pairs.depth[pair[0]!]! * share ** 2;
  const unit = values.ref[head[0]!]!;
  expect((earned(spotSlope(curves, 0) / 1.001) * unit) / most(0.001)).toBeCloseTo(1, 2);
  expect(pools.length).toBe(3);
  fc.assert(
    fc.property(
      fc.tuple(curve, curve, curve),
      fc.double({ min: 1e-9, max: NEAR, noNaN: true }),
      (sampled, share) => {
        for (const [k, edge] of pools.entries()) putCurve(curves, edge, sampled[k]);
        weigh(pairs, pair[0]!, curves, values.ref);
        const best = Math.max(...pools.map((edge) => spotSlope(curves, edge)));
        expect(earned(best / (1 + share)) * unit).toBeLessThanOrEqual(most(share) * (1 + 1e-6) + 1e-3);
      },
    ),
  );
});

test("a pool of constant price has infinite depth", () => {
  const graph = graphOf([POOL]);
  refresh(graph);
  const { pairs, pair, curves, values } = graph;
  putCurve(curves, 0, { x: [0], y: [0], m: [1], c: [0], end: 1e18 });
  weigh(pairs, pair[0]!, curves, values.ref);
  expect(pairs.depth[pair[0]!]).toBe(Infinity);
});
