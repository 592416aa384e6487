import { expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { ask, constantProduct, market, token } from "./market.fixture.ts";

const SPECS = [1n, 2n, 5n].map((depth) => ({
  tokens: [token(1), token(2)],
  reserves: [depth * 10n ** 21n, depth * 10n ** 21n],
}));
const SHARE = 1 - 1e-5;

/** A design whose curve, or curve and float quote, state less than its exact quote pays. */
function understating(what: "curve" | "all"): Protocol {
  const design = constantProduct as Protocol;
  return {
    ...design,
    curve: (mirror, i, j) => {
      const curve = design.curve(mirror, i, j)!;
      return { ...curve, m: Array.from(curve.m, (m) => m * SHARE) };
    },
    quoteFloat: (mirror, i, j, x) => design.quoteFloat(mirror, i, j, x) * (what === "all" ? SHARE : 1),
  };
}

function answer(design: Protocol) {
  const { engine } = market(SPECS, new Map([[design.name, design]]));
  const found = engine.find(ask(token(1), token(2), 10n ** 20n));
  if (found.kind === "missing") throw new Error(found.reason);
  return { optimality: found.optimality, violated: engine.counters().boundsViolated };
}

test("a route that pays more than its bound is counted, and no bound is claimed", () => {
  const { optimality, violated } = answer(understating("all"));
  expect(violated).toBe(1);
  expect(optimality).toEqual({
    upperBound: null,
    reason: expect.stringContaining("below what the route pays"),
  });
});

test("curves below their pools' quotes are raised, so that the bound still holds", () => {
  const { optimality, violated } = answer(understating("curve"));
  expect(violated).toBe(0);
  expect("gapBps" in optimality && optimality.gapBps).toBeLessThan(0.2);
  expect(answer(constantProduct as Protocol).violated).toBe(0);
});
