import { expect, test } from "vitest";
import type { Protocol } from "../protocol.ts";
import { emptyGraph } from "./graph.ts";
import { chooseLegs } from "./legs.ts";
import { at, constantProduct, fixtureRegistry, poolOf, token, WRAPPED } from "./market.fixture.ts";
import { findOptimum } from "./optimum.ts";
import { patchGraph } from "./patch.ts";
import { resetScratch } from "./scratch.ts";
import { emptyWorkshop } from "./workshop.ts";

const WIDTH = 10n ** 17n;
const DEEP = 10n ** 21n;
const TICK_GAS = 200_000;

/** A constant product whose curve has a segment for every `WIDTH` that is sold to it. */
const ticked: Protocol = {
  ...(constantProduct as Protocol),
  name: "ticked",
  curve: (mirror, i, j) => {
    const { reserves, keep } = mirror as { reserves: number[]; keep: number };
    const x = Array.from({ length: 40 }, (_, k) => k * Number(WIDTH));
    const given = x.map((sold) => reserves[i]! + sold * keep);
    return {
      x,
      y: x.map((sold, k) => (sold * keep * reserves[j]!) / given[k]!),
      m: given.map((held) => (keep * reserves[j]! * reserves[i]!) / held ** 2),
      c: given.map((held) => keep / held),
      end: 1e19,
    };
  },
};

test("a set held short of a tick comes with one held further, for where a little more arrives", () => {
  const graph = emptyGraph(new Map([...fixtureRegistry, [ticked.name, ticked]]), WRAPPED);
  const shop = emptyWorkshop();
  const specs = [ticked.name, constantProduct.name].map((protocol) => ({
    tokens: [WRAPPED, token(2)],
    reserves: [DEEP, DEEP],
    protocol,
  }));
  const pools = specs.map(poolOf);
  const states = new Map(pools.map(({ id }, k) => [id as string, { ...specs[k], feePpm: 3000n }]));
  patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
  resetScratch(shop.scratch, graph);
  const [from, to] = [graph.nodeOf.get(WRAPPED)!, graph.nodeOf.get(token(2))!];
  const demand = { from, to, amount: 2.05e17, allowed: () => true, late: () => false };
  findOptimum(graph, shop, demand);
  const gas = (amount: number) => 60_000 + TICK_GAS * Math.floor(amount / Number(WIDTH));
  const choices = chooseLegs(graph, shop, demand, {
    perGas: 1e7 * graph.values.ref[from]!,
    cap: 16,
    scouted: [],
    values: undefined,
    most: Infinity,
    gasOf: (flows) => new Map(flows.map(({ edge, amount }) => [edge, gas(amount)])),
  });
  const held = choices.filter(({ limits }) => limits.size > 0);
  const shortBy = held.map(({ flows }) => 1 - Math.min(...flows.map(({ amount }) => amount)) / Number(WIDTH));
  expect(held).toEqual(choices.slice(0, 2));
  expect(shortBy[0]).toBeGreaterThan(0.5e-6);
  expect(shortBy[0]).toBeLessThan(2e-6);
  expect(shortBy[1]).toBeGreaterThan(5e-6);
  expect(held[1]!.net / held[0]!.net).toBeCloseTo(1, 9);
});
