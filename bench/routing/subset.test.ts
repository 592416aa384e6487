import { expect, test } from "vitest";
import type { Direction } from "./directions.ts";
import { segmentsOf } from "./segments.ts";
import { type SmallProblem, solveSubset } from "./subset.ts";

/** A constant product of `inside` and `outside` without a fee. */
function product(inside: number, outside: number): Direction {
  return {
    spot: outside / inside,
    out: (x) => (x * outside) / (inside + x),
    amountAt: (price) => Math.max(0, Math.sqrt((inside * outside) / price) - inside),
    crossed: () => 0,
  };
}

test("two parallel products are filled in proportion to their depth", () => {
  const edges = [product(1000, 1000), product(3000, 3000)].map((direction) => ({
    tail: 0,
    head: 1,
    curve: segmentsOf(direction),
  }));
  const problem: SmallProblem = { nodes: 2, amount: 400, edges, prices: [1, 1] };
  const { value, sold } = solveSubset(problem, 3);
  expect(sold[0]).toBeCloseTo(100, 4);
  expect(sold[1]).toBeCloseTo(300, 4);
  expect(value).toBeCloseTo((400 * 4000) / 4400, 4);
  expect(solveSubset(problem, 1).value).toBeCloseTo((400 * 1000) / 1400, 4);
});

test("a subset of a diamond delivers what the best share of its two ways does", () => {
  const pools = [
    [0, 2, product(1000, 2000)],
    [2, 1, product(500, 400)],
    [0, 3, product(700, 900)],
    [3, 1, product(2000, 1700)],
    [2, 3, product(300, 310)],
  ] as const;
  const edges = pools.map(([tail, head, direction]) => ({ tail, head, curve: segmentsOf(direction) }));
  const problem: SmallProblem = { nodes: 4, amount: 500, edges, prices: [1, 1, 0.8, 0.8] };
  const through = (x: number, a: number, b: number) => pools[b]![2].out(pools[a]![2].out(x));
  let best = 0;
  for (let k = 0; k <= 100_000; k++) {
    const x = (500 * k) / 100_000;
    best = Math.max(best, through(x, 0, 1) + through(500 - x, 2, 3));
  }
  expect(solveSubset(problem, 0b1111).value / best).toBeCloseTo(1, 6);
  expect(solveSubset(problem, 0b11111).value).toBeGreaterThanOrEqual(best * (1 - 1e-6));
});
