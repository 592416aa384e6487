import { expect, test } from "vitest";
import { slopeAt } from "../curves/segments.ts";
import { at, fixtureRegistry, type PairSpec, poolOf, token, WRAPPED } from "../market.fixture.ts";
import { emptyGraph, type Graph } from "./graph.ts";
import { sizeOfLevel } from "./pair-index.ts";
import { shortlistOf } from "./pair-prices.ts";
import { patchGraph, quarantine, refresh } from "./update.ts";

/** 250 pools of one pair, and 15 of another: their prices and their depths come in different orders. */
const SPECS: readonly PairSpec[] = Array.from({ length: 265 }, (_, n) => {
  const depth = 10n ** 18n * BigInt(1 + ((n * 37) % 251));
  return {
    tokens: [WRAPPED, token(n < 250 ? 1 : 2)],
    reserves: [depth, depth + (depth * BigInt(n % 17)) / 10_000n],
  };
});
const POOLS = SPECS.map(poolOf);
const LEVEL = 4;

type States = Map<string, { reserves: readonly bigint[]; feePpm: bigint }>;

function patch(graph: Graph, states: States, from: number, to: number): void {
  const view = { get: (id: string) => states.get(id) };
  patchGraph(graph, { pools: POOLS.slice(from, to), removed: [] }, view, at);
  refresh(graph);
}

function market(): { graph: Graph; states: States } {
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const states: States = new Map(
    POOLS.map(({ id }, n) => [id, { reserves: SPECS[n]!.reserves, feePpm: 3000n }]),
  );
  patch(graph, states, 0, POOLS.length);
  return { graph, states };
}

/** The best pools of a pair by looking at every one. */
function bestOf({ pairs, curves, values }: Graph, pair: number, level: number): number[] {
  const { start, length, data } = pairs.edges;
  const size = sizeOfLevel(level) / values.ref[pairs.tail[pair]!]!;
  const price = (edge: number) => slopeAt(curves, edge, size);
  const edges = [...data.subarray(start[pair], start[pair]! + length[pair]!)].filter(
    (edge) => price(edge) > 0,
  );
  return edges.sort((a, b) => price(b) - price(a) || a - b).slice(0, 200);
}

function expectBest(graph: Graph): void {
  for (const pair of [0, 1]) {
    for (const level of [-1, LEVEL, LEVEL + 2]) {
      const listed = shortlistOf(graph, pair, level)!;
      expect([...listed.edges]).toEqual(bestOf(graph, pair, level));
      const scale = pair === 0 ? graph.values.ref[1]! : 1 / graph.values.ref[1]!;
      const size = sizeOfLevel(level) / graph.values.ref[graph.pairs.tail[pair]!]!;
      for (const [k, edge] of listed.edges.entries())
        expect(listed.prices[k]! / (slopeAt(graph.curves, edge, size) * scale)).toBeCloseTo(1, 12);
    }
  }
}

test("the pools of a pair of many that pay most after a trade are listed, best first", () => {
  const { graph } = market();
  expectBest(graph);
  expect(bestOf(graph, 0, -1)).not.toEqual(bestOf(graph, 0, LEVEL + 2));
});

test("a pair of few pools is not listed", () => {
  const { graph } = market();
  expect(graph.pairs.count).toBe(4);
  expect(shortlistOf(graph, 2, LEVEL)).toBeUndefined();
});

test("a list is as good as new once a pool of the pair, or the value of its token, has changed", () => {
  const { graph, states } = market();
  expectBest(graph);
  const before = [...shortlistOf(graph, 0, LEVEL)!.edges];
  const { reserves } = states.get(POOLS[3]!.id)!;
  states.set(POOLS[3]!.id, { reserves: [reserves[0]!, reserves[1]! * 2n], feePpm: 100n });
  patch(graph, states, 3, 4);
  expectBest(graph);
  expect([...shortlistOf(graph, 0, LEVEL)!.edges]).not.toEqual(before);
});

test("a pool that throws is listed no more, though a search is under way", () => {
  const { graph } = market();
  const [best] = shortlistOf(graph, 0, LEVEL)!.edges;
  quarantine(graph, graph.entries[graph.owner[best!]!]!.pool.id, new Error("bad"));
  expect([...shortlistOf(graph, 0, LEVEL)!.edges]).not.toContain(best);
});
