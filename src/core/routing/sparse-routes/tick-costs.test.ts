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

type Order = {
  /** Pools of two tokens with equal reserves in wei, with ticks that cost gas or without. */
  readonly pools: readonly { readonly hasTicks: boolean; readonly reserve: bigint }[];
  readonly amount: number;
  /** Value of a unit of gas, in wei. */
  readonly perGas: number;
};

/** The supports that are chosen for an order over parallel pools. */
function choicesFor({ pools: kinds, amount, perGas }: Order) {
  const graph = emptyGraph(new Map([...fixtureRegistry, [tickedProduct.name, tickedProduct]]), WRAPPED);
  const workspace = emptyWorkspace();
  const specs = kinds.map(({ hasTicks, reserve }) => ({
    tokens: [WRAPPED, token(2)],
    reserves: [reserve, reserve],
    protocol: hasTicks ? tickedProduct.name : constantProduct.name,
  }));
  const pools = specs.map(poolOf);
  const states = new Map(pools.map(({ id }, k) => [id as string, { ...specs[k], feePpm: 3000n }]));
  patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
  resetScratch(workspace.scratch, graph);
  const [from, to] = [graph.nodeOf.get(WRAPPED)!, graph.nodeOf.get(token(2))!];
  const demand = { from, to, amount, allowed: () => true, late: () => false };
  findOptimum(graph, workspace, demand);
  const ticksOf = (edge: number, sold: number) =>
    graph.entries[graph.owner[edge]!]!.protocol === tickedProduct ? Math.floor(sold / Number(TICK_WIDTH)) : 0;
  return chooseLegs(graph, workspace, demand, {
    perGas: perGas * graph.values.ref[from]!,
    cap: 16,
    ends: { tokenIn: WRAPPED, tokenOut: token(2) },
    market: graph,
    gaining: [],
    isCut: false,
    realSets: [],
    values: undefined,
    gasOf: (flows) =>
      new Map(flows.map(({ edge, amount: sold }) => [edge, 60_000 + TICK_GAS * ticksOf(edge, sold)])),
  });
}

test("a support held short of a tick comes with one of a larger margin, in case slightly more arrives", () => {
  const reserve = 10n ** 21n;
  const pools = [true, false].map((hasTicks) => ({ hasTicks, reserve }));
  const choices = choicesFor({ pools, amount: 2.05e17, perGas: 1e7 });
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

test("a support that is behind others only because of its ticks is held short of them too", () => {
  const reserves = [351_040n, 22_490n, 909_560n, 188_480n, 198_910n].map((milli) => milli * 10n ** 15n);
  const pools = reserves.map((reserve, k) => ({ hasTicks: k === 2, reserve }));
  const choices = choicesFor({ pools, amount: 5.97e17, perGas: 7.14e8 });
  const [best] = choices;
  const free = choices.filter(({ limits }) => limits.size === 0);
  expect(best!.limits.size).toBe(1);
  expect(free.findIndex(({ edges }) => edges.join() === best!.edges.join())).toBeGreaterThan(1);
});
