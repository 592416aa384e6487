import { describe, expect, test } from "vitest";
import { NATIVE, type Pool } from "../types.ts";
import { outputAt } from "./curves.ts";
import { emptyGraph, type Graph } from "./graph.ts";
import {
  at,
  fixtureRegistry,
  type PairSpec,
  poolOf,
  sampledProduct,
  token,
  WRAPPED,
} from "./market.fixture.ts";
import { patchGraph } from "./patch.ts";
import type { Rows } from "./rows.ts";

/** Pools of two and three tokens, some sampled, one of the native coin against its wrapped form; a few have no state. */
const SPECS: readonly PairSpec[] = Array.from({ length: 2500 }, (_, n) => {
  const more = n % 7 === 0 ? [token(200 + (n % 31))] : [];
  const tokens = n === 5 ? [NATIVE, WRAPPED] : [token(n % 97), token(100 + ((n * n) % 89)), ...more];
  const reserves = tokens.map((_token, k) => BigInt(n + k + 1) * 10n ** 20n);
  return n % 10 === 1 ? { tokens, reserves, protocol: sampledProduct.name } : { tokens, reserves };
});
const POOLS = SPECS.map((spec, n) => poolOf(spec, 2 ** 16 + n));
const states = new Map(
  SPECS.flatMap(({ reserves }, n) => (n % 50 === 3 ? [] : [[POOLS[n]!.id, { reserves, feePpm: 3000n }]])),
);

function graphOf(patches: readonly (readonly Pool[])[]): Graph {
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  for (const pools of patches)
    patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id as Pool["id"]) }, at);
  return graph;
}

function portions(pools: readonly Pool[], size: number): Pool[][] {
  return Array.from({ length: Math.ceil(pools.length / size) }, (_, k) =>
    pools.slice(k * size, (k + 1) * size),
  );
}

function lists({ data, start, length }: Rows, count: number): number[][] {
  return Array.from({ length: count }, (_, row) => [
    ...data.subarray(start[row], start[row]! + (length[row] ?? 0)),
  ]);
}

/** What a search reads of which tokens pools join, and what their edges pay. */
function shapeOf({ pairs, tokens, edges, pair, tail, head, curves }: Graph) {
  return {
    tokens,
    ends: Array.from({ length: edges }, (_, edge) => [tail[edge], head[edge], pair[edge]]),
    edges: lists(pairs.edges, pairs.count),
    outgoing: lists(pairs.outgoing, tokens.length),
    onward: lists(pairs.onward, tokens.length),
    degree: [...pairs.degree.subarray(0, tokens.length)],
    paid: Array.from({ length: edges }, (_, edge) => [
      outputAt(curves, edge, 1e18),
      outputAt(curves, edge, 3e21),
    ]),
  };
}

describe("a market that is read at once", () => {
  test("is the market that is read in parts", () => {
    expect(shapeOf(graphOf([POOLS]))).toEqual(shapeOf(graphOf(portions(POOLS, 100))));
  });

  test("joins what was there before", () => {
    const parts = [POOLS.slice(0, 400), POOLS.slice(200)];
    expect(shapeOf(graphOf(parts))).toEqual(shapeOf(graphOf(portions(POOLS, 100))));
  });

  test("has no more room than it takes, but for a fiftieth where curves may grow", () => {
    const { curves, pairs, tail, edges } = graphOf([POOLS]);
    const taken = curves.count.reduce((sum, count) => sum + count, 0);
    expect(curves.used).toBe(taken);
    expect(curves.lanes.length).toBe(4 * Math.ceil(taken * 1.02));
    expect([tail.length, curves.end.length, pairs.spot.length]).toEqual([edges, edges, pairs.count]);
  });

  test("a pool that is named twice is that of its last mention", () => {
    const [first, ...others] = POOLS;
    const other: Pool = { ...first!, protocol: "unheard of" };
    const graph = graphOf([[other, ...POOLS, first!]]);
    expect(graph.quarantined.has(first!.id)).toBe(false);
    expect(shapeOf(graph).paid).toEqual(shapeOf(graphOf([[first!, ...others]])).paid);
  });
});
