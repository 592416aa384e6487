import { expect, test } from "vitest";
import type { Protocol, Registry } from "../../protocol.ts";
import { beginProblem } from "../convex/problem.ts";
import { resetScratch } from "../convex/scratch.ts";
import {
  ask,
  constantProduct,
  fixtureRegistry,
  graphOf,
  market,
  tickedProduct,
  token,
  WRAPPED,
} from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { addFrugal } from "./gas-candidates.ts";

/** A constant product with five times the gas. */
const dear: Protocol = {
  ...(constantProduct as Protocol),
  name: "dear",
  gas: () => 300_000,
  quote: (...asked) => {
    const fill = (constantProduct as Protocol).quote(...asked);
    return fill && { ...fill, gas: 300_000 };
  },
};
const registry: Registry = new Map([...fixtureRegistry, [dear.name, dear]]);
const GWEI = 10n ** 9n;
const DEEP = 10n ** 23n;

test("finds a pool of little gas among 120 pools that pay slightly more and take more gas", () => {
  const dearer = Array.from({ length: 120 }, () => ({
    tokens: [WRAPPED, token(2)],
    reserves: [DEEP, DEEP],
    protocol: dear.name,
  }));
  const cheap = { tokens: [WRAPPED, token(2)], reserves: [DEEP, (DEEP * 999n) / 1000n] };
  const { engine } = market([...dearer, cheap], registry);
  const request = ask(WRAPPED, token(2), 10n ** 18n, { maxLegs: 16, gasPriceWei: 100n * GWEI });
  const found = engine.find(request);
  expect(found.kind === "found" && found.route.steps.map(({ pool }) => pool.protocol)).toEqual([
    constantProduct.name,
  ]);
});

test.each([
  { gasShare: 0.1, isCandidate: true },
  { gasShare: 0.3, isCandidate: false },
])(
  "the pool of two busy tokens, whose gas is $gasShare of the order, is a candidate: $isCandidate",
  ({ gasShare, isCandidate }) => {
    const graph = graphOf([{ tokens: [token(1), token(2)], reserves: [DEEP, DEEP] }]);
    const workspace = emptyWorkspace();
    resetScratch(workspace.scratch, graph);
    const { problem, scratch } = workspace;
    const [from, to] = [graph.nodeOf.get(token(1))!, graph.nodeOf.get(token(2))!];
    const amount = 1e18;
    const supply = amount * graph.values.ref[from]!;
    beginProblem(problem, graph, scratch, { from, to, supply });
    scratch.back[from] = scratch.back[to] = 1;
    const edge = graph.entries[0]!.firstEdge;
    const demand = { from, to, amount, allowed: () => true, late: () => false };
    const perGas = (gasShare * supply) / graph.gas[edge]!;
    addFrugal(graph, workspace, demand, { carried: [{ edge, value: supply }], perGas });
    expect(scratch.inProblem[edge]! > 0).toBe(isCandidate);
  },
);

test("finds a path that crosses no ticks once the gas of a tick is learned", () => {
  const specs = [
    { tokens: [WRAPPED, token(2)], reserves: [DEEP, DEEP], protocol: tickedProduct.name },
    { tokens: [WRAPPED, token(3)], reserves: [DEEP, DEEP] },
    { tokens: [token(3), token(2)], reserves: [DEEP, DEEP] },
  ];
  const { engine } = market(specs, new Map([...fixtureRegistry, [tickedProduct.name, tickedProduct]]));
  const request = ask(WRAPPED, token(2), 10n ** 18n, { maxLegs: 16, gasPriceWei: 50n * GWEI });
  const found = engine.find(request);
  // Ten ticks cost two million units of gas, 0.1 coins; the path over token 3 loses 0.003 coins to its second fee.
  expect(found.kind === "found" && found.route.steps.map(({ pool }) => pool.protocol)).toEqual([
    constantProduct.name,
    constantProduct.name,
  ]);
});
