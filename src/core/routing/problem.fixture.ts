import { addEdgeWithEnds, beginProblem, emptyProblem, type Problem } from "./convex/problem.ts";
import { emptyScratch, resetScratch } from "./convex/scratch.ts";
import { graphOf, token, wrapper } from "./market.fixture.ts";

const SIZE = 10n ** 20n;
/** Amount of token 1 that is sold, in smallest units. */
export const SUPPLY = 3e19;

/** Pools by the numbers of their tokens and their depth; 0 = a pool that exchanges any amount one to one. */
export type Pairs = readonly (readonly [number, number, bigint])[];

/** Paths from token 1 to token 2: direct, over 3, over 3 and 4, and over 4. */
export const PAIRS: Pairs = [
  [1, 2, 4n],
  [1, 3, 3n],
  [3, 2, 2n],
  [3, 4, 1n],
  [4, 2, 2n],
  [1, 4, 1n],
];

/** Paths from token 1 to token 2 with a straight curve in both directions between tokens 3 and 4. */
export const TIED: Pairs = [
  [1, 2, 40n],
  [1, 3, 3n],
  [3, 4, 0n],
  [4, 2, 2n],
  [1, 4, 1n],
  [3, 2, 1n],
  [4, 3, 0n],
];

/** The problem over one direction of every pool. */
export function problemOf(pairs = PAIRS): Problem {
  const specs = pairs.map(([a, b, deep]) => ({
    ...(deep === 0n ? { protocol: wrapper.name } : {}),
    tokens: [token(a), token(b)],
    reserves: [deep * SIZE, (deep * SIZE * 101n) / 100n],
  }));
  const graph = graphOf(specs);
  const scratch = emptyScratch();
  resetScratch(scratch, graph);
  const problem = emptyProblem();
  const [from, to] = [graph.nodeOf.get(token(1))!, graph.nodeOf.get(token(2))!];
  beginProblem(problem, graph, scratch, { from, to, supply: SUPPLY * graph.values.ref[from]! });
  for (const { firstEdge } of graph.entries)
    addEdgeWithEnds(problem, graph, scratch, { edge: firstEdge, priceOf: () => 1 });
  return problem;
}
