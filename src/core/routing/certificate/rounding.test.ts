import { expect, test } from "vitest";
import type { Protocol } from "../../protocol.ts";
import { ask, at, fixtureRegistry, graphOf, market, token, WRAPPED, wrapper } from "../market.fixture.ts";
import { certify } from "./certify.fixture.ts";
import { emptyCertificateMemory } from "./memory.ts";

const [A, B, C, D] = [token(1), token(2), token(3), token(4)];
const UNIT = 10n ** 18n;

/** A wrapper that pays five millionths more than one for one, and takes as much more on the way back: less than counts as a gain. */
const generous: Protocol = {
  ...wrapper,
  name: "generous",
  quote: (...asked) => {
    const fill = wrapper.quote(...asked);
    const [, , i] = asked;
    const [paid, sold] = i === 0 ? [1_000_005n, 1_000_000n] : [1_000_000n, 1_000_005n];
    return fill && { ...fill, amountOut: (fill.amountIn * paid) / sold };
  },
  quoteFloat: (_mirror, i, _j, x) => x * rateFrom(i),
  curve: (_mirror, i) => ({ x: [0], y: [0], m: [rateFrom(i)], c: [0], end: Infinity }),
} as Protocol;
const rateFrom = (i: number) => (i === 0 ? 1.000005 : 1 / 1.000005);

test("no route sells less than is stated where constant prices differ by less than counts as a gain", () => {
  const registry = new Map([...fixtureRegistry, [generous.name, generous]]);
  const same = [wrapper, generous].map(({ name }) => ({ tokens: [A, B], reserves: [], protocol: name }));
  const { engine } = market([...same, { tokens: [WRAPPED, A], reserves: [UNIT, UNIT] }], registry);
  for (const [sold, bought] of [
    [A, B],
    [B, A],
  ] as const)
    for (const maxLegs of [0, 1, 16]) {
      const found = engine.find(ask(sold, bought, UNIT, { side: "out", maxLegs }));
      if (found.kind === "missing" || found.optimality.upperBound === null) throw new Error("not proved");
      expect(found.optimality.lowerBound! <= found.route.amountIn).toBe(true);
    }
});

test("pools elsewhere that gain far more than an order is worth do not hide in their rounding what its own pools gain", () => {
  const graph = graphOf([
    { tokens: [A, B], reserves: [UNIT, UNIT], feePpm: 0n },
    ...[
      [C, D],
      [D, WRAPPED],
      [WRAPPED, C],
    ].map((tokens) => ({ tokens, reserves: [2n ** 100n, 2n ** 110n] })),
  ]);
  const prices = new Map([
    [A, 0.5],
    [B, 1],
    [C, 1],
    [D, 1e15],
    [WRAPPED, 1e15],
  ]);
  const [from, to] = [graph.nodeOf.get(A)!, graph.nodeOf.get(B)!];
  const order = { from, to, amount: 1e17, maxLegs: 1, outPerGas: 0, allowed: () => true, at };
  const byNode = Float64Array.from(graph.tokens, (one) => prices.get(one) ?? 0);
  const bounds = certify(graph, emptyCertificateMemory(), byNode, order);
  if ("reason" in bounds) throw new Error(bounds.reason);
  expect(bounds.gross).toBeGreaterThan(1e17 / 1.1);
});
