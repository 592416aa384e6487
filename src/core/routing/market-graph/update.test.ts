import { describe, expect, test } from "vitest";
import type { Rows } from "../../math/rows.ts";
import type { Protocol, Registry } from "../../protocol.ts";
import { NATIVE, type Pool, type View } from "../../types.ts";
import { outputAt } from "../curves/segments.ts";
import {
  at,
  constantProduct,
  fixtureRegistry,
  type PairSpec,
  poolOf,
  sampledProduct,
  token,
  WRAPPED,
} from "../market.fixture.ts";
import { emptyGraph, type Graph } from "./graph.ts";
import { patchGraph } from "./update.ts";

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

const view: View = { get: (id) => states.get(id as Pool["id"]) };

function graphOf(patches: readonly (readonly Pool[])[], registry: Registry = fixtureRegistry): Graph {
  const graph = emptyGraph(registry, WRAPPED);
  for (const pools of patches) patchGraph(graph, { pools, removed: [] }, view, at);
  return graph;
}

function portions(pools: readonly Pool[], size: number): Pool[][] {
  return Array.from({ length: Math.ceil(pools.length / size) }, (_, k) =>
    pools.slice(k * size, (k + 1) * size),
  );
}

/**
 * The content of each row under the row's name, with entries replaced by their names and sorted, since rows have no
 * order of their own.
 */
function named(rows: Rows, names: readonly string[], nameOf: (row: readonly number[]) => string[]) {
  const { data, start, length } = rows;
  const listed = names.map((name, row) => {
    const one = [...data.subarray(start[row], start[row]! + (length[row] ?? 0))];
    return [name, nameOf(one).sort()] as const;
  });
  return Object.fromEntries(listed);
}

/**
 * All that a search reads of the market's structure and of what its edges pay. Names replace numbers, since the numbers
 * of equal markets may differ.
 */
function shapeOf(graph: Graph) {
  const { pairs, tokens, edges, pair, tail, head, curves, owner, entries, sold, bought } = graph;
  const edgeNames = Array.from({ length: edges }, (_, edge) =>
    [
      entries[owner[edge]!]!.pool.id,
      sold[edge],
      bought[edge],
      tokens[tail[edge]!],
      tokens[head[edge]!],
    ].join(),
  );
  const pairNames = Array.from({ length: pairs.count }, (_, one) =>
    [tokens[pairs.tail[one]!], tokens[pairs.tail[one ^ 1]!]].join(),
  );
  const namesOf = (row: readonly number[]) => row.map((one) => pairNames[one]!);
  const heads = (row: readonly number[]) =>
    row.flatMap((one, k) => (k % 2 === 0 ? [`${pairNames[one]} ${tokens[row[k + 1]!]}`] : []));
  return {
    tokens: [...tokens].sort(),
    edges: named(pairs.edges, pairNames, (row) => row.map((edge) => edgeNames[edge]!)),
    outgoing: named(pairs.outgoing, tokens, namesOf),
    onward: named(pairs.onward, tokens, heads),
    degree: Object.fromEntries(tokens.map((name, node) => [name, pairs.degree[node]])),
    pairs: Object.fromEntries(edgeNames.map((name, edge) => [name, pairNames[pair[edge]!]])),
    paid: Object.fromEntries(
      edgeNames
        .map((name, edge) => [name, outputAt(curves, edge, 1e18), outputAt(curves, edge, 3e21)])
        .map(([name, ...paid]) => [name, paid]),
    ),
  };
}

/** By entry, the one of its tokens that is in the fewest pools. */
function rarestOf({ entries }: Graph): string[] {
  const around = new Map<string, number>();
  for (const { pool } of entries) for (const one of pool.tokens) around.set(one, (around.get(one) ?? 0) + 1);
  return entries.map(({ pool }) =>
    pool.tokens.reduce((least, one) => (around.get(one)! < around.get(least)! ? one : least)),
  );
}

describe("a market that is read at once", () => {
  test("equals the market that is read in parts", () => {
    expect(shapeOf(graphOf([POOLS]))).toEqual(shapeOf(graphOf(portions(POOLS, 100))));
  });

  test("equals the market that is read in parts if some pools are in the graph already", () => {
    const parts = [POOLS.slice(0, 400), POOLS.slice(200)];
    expect(shapeOf(graphOf(parts))).toEqual(shapeOf(graphOf(portions(POOLS, 100))));
  });

  test("stores the pools of one token, by each pool's rarest, and their curves next to each other", () => {
    const graph = graphOf([POOLS]);
    const rarest = rarestOf(graph);
    const tokens = Array.from({ length: graph.edges }, (_, edge) => rarest[graph.owner[edge]!]!);
    const runs = tokens.filter((one, edge) => edge === 0 || one !== tokens[edge - 1]).length;
    expect(runs).toBe(new Set(tokens).size);
    const { at: lanes, count } = graph.curves;
    const alive = [...lanes.subarray(0, graph.edges)].filter((_lane, edge) => count[edge]! > 0);
    expect(alive).toEqual([...alive].sort((a, b) => a - b));
    expect(alive.length).toBeGreaterThan(5000);
  });

  test("keeps no spare room but 3 % for curves that grow", () => {
    const { curves, pairs, tail, edges } = graphOf([POOLS]);
    const taken = curves.count.reduce((sum, count) => sum + count, 0);
    expect(curves.used).toBe(taken);
    expect(curves.lanes.length).toBe(4 * Math.ceil(taken * 1.03));
    expect([tail.length, curves.end.length, pairs.spot.length]).toEqual([edges, edges, pairs.count]);
  });

  test("a pool whose second direction threw overwrites no other curve once it works again", () => {
    let ill = true;
    const fickle = { ...(constantProduct as Protocol), name: "fickle" };
    fickle.curve = (mirror, i, j) => {
      if (ill && i === 1) throw new Error("ill");
      return (constantProduct as Protocol).curve(mirror, i, j);
    };
    const registry = new Map([...fixtureRegistry, [fickle.name, fickle]]);
    const pools = POOLS.map((pool, n) => (n % 9 === 2 ? { ...pool, protocol: fickle.name } : pool));
    const graph = graphOf([pools], registry);
    expect(graph.quarantined.size).toBeGreaterThan(200);
    ill = false;
    for (const pool of pools.filter(({ protocol }) => protocol === fickle.name))
      patchGraph(graph, { pools: [pool], removed: [] }, view, at);
    expect(graph.quarantined.size).toBe(0);
    expect(shapeOf(graph).paid).toEqual(shapeOf(graphOf([pools], registry)).paid);
  });

  test("of a pool that is listed twice the last mention counts", () => {
    const [first, ...others] = POOLS;
    const other: Pool = { ...first!, protocol: "unheard of" };
    const graph = graphOf([[other, ...POOLS, first!]]);
    expect(graph.quarantined.has(first!.id)).toBe(false);
    expect(shapeOf(graph).paid).toEqual(shapeOf(graphOf([[first!, ...others]])).paid);
  });
});
