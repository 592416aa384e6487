import { expect, test } from "vitest";
import { at, fixtureRegistry, type PairState, poolOf, token, WRAPPED } from "../../market.fixture.ts";
import { emptyGraph, type Graph } from "../graph.ts";
import { patchGraph } from "../update.ts";
import { nativeValue } from "./reference-prices.ts";

const EVEN = { reserves: [10n ** 21n, 10n ** 21n], feePpm: 3000n };
/**
 * Number of pools that makes the market larger than those whose values are computed from scratch after every change.
 */
const FILLERS = 600;

test("tokens that are valued through one whose price jumps are revalued with it, and again when it returns", () => {
  // A chain of pools from the wrapped coin over tokens 1 and 2 to 3, and many pools of other tokens with the wrapped
  // coin.
  const chain = [0, 1, 2].map((n) => poolOf({ tokens: [token(n), token(n + 1)], reserves: [] }, n));
  const others = Array.from({ length: FILLERS }, (_, n) =>
    poolOf({ tokens: [WRAPPED, token(n + 4)], reserves: [] }, n + 3),
  );
  const pools = [...chain, ...others];
  const states = new Map<string, PairState>(pools.map(({ id }) => [id, EVEN]));
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const view = { get: (id: string) => states.get(id) };
  patchGraph(graph, { pools, removed: [] }, view, at);
  const values = () => [1, 2, 3].map((n) => graph.values.ref[graph.nodeOf.get(token(n))!]!);
  const move = (more: bigint) => {
    states.set(chain[0]!.id, { ...EVEN, reserves: [EVEN.reserves[0]! * more, EVEN.reserves[1]!] });
    patchGraph(graph, { pools: [chain[0]!], removed: [] }, view, at);
  };
  const before = values();
  move(1000n);
  for (const [k, value] of values().entries()) expect(value / before[k]! / 1000).toBeCloseTo(1, 9);
  move(1n);
  for (const [k, value] of values().entries()) expect(value / before[k]!).toBeCloseTo(1, 9);
});

test("a token that is not vetted values no other, whether its pools are there from the start or come later", () => {
  const UNIT = 10n ** 18n;
  const [asset, hostile, behind] = [token(1), token(2), token(3)] as const;
  const honest = [
    { tokens: [WRAPPED, asset], reserves: [100n * UNIT, 1_000n * UNIT] },
    { tokens: [WRAPPED, hostile], reserves: [30_000n * UNIT, 30_000n * UNIT] },
    { tokens: [hostile, behind], reserves: [10n * UNIT, 10n * UNIT] },
    ...Array.from({ length: FILLERS }, (_, n) => ({
      tokens: [WRAPPED, token(n + 4)],
      reserves: EVEN.reserves,
    })),
  ];
  // It claims that one unit of the asset is worth ten million of the hostile token, of which its creator has any number.
  const posed = { tokens: [hostile, asset], reserves: [10_000_000n * UNIT, UNIT] };
  const marketOf = (isVetted: Graph["isVetted"], batches: readonly (typeof honest)[]): Graph => {
    const graph = emptyGraph(fixtureRegistry, WRAPPED, { isVetted });
    const states = new Map<string, PairState>();
    for (const [batch, specs] of batches.entries()) {
      const pools = specs.map((spec, n) => poolOf(spec, 1_000 * batch + n));
      for (const [n, { id }] of pools.entries()) states.set(id, { ...EVEN, reserves: specs[n]!.reserves });
      patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
    }
    return graph;
  };
  const wei = (graph: Graph, of: typeof asset) => nativeValue(graph, graph.nodeOf.get(of)!)!;
  for (const batches of [[[...honest, posed]], [honest, [posed]]]) {
    expect(
      wei(
        marketOf(() => true, batches),
        asset,
      ),
    ).toBeGreaterThan(1_000);
    const graph = marketOf((of) => of !== hostile, batches);
    expect(wei(graph, asset)).toBeCloseTo(0.1, 6);
    // What nothing else values is still valued through it, with next to no depth.
    expect(wei(graph, behind)).toBeCloseTo(1, 6);
    expect(graph.values.width[graph.nodeOf.get(behind)!]).toBeLessThan(1e17);
  }
});
