import { expect, test } from "vitest";
import { at, graphOf, token, wrapper } from "../market.fixture.ts";
import { type CertifiedOrder, certify } from "./certify.ts";
import { emptyCertificateMemory } from "./memory.ts";

const [A, B, C, D] = [token(1), token(2), token(3), token(4)];
const UNIT = 10n ** 18n;

/** Two pools of A and B that disagree by far, so that the market holds arbitrage. */
const APART = [
  { tokens: [A, B], reserves: [UNIT, 4n * UNIT] },
  { tokens: [A, B], reserves: [4n * UNIT, UNIT] },
];

/** The bounds for a sale of A for B over at most two pools, at prices by token. */
function provedAt(specs: Parameters<typeof graphOf>[0], prices: ReadonlyMap<string, number>) {
  const graph = graphOf(specs);
  const [from, to] = [graph.nodeOf.get(A)!, graph.nodeOf.get(B)!];
  const order: CertifiedOrder = { from, to, amount: 1e15, maxLegs: 2, outPerGas: 0, allowed: () => true, at };
  const byNode = Float64Array.from(graph.tokens, (one) => prices.get(one) ?? 0);
  return certify(graph, emptyCertificateMemory(), byNode, order);
}

test("at prices at which pools of unlimited size gain, nothing is proved", () => {
  const wrappers = [
    [B, C],
    [C, D],
  ].map((tokens) => ({ tokens, reserves: [], protocol: wrapper.name }));
  const prices = (worth: number) =>
    new Map([
      [A, 1],
      [B, 1],
      [C, worth],
      [D, worth ** 2],
    ]);
  expect(provedAt([...APART, ...wrappers], prices(1))).toMatchObject({ gross: expect.any(Number) });
  expect(provedAt([...APART, ...wrappers], prices(2))).toMatchObject({
    reason: expect.stringContaining("without limit"),
  });
});
