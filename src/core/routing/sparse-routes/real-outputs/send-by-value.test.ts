import { expect, test } from "vitest";
import { emptyHeap, popHeap, pushHeap } from "../../../math/heap.ts";
import { ask, market, token } from "../../market.fixture.ts";

const DEEP = 10n ** 22n;

/** A chain of `length` pools that each pay `gain` percent more than a fair price. */
function chain(length: number, gain: bigint) {
  return Array.from({ length }, (_, k) => ({
    tokens: [token(k === 0 ? 1 : 100 + k), token(k === length - 1 ? 2 : 101 + k)],
    reserves: [DEEP, (DEEP * (100n + gain)) / 100n],
  }));
}

test.each([3, 9, 14])("finds a path over %i pools that pays more than a short one", (length) => {
  // A profitable cycle next to the chain makes all prices inconsistent.
  const cycle = [
    [50, 51],
    [51, 52],
    [52, 50],
  ].map(([a, b]) => ({ tokens: [token(a!), token(b!)], reserves: [DEEP, 2n * DEEP] }));
  const specs = [
    { tokens: [token(1), token(2)], reserves: [DEEP, DEEP] },
    { tokens: [token(1), token(50)], reserves: [DEEP, DEEP] },
    { tokens: [token(51), token(2)], reserves: [DEEP, DEEP / 10n] },
    ...cycle,
    ...chain(length, 30n),
  ];
  const found = market(specs).engine.find(ask(token(1), token(2), 10n ** 18n, { maxLegs: 16 }));
  const used = found.kind === "found" ? found.route.steps.map(({ pool }) => pool.tokens.join()) : [];
  const paid = found.kind === "found" ? Number(found.route.amountOut) / 1e18 : 0;
  for (const { tokens } of chain(length, 30n)) expect(used).toContain(tokens.join());
  expect(paid).toBeGreaterThan(1.27 ** length * 0.99);
});

test("a heap returns its items by falling key", () => {
  const heap = emptyHeap();
  const keys = Array.from({ length: 600 }, (_, k) => (k * 7919) % 601);
  for (const [item, key] of keys.entries()) pushHeap(heap, key, item);
  const given = keys.map(() => keys[popHeap(heap)]!);
  expect(given).toEqual([...keys].sort((a, b) => b - a));
  expect(popHeap(heap)).toBe(-1);
});
