import { describe, expect, test } from "vitest";
import { resetScratch } from "../../convex/scratch.ts";
import { graphOf, type PairSpec, token, WRAPPED } from "../../market.fixture.ts";
import { emptyWorkspace } from "../../workspace.ts";
import { type Followed, type Following, followUp, mostHops, solveAlong } from "./fallback.ts";
import { emptyPieceMemory } from "./piece-memory.ts";
import { emptyValueMemory, valueTokens } from "./send-by-value.ts";

const [A, B, C] = [token(1), token(2), token(3)];
const E18 = 10n ** 18n;
const AMOUNT = 1e20;

const fair = (depth: bigint) => ({ tokens: [A, B], reserves: [depth * E18, depth * E18] });
/** One deep pool, six that each carry about a hundredth of the order in the optimum, and a path over a third token. */
const PARALLEL: readonly PairSpec[] = [
  fair(2000n),
  ...Array.from({ length: 6 }, (_, k) => fair(40n + BigInt(k))),
  { tokens: [A, C], reserves: [300n * E18, 300n * E18] },
  { tokens: [C, B], reserves: [300n * E18, 300n * E18] },
];
/** Adds a profitable cycle between A and C, which makes prices inconsistent. */
const ASTRAY: readonly PairSpec[] = [
  ...PARALLEL,
  { tokens: [A, C], reserves: [30n * E18, 36n * E18] },
  { tokens: [WRAPPED, C], reserves: [500n * E18, 500n * E18] },
];

/** The solution over the deep pool alone, and what `followUp` makes of it. */
function followed(specs: readonly PairSpec[], rules: Partial<Following["rules"]> = {}) {
  const graph = graphOf(specs);
  const workspace = emptyWorkspace();
  resetScratch(workspace.scratch, graph);
  const [from, to] = [graph.nodeOf.get(A)!, graph.nodeOf.get(B)!];
  const demand = { from, to, amount: AMOUNT, allowed: () => true, late: () => false };
  const all = { perGas: 0, cap: Infinity, hops: 4, ...rules };
  const memory = { pieces: emptyPieceMemory(graph, mostHops(all)), byValue: emptyValueMemory(graph) };
  const following = { graph, workspace, demand, exhausted: new Map(), memory, rules: all };
  const edges = [...graph.tail.subarray(0, graph.edges).keys()];
  const deep = edges.find((edge) => graph.owner[edge] === 0 && graph.tail[edge] === from)!;
  valueTokens(graph, memory.byValue, demand, graph.pairs.spot);
  const alone = solveAlong(following, [{ edge: deep, amount: AMOUNT }])!;
  const whole = () =>
    solveAlong(
      following,
      edges
        .filter((edge) => graph.head[edge] !== from && graph.tail[edge] !== to)
        .map((edge) => ({ edge, amount: 0 })),
    )!;
  return { graph, following, alone, whole, best: followUp(following, alone) };
}

const soldIn = ({ flows }: Followed, tail: Int32Array, node: number) =>
  flows.reduce((sum, { edge, amount }) => sum + (tail[edge] === node ? amount : 0), 0);

describe("followUp", () => {
  test("finds pools that carry a hundredth of the order, and ends at the optimum over all edges", () => {
    const { graph, alone, best, whole, following } = followed(PARALLEL);
    expect(alone.flows).toHaveLength(1);
    expect(best.flows).toHaveLength(9);
    expect(best.net / whole().net).toBeCloseTo(1, 7);
    expect(soldIn(best, graph.tail, following.demand.from) / AMOUNT).toBeCloseTo(1, 9);
  });

  test("collects the arbitrage of a cycle over flows without cycles", () => {
    const { graph, best } = followed(ASTRAY);
    const { best: without } = followed(PARALLEL);
    expect(best.net).toBeGreaterThan(without.net * 1.001);
    const sold = new Set(best.flows.map(({ edge }) => graph.tail[edge]));
    expect(sold.has(graph.nodeOf.get(B)!)).toBe(false);
  });

  test("keeps the cap on legs, and nets more than the single pool", () => {
    const { alone, best } = followed(PARALLEL, { cap: 3 });
    expect(best.flows.length).toBeLessThanOrEqual(3);
    expect(best.net).toBeGreaterThan(alone.net);
  });

  test("adds no path whose gas exceeds its gain", () => {
    const { graph, alone, best } = followed(PARALLEL, { perGas: 1e18 });
    expect(graph.gas[alone.flows[0]!.edge]).toBeGreaterThan(0);
    expect(best).toBe(alone);
  });
});
