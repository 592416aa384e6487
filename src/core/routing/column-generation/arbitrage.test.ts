import { expect, test } from "vitest";
import type { Protocol } from "../../protocol.ts";
import { scaleOf } from "../certificate/local/local.ts";
import { resetScratch } from "../convex/scratch.ts";
import { fixtureRegistry, graphOf, type PairSpec, token, WRAPPED, wrapper } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { takeArbitrage } from "./arbitrage.ts";
import { findOptimum } from "./optimum.ts";

const E18 = 10n ** 18n;
const DEEP = 1_000_000n * E18;
const SHALLOW = 1_000n * E18;
/** Value of one unit of gas: next to nothing, but legs are not free. */
const PER_GAS = 1;
/** Reserve of the token bought in a pool whose price is too high by a fifth. */
const OFF = (SHALLOW * 6n) / 5n;

function pool(a: number, b: number, reserves: readonly [bigint, bigint] = [DEEP, DEEP]): PairSpec {
  return { tokens: [a === 0 ? WRAPPED : token(a), b === 0 ? WRAPPED : token(b)], reserves };
}

/**
 * Tokens on further paths of the order. They fill the first problem, so that it holds no token of a path that gains.
 */
const BESIDE = 40;
const beside = Array.from({ length: BESIDE }, (_, k) => 10 + k);

/** Token 1 is sold for token 2 over token 3, and a little over many others. */
const ALONG = [
  pool(0, 1),
  pool(1, 3),
  pool(3, 2),
  ...beside.flatMap((n) => [pool(1, n, [SHALLOW, SHALLOW]), pool(n, 2, [SHALLOW, SHALLOW])]),
];

/**
 * A path from `first` over tokens 5 and 6 to `last`. The price of the pool of 5 and 6 is off: selling 5 for 6 gains.
 */
function round(first: number, last: number): PairSpec[] {
  return [pool(first, 5, [SHALLOW, SHALLOW]), pool(5, 6, [SHALLOW, OFF]), pool(6, last, [SHALLOW, SHALLOW])];
}

/** The reachable arbitrage of an order that sells ten of token 1 for token 2, if legs are free and if they cost gas. */
function gained(specs: readonly PairSpec[]) {
  return { free: reachableAt(specs, 0), paid: reachableAt(specs, PER_GAS) };
}

function reachableAt(specs: readonly PairSpec[], perGas: number, registry = fixtureRegistry): number {
  const graph = graphOf(specs, registry);
  const workspace = emptyWorkspace();
  resetScratch(workspace.scratch, graph);
  const [from, to] = [graph.nodeOf.get(token(1))!, graph.nodeOf.get(token(2))!];
  const demand = { from, to, amount: 1e19, allowed: () => true, late: () => false };
  const { delivered } = findOptimum(graph.arbitrageFree.market!, workspace, demand)!;
  const scale = scaleOf(graph, workspace.dual);
  return takeArbitrage(graph, workspace, demand, { perGas, cap: Infinity, delivered, scale }).reachable;
}

test.each([
  ["leaves the token bought and comes back to it", round(2, 2)],
  ["leaves the token sold and comes back to it", round(1, 1)],
  ["leaves a token between them and comes back to it", round(3, 3)],
  ["leads from the token bought to the one sold", round(2, 1)],
  ["leads back from the token bought to one before it", round(2, 3)],
])("no route reaches what a way gains that %s", (_, ways) => {
  const { free, paid } = gained([...ALONG, ...ways]);
  expect(free).toBeGreaterThan(0.1);
  expect(paid).toBeLessThan(free / 100);
});

test.each([
  ["from the token sold to the one bought", round(1, 2)],
  ["from the token sold to one between them", round(1, 3)],
  ["from a token between them to the one bought", round(3, 2)],
])("a route reaches what a way gains that leads %s", (_, ways) => {
  const { free, paid } = gained([...ALONG, ...ways]);
  expect(free).toBeGreaterThan(0.1);
  expect(paid).toBeGreaterThan(free / 2);
});

/** Exchanges two tokens at par, as a peg stability module that may mint far more than there is. */
const module: Protocol = {
  ...(wrapper as Protocol),
  name: "module",
  curve: (...at) => ({ ...(wrapper as Protocol).curve(...at)!, end: 1e45 }),
};

test("nothing is reached by a pool without a fee, however much it sells, that gains by rounding alone", () => {
  const registry = new Map(fixtureRegistry).set(module.name, module);
  const parity: PairSpec = { tokens: [token(1), token(3)], reserves: [], protocol: module.name };
  const reached = reachableAt([...ALONG, ...round(1, 2), parity], 0, registry);
  expect(reached).toBeGreaterThan(0.1);
  expect(reached).toBeLessThan(1);
});
