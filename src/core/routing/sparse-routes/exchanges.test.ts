import { expect, test } from "vitest";
import { addEdgeWithEnds, beginProblem } from "../convex/problem.ts";
import { resetScratch } from "../convex/scratch.ts";
import { graphOf, token } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { additionsTo } from "./additions.ts";
import { exchangesFor } from "./exchanges.ts";
import { improve } from "./moves.ts";
import { type LegChoice, solveSupport } from "./support.ts";

const AMOUNT = 10n ** 21n;

/** Pools by the numbers of their tokens and their reserves, as a multiple of the order. */
type Pools = readonly (readonly [from: number, to: number, deep: bigint])[];

/** A search over one direction of each pool, in which each leg costs a share of the order. */
function pickerOf(pools: Pools, share: number): LegChoice {
  const workspace = emptyWorkspace();
  const specs = pools.map(([a, b, deep]) => ({
    tokens: [token(a), token(b)],
    reserves: [deep * AMOUNT, deep * AMOUNT],
    feePpm: 100n,
  }));
  const graph = graphOf(specs);
  resetScratch(workspace.scratch, graph);
  const { problem, scratch } = workspace;
  const [from, to] = [graph.nodeOf.get(token(0))!, graph.nodeOf.get(token(1))!];
  const supply = Number(AMOUNT) * graph.values.ref[from]!;
  beginProblem(problem, graph, scratch, { from, to, supply });
  for (const { firstEdge } of graph.entries)
    addEdgeWithEnds(problem, graph, scratch, { edge: firstEdge, priceOf: () => 1 });
  return {
    graph,
    workspace,
    cap: Infinity,
    forms: new Uint8Array(problem.edges),
    formOfEnds: 0,
    hops: 4,
    cost: new Float64Array(problem.edges).fill(share * supply),
    crossing: new Float64Array(problem.edges),
    optimum: [...Array(problem.edges).keys()],
    tried: new Map(),
    worths: new WeakMap(),
    isDirect: true,
    isCertain: true,
    late: () => false,
  };
}

/** From token 0 to token 2, and from there to token 1 over a chain of three deep pools or by one shallower pool. */
const ROUND: Pools = [
  [0, 2, 400n],
  [2, 3, 4_000n],
  [3, 4, 4_000n],
  [4, 1, 4_000n],
  [2, 1, 1_000n],
];

test("one pool replaces a chain of deep pools if their gas exceeds what it pays less", () => {
  const choice = pickerOf(ROUND, 1e-3);
  const from = solveSupport(choice, [0, 1, 2, 3]);
  const [first] = exchangesFor(choice, from);
  expect(first).toMatchObject({ edge: 4, gone: [1, 2, 3] });
  const to = solveSupport(choice, [0, 4]);
  expect(to.net).toBeGreaterThan(from.net);
  expect(to.net).toBeLessThanOrEqual(from.net + first!.gain);
  expect(improve(choice, from, new Set()).edges).toEqual([0, 4]);
});

const DEEP = Array.from({ length: 9 }, (_, k): Pools[number] => [0, 2, 900n + 10n * BigInt(k)]);

/** Detours over nine deep pools to one bottleneck, of which none pays, and whose bounds are above those of other additions. */
function besideDetours(other: Pools) {
  const choice = { ...pickerOf([[0, 1, 5n], ...DEEP, [2, 1, 6n], ...other], 0.045), cap: 16 };
  const from = solveSupport(choice, [0]);
  const first = additionsTo(choice, from).slice(0, DEEP.length);
  expect(first.map(({ edges }) => edges[1])).toEqual(Array(DEEP.length).fill(10));
  return { choice, from };
}

test("detours over many deep pools to one bottleneck do not keep one pool from being added", () => {
  const { choice, from } = besideDetours([[0, 1, 3n]]);
  const to = improve(choice, from, new Set());
  expect(to.edges).toEqual([0, 11]);
  expect(to.net).toBeGreaterThan(1.004 * from.net);
});

test("nor, where it is thorough, a detour that shares no pool with them from being solved", () => {
  const { choice, from } = besideDetours([
    [0, 3, 5n],
    [3, 1, 400n],
  ]);
  const isSolved = () => [...choice.tried.keys()].includes(`${String.fromCharCode(0, 11, 12)};`);
  improve(choice, from, new Set());
  expect(isSolved()).toBe(false);
  improve(choice, from, new Set(), true);
  expect(isSolved()).toBe(true);
});

test("local search stops at a support that another one continued from", () => {
  const choice = pickerOf(ROUND, 1e-3);
  const from = solveSupport(choice, [0, 1, 2, 3]);
  const passed = new Set<string>();
  const to = improve(choice, from, passed);
  expect(passed).toContain(from.edges.join());
  expect(passed).toContain(to.edges.join());
  const solved = choice.tried.size;
  expect(improve(choice, from, passed)).toBe(from);
  expect(choice.tried.size).toBe(solved);
});

test("a chain that another flow joins is not replaced, and with free gas nothing is", () => {
  const joined: Pools = [...ROUND, [0, 3, 400n]];
  const choice = pickerOf(joined, 1e-3);
  const gone = exchangesFor(choice, solveSupport(choice, [0, 1, 2, 3, 5])).map((one) => one.gone.join());
  expect(gone).not.toContain("1,2,3");
  const free = pickerOf(ROUND, 0);
  const all = solveSupport(free, [0, 1, 2, 3, 4]);
  expect(all.edges).toEqual([0, 1, 2, 3, 4]);
  expect(exchangesFor(free, all)).toEqual([]);
});
