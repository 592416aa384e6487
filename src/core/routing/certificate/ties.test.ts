import fc from "fast-check";
import { expect, test } from "vitest";
import { at, fixtureRegistry, type PairSpec, poolOf, token, WRAPPED } from "../market.fixture.ts";
import { emptyGraph } from "../market-graph/graph.ts";
import { patchGraph } from "../market-graph/update.ts";
import { certifyLocally } from "./local/local.ts";
import { emptyCertificateMemory } from "./memory.ts";

/** Tokens 1, 2 and 3 are one for one; 0 and 4 trade with them. */
const TIED: readonly PairSpec[] = [
  [1, 2],
  [2, 3],
].map((pair) => ({ tokens: pair.map(token), reserves: [0n, 0n], protocol: "wrapper" }));
const DEPTH = 10n ** 24n;

function marketOf(depths: readonly bigint[]) {
  const pools = [
    [0, 1],
    [0, 2],
    [3, 4],
    [1, 4],
  ].map((pair, n): PairSpec => ({ tokens: pair.map(token), reserves: [depths[n]!, DEPTH], feePpm: 3000n }));
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const states = new Map<string, unknown>();
  const all = [...TIED, ...pools].map((spec, n) => {
    const pool = poolOf(spec, n);
    states.set(
      pool.id,
      spec.protocol === undefined ? { reserves: spec.reserves, feePpm: spec.feePpm } : true,
    );
    return pool;
  });
  patchGraph(graph, { pools: all, removed: [] }, { get: (id) => states.get(id) }, at);
  return graph;
}

const depth = fc.bigInt({ min: DEPTH, max: (DEPTH * 1001n) / 1000n });

test("tokens of one price have it to the last digit: no pool of constant price gains at prices found in doubles", () => {
  fc.assert(
    fc.property(
      fc.tuple(depth, depth, depth, depth),
      fc.array(fc.double({ min: -1e-3, max: 1e-3, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (depths, logs) => {
        const graph = marketOf(depths);
        const memory = emptyCertificateMemory();
        const [from, to] = [graph.nodeOf.get(token(0))!, graph.nodeOf.get(token(2))!];
        const prices = new Map(
          logs.map((log, n) => [graph.nodeOf.get(token(n))!, token(n) === token(2) ? 1 : Math.exp(log)]),
        );
        const keep = new Float64Array(graph.tokens.length);
        const order = { from, to, amount: 1e18, maxLegs: 16, outPerGas: 0, allowed: () => true, at, keep };
        const bounds = certifyLocally(graph, memory, prices, order);
        if ("reason" in bounds) throw new Error(bounds.reason);
        expect(keep[to]).toBeCloseTo(1, 12);
        for (const n of [1, 3])
          expect(Math.abs(keep[graph.nodeOf.get(token(n))!]! / keep[to]! - 1)).toBeLessThan(1e-14);
        expect(memory.drift).toBeLessThan(1e-14);
        expect(bounds.gross).toBeLessThanOrEqual((bounds.priceIn * 1e18 + bounds.gained) * (1 + 1e-11));
      },
    ),
  );
});
