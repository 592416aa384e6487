import fc from "fast-check";
import { expect, test } from "vitest";
import { at, graphOf, type PairSpec, token, WRAPPED } from "../../market.fixture.ts";
import { emptyCertificateMemory } from "../memory.ts";
import { certifyLocally } from "./local.ts";

const UNIT = 10n ** 18n;

/** Tokens 1 and 2 trade with the native coin and in a deep pool of three, which alone trades token 3. */
const SPECS: readonly PairSpec[] = [
  { tokens: [WRAPPED, token(1)], reserves: [1000n * UNIT, 1000n * UNIT] },
  { tokens: [WRAPPED, token(2)], reserves: [1000n * UNIT, 1000n * UNIT] },
  {
    tokens: [token(1), token(2), token(3)],
    reserves: [10n ** 6n * UNIT, 10n ** 6n * UNIT, 10n ** 6n * UNIT],
    feePpm: 400n,
  },
];

const ratio = fc.double({ min: 0.999, max: 1.001, noNaN: true });

test("a price of a token that one pool of several alone trades does not loosen a bound: it is moved to where the pool earns least", () => {
  const graph = graphOf(SPECS);
  const node = (n: number) => graph.nodeOf.get(token(n))!;
  const boundOf = (to: number, off: number, keep = new Float64Array(graph.tokens.length)) => {
    const order = {
      from: node(1),
      to,
      amount: 1e20,
      maxLegs: 16,
      outPerGas: 0,
      allowed: () => true,
      at,
      keep,
    };
    const prices = new Map(
      [
        [node(1), 1],
        [node(2), 1],
        [node(3), off],
      ].map(([one, price]) => [one!, price! / (to === node(3) ? off : 1)]),
    );
    const bounds = certifyLocally(graph, emptyCertificateMemory(), prices, order);
    if ("reason" in bounds) throw new Error(bounds.reason);
    return { ...bounds, price: keep[node(3)]! };
  };
  fc.assert(
    fc.property(ratio, (off) => {
      expect(boundOf(node(2), off).gross).toBeLessThan(1e20 * (1 + 1e-9));
      // Of an order that buys it the price is the unit of all.
      expect(boundOf(node(3), off).price).toBeCloseTo(1, 12);
    }),
    { numRuns: 60 },
  );
});
