import fc from "fast-check";
import { expect, test } from "vitest";
import { graphOf, type PairSpec, token } from "../market.fixture.ts";
import type { Graph } from "./graph.ts";
import { leastPath } from "./least-path.ts";

const TOKENS = 9;
const scene = fc.record({
  pairs: fc.array(fc.uniqueArray(fc.nat(TOKENS - 1), { minLength: 2, maxLength: 3 }), {
    minLength: 3,
    maxLength: 24,
  }),
  /** By edge; above 40 it may not be used. */
  losses: fc.array(fc.integer({ min: 0, max: 45 }), { minLength: 200, maxLength: 200 }),
  budget: fc.integer({ min: 0, max: 40 }),
});
const RESERVE = 10n ** 21n;

function specsOf(pairs: readonly (readonly number[])[]): PairSpec[] {
  return pairs.map((nodes) => ({ tokens: nodes.map(token), reserves: nodes.map(() => RESERVE) }));
}

/** The least sum of losses along a path, by as many rounds over all edges as there are tokens. */
function shortest(graph: Graph, { from, to }: { from: number; to: number }, loss: (edge: number) => number) {
  const least = new Float64Array(graph.tokens.length).fill(Infinity);
  least[from] = 0;
  for (let round = 0; round < graph.tokens.length; round++)
    for (let edge = 0; edge < graph.edges; edge++) {
      if (graph.pair[edge]! < 0) continue;
      const reached = least[graph.tail[edge]!]! + loss(edge);
      if (reached < least[graph.head[edge]!]!) least[graph.head[edge]!] = reached;
    }
  return least[to]!;
}

/** Throws unless the edges lead from one end to the other; none may do so where these are not joined. */
function expectPath(
  { tail, head }: Graph,
  edges: readonly number[],
  { from, to, isJoined }: { from: number; to: number; isJoined: boolean },
) {
  expect(edges.length > 0).toBe(isJoined);
  if (!isJoined) return;
  expect([tail[edges[0]!], head[edges.at(-1)!]]).toEqual([from, to]);
  for (let k = 1; k < edges.length; k++) expect(tail[edges[k]!]).toBe(head[edges[k - 1]!]);
}

test("the least loss of a path is found, and where the work has a cap it is never overstated", () => {
  let [capped, tight, unjoined] = [0, 0, 0];
  fc.assert(
    fc.property(scene, ({ pairs, losses, budget }) => {
      const graph = graphOf(specsOf(pairs));
      const [from, to] = [graph.nodeOf.get(token(0)), graph.nodeOf.get(token(1))];
      if (from === undefined || to === undefined) return;
      const of = (edge: number) => (losses[edge]! > 40 ? Infinity : losses[edge]!);
      const leastAt = (node: number) => {
        const near = losses.filter((_, e) => graph.tail[e] === node || graph.head[e] === node);
        return Math.min(...near, 40);
      };
      const exact = shortest(graph, { from, to }, of);
      if (exact === Infinity) unjoined++;
      const wanted = exact === Infinity ? 0 : exact;
      const found = leastPath(graph, { from, to }, { of, leastAt });
      expect(found.loss).toBe(wanted);
      expectPath(graph, found.edges, { from, to, isJoined: exact < Infinity });
      expect(found.edges.reduce((sum, edge) => sum + of(edge), 0)).toBe(wanted);
      const { loss: bound, edges } = leastPath(graph, { from, to }, { of, leastAt }, budget);
      if (edges.length > 0) expectPath(graph, edges, { from, to, isJoined: exact < Infinity });
      if (exact < Infinity) expect(bound).toBeLessThanOrEqual(wanted);
      capped++;
      if (bound === wanted) tight++;
    }),
    { numRuns: 3000 },
  );
  expect(unjoined).toBeGreaterThan(20);
  expect(tight).toBeGreaterThan(capped / 2);
  expect(tight).toBeLessThan(capped);
});

test("a token of very many pairs is not visited: its own crossings, and the pair of the ends, still count", () => {
  const star = Array.from({ length: 600 }, (_, n) => [
    [2, 10 + n],
    [10 + n, 10 + ((n + 1) % 600)],
  ]);
  const graph = graphOf(specsOf([...star.flat(), [0, 2], [2, 1], [1, 10]]));
  const [from, to, hub] = [0, 1, 2].map((n) => graph.nodeOf.get(token(n))!) as [number, number, number];
  const losses = { of: () => 7, leastAt: () => 7 };
  expect(leastPath(graph, { from, to }, losses).loss).toBe(14);
  expect(leastPath(graph, { from: hub, to }, losses).loss).toBe(7);
  expect(leastPath(graph, { from, to: from }, losses).loss).toBe(0);
});

test("of very many parallel pools not each is read", () => {
  const graph = graphOf(specsOf(Array.from({ length: 300 }, () => [0, 1])));
  const [from, to] = [0, 1].map((n) => graph.nodeOf.get(token(n))!) as [number, number];
  const of = () => {
    throw new Error("a pool was read");
  };
  expect(leastPath(graph, { from, to }, { of, leastAt: () => 5 })).toEqual({ loss: 5, edges: [] });
});
