import { describe, expect, test } from "vitest";
import { findOptimum } from "../column-generation/optimum.ts";
import { resetScratch } from "../convex/scratch.ts";
import { outputAt } from "../curves/segments.ts";
import { graphOf, type PairSpec, token } from "../market.fixture.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Flow } from "../settlement/layout.ts";
import { emptyWorkspace, type Workspace } from "../workspace.ts";
import { tidy } from "./pruning.ts";

const [A, B] = [token(1), token(2)];
const UNHURRIED = { losses: new Map<number, number>(), late: () => false };

/** The optimum of an order over a market, with what `tidy` works on. */
function solved(
  specs: readonly PairSpec[],
  amount: number,
): { graph: Graph; workspace: Workspace; flows: Flow[] } {
  const graph = graphOf(specs);
  const workspace = emptyWorkspace();
  resetScratch(workspace.scratch, graph);
  const [from, to] = [graph.nodeOf.get(A)!, graph.nodeOf.get(B)!];
  findOptimum(graph, workspace, { from, to, amount, allowed: () => true, late: () => false });
  return {
    graph,
    workspace,
    flows: [...workspace.primalFlow.flows].map(([edge, sent]) => ({ edge, amount: sent })),
  };
}

/** What flows over parallel pools pay in integer amounts. */
function paid({ curves }: Graph, flows: readonly Flow[]): number {
  return flows.reduce((sum, { edge, amount }) => sum + Math.floor(outputAt(curves, edge, amount)), 0);
}

describe("tidy", () => {
  test("drops pools that earn less than rounding costs, and still sells the whole order", () => {
    const deep = { tokens: [A, B], reserves: [10n ** 21n, 10n ** 5n] };
    const shallow = Array.from({ length: 20 }, (_, k) => ({
      tokens: [A, B],
      reserves: [10n ** 17n + BigInt(k) * 10n ** 14n, 10n] as const,
    }));
    const { graph, workspace, flows } = solved([deep, ...shallow], 1e20);
    const tidied = tidy(graph, workspace, flows, UNHURRIED)!.flows;
    expect(flows.length).toBeGreaterThan(10);
    expect(tidied.length).toBeLessThan(flows.length / 2);
    expect(paid(graph, tidied)).toBeGreaterThan(paid(graph, flows));
    expect(tidied.reduce((sum, { amount }) => sum + amount, 0) / 1e20).toBeCloseTo(1, 9);
  });

  test("drops a pool whose measured rounding loss exceeds what it earns", () => {
    const pools = [1n, 2n, 3n].map((k) => ({ tokens: [A, B], reserves: [k * 10n ** 20n, k * 10n ** 20n] }));
    const { graph, workspace, flows } = solved(pools, 1e19);
    const small = flows.reduce((least, flow) => (flow.amount < least.amount ? flow : least));
    const tidied = tidy(graph, workspace, flows, {
      ...UNHURRIED,
      losses: new Map([[small.edge, 1e19]]),
    })!.flows;
    expect(tidied.map(({ edge }) => edge).sort()).toEqual(
      flows.flatMap(({ edge }) => (edge === small.edge ? [] : [edge])).sort(),
    );
  });

  test("returns undefined if every pool earns more than its rounding loss", () => {
    const pools = [1n, 2n, 3n].map((k) => ({ tokens: [A, B], reserves: [k * 10n ** 20n, k * 10n ** 20n] }));
    const { graph, workspace, flows } = solved(pools, 1e19);
    expect(flows).toHaveLength(3);
    expect(tidy(graph, workspace, flows, UNHURRIED)).toBeUndefined();
  });
});
