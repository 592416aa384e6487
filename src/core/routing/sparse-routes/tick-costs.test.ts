import { expect, test } from "vitest";
import { findOptimum } from "../column-generation/optimum.ts";
import { resetScratch } from "../convex/scratch.ts";
import {
  at,
  constantProduct,
  fixtureRegistry,
  poolOf,
  TICK_GAS,
  TICK_WIDTH,
  tickedProduct,
  token,
  WRAPPED,
} from "../market.fixture.ts";
import { emptyGraph } from "../market-graph/graph.ts";
import { patchGraph } from "../market-graph/update.ts";
import { emptyWorkspace } from "../workspace.ts";
import { chooseLegs } from "./support-search.ts";

const DEEP = 10n ** 21n;

test("a support held short of a tick comes with one of a larger margin, in case slightly more arrives", () => {
  const graph = emptyGraph(new Map([...fixtureRegistry, [tickedProduct.name, tickedProduct]]), WRAPPED);
  const workspace = emptyWorkspace();
  const specs = [tickedProduct.name, constantProduct.name].map((protocol) => ({
    tokens: [WRAPPED, token(2)],
    reserves: [DEEP, DEEP],
    protocol,
  }));
  const pools = specs.map(poolOf);
  const states = new Map(pools.map(({ id }, k) => [id as string, { ...specs[k], feePpm: 3000n }]));
  patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
  resetScratch(workspace.scratch, graph);
  const [from, to] = [graph.nodeOf.get(WRAPPED)!, graph.nodeOf.get(token(2))!];
  const demand = { from, to, amount: 2.05e17, allowed: () => true, late: () => false };
  findOptimum(graph, workspace, demand);
  const gas = (amount: number) => 60_000 + TICK_GAS * Math.floor(amount / Number(TICK_WIDTH));
  const choices = chooseLegs(graph, workspace, demand, {
    perGas: 1e7 * graph.values.ref[from]!,
    cap: 16,
    ends: { tokenIn: WRAPPED, tokenOut: token(2) },
    market: graph,
    gaining: [],
    realSets: [],
    values: undefined,
    gasOf: (flows) => new Map(flows.map(({ edge, amount }) => [edge, gas(amount)])),
  });
  const held = choices.filter(({ limits }) => limits.size > 0);
  const shortBy = held.map(
    ({ flows }) => 1 - Math.min(...flows.map(({ amount }) => amount)) / Number(TICK_WIDTH),
  );
  expect(held).toEqual(choices.slice(0, 2));
  expect(shortBy[0]).toBeGreaterThan(0.5e-6);
  expect(shortBy[0]).toBeLessThan(2e-6);
  expect(shortBy[1]).toBeGreaterThan(5e-6);
  expect(held[1]!.net / held[0]!.net).toBeCloseTo(1, 9);
});
