import { expect, test } from "vitest";
import { noJoint, weightedJoint } from "../../math/sampling/joint-curves.ts";
import type { Protocol } from "../../protocol.ts";
import {
  ask,
  at,
  constantProduct,
  fixtureRegistry,
  graphOf,
  market,
  token,
  WRAPPED,
} from "../market.fixture.ts";
import { certify } from "./certify.fixture.ts";
import { boundsOf, type CertifiedOrder } from "./certify.ts";
import { gainsOf } from "./gains.ts";
import { emptyCertificateMemory } from "./memory.ts";

const [A, B, C] = [token(1), token(2), token(3)];
const UNIT = 10n ** 18n;

/** Two pools of A and B that disagree by far, so that the market holds arbitrage. */
const APART = [
  { tokens: [A, B], reserves: [UNIT, 4n * UNIT] },
  { tokens: [A, B], reserves: [4n * UNIT, UNIT] },
];

/** The bounds for a sale of A for B over at most two pools, at prices by token. */
function provedAt(
  specs: Parameters<typeof graphOf>[0],
  prices: ReadonlyMap<string, number>,
  registry = fixtureRegistry,
) {
  const graph = graphOf(specs, registry);
  const [from, to] = [graph.nodeOf.get(A)!, graph.nodeOf.get(B)!];
  const order: CertifiedOrder = { from, to, amount: 1e15, maxLegs: 2, outPerGas: 0, allowed: () => true, at };
  const byNode = Float64Array.from(graph.tokens, (one) => prices.get(one) ?? 0);
  return certify(graph, emptyCertificateMemory(), byNode, order);
}

test("where pools gain without limit nothing is proved, whatever the cap on legs", () => {
  const graph = graphOf([...APART, { tokens: [B, WRAPPED], reserves: [UNIT, UNIT] }]);
  const [from, to] = [graph.nodeOf.get(A)!, graph.nodeOf.get(B)!];
  const order = { from, to, amount: 1e15, outPerGas: 0, allowed: () => true, at };
  const bounds = (earned: number, maxLegs: number) => {
    const gaining = graph.entries.map(({ firstEdge }, index) => ({
      index,
      earned,
      cost: 1,
      edge: firstEdge,
    }));
    return boundsOf(graph, { ...order, maxLegs }, 1, gainsOf(gaining, new Map()));
  };
  for (const maxLegs of [0, 1, 2, 16]) {
    expect(bounds(1e15, maxLegs)).toMatchObject({ gross: expect.any(Number) });
    expect(bounds(Infinity, maxLegs)).toMatchObject({ reason: expect.stringContaining("without limit") });
  }
});

/** A pool that states a joint node, or a gain, which is not a number. */
function unfit(what: "joint" | "gain"): Protocol {
  const nothing = { balances: [0, 0, 0], weights: [1, 1, 1], keep: 1, mostIn: 3, mostOut: 0.75 };
  return {
    ...(constantProduct as Protocol),
    name: "unfit",
    joint: what === "joint" ? () => weightedJoint(nothing) : noJoint,
    ...(what === "gain" ? { gain: () => Number.NaN } : {}),
  };
}

test.each(["joint", "gain"] as const)(
  "a gain that is not a number proves nothing, and no search throws (%s)",
  (what) => {
    const registry = new Map([...fixtureRegistry, ["unfit", unfit(what)]]);
    const specs = [...APART, { tokens: [A, B, C], reserves: [UNIT, 9n * UNIT, UNIT], protocol: "unfit" }];
    const fair = new Map([A, B, C].map((one) => [one, 1]));
    expect(provedAt(specs, fair, registry)).toMatchObject({
      reason: expect.stringContaining("not a number"),
    });
    for (const maxLegs of [0, 1, 16])
      for (const gasPriceWei of [undefined, 10n ** 9n]) {
        const found = market(specs, registry).engine.find(ask(A, B, 10n ** 15n, { maxLegs, gasPriceWei }));
        expect(found.kind).toBe("found");
      }
  },
);
