import { expect, test } from "vitest";
import { at, graphOf, token } from "../market.fixture.ts";
import { certify } from "./certify.ts";
import { emptyCertificateMemory } from "./memory.ts";

const R = 10n ** 21n;

/** The example of docs/routing.md: three pools without fees, 100 of the first token sold for the third. */
test.each([
  [0, 91.15],
  [1, 85.57],
])("with %i legs allowed the three pools of the example prove %f", (maxLegs, bound) => {
  const graph = graphOf([
    { tokens: [token(0), token(1)], reserves: [R, R], feePpm: 0n },
    { tokens: [token(1), token(2)], reserves: [R, R], feePpm: 0n },
    { tokens: [token(0), token(2)], reserves: [R / 2n, R / 2n], feePpm: 0n },
  ]);
  const [a, b, c] = [0, 1, 2].map((n) => graph.nodeOf.get(token(n))!) as [number, number, number];
  const prices = new Float64Array(graph.tokens.length);
  [prices[a], prices[b], prices[c]] = [0.8, 0.9, 1];
  const order = { from: a, to: c, amount: 100e18, maxLegs, outPerGas: 0, allowed: () => true, at };
  const bounds = certify(graph, emptyCertificateMemory(), prices, order);
  expect("gross" in bounds && bounds.gross / 1e18).toBeCloseTo(bound, 2);
});
