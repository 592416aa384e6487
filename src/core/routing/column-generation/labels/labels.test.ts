import fc from "fast-check";
import { expect, test } from "vitest";
import { addProblemNode, beginProblem, emptyProblem, type Problem } from "../../convex/problem.ts";
import { emptyScratch, resetScratch, type Scratch } from "../../convex/scratch.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { HUBS, pairsOf } from "../../pairs.fixture.ts";
import { beginWorth, type Worth } from "./label-bounds.ts";
import { settleWorth } from "./labels.ts";

const TOKENS = 900;
const [LOSS, OFF] = [0.01, 0.02];

type Known = { readonly buyPrices: Float64Array; readonly sellPrices: Float64Array };

/** A pricing step over a market from a problem of the tokens given, the first two of which are the order's ends. */
function stepOf(graph: Graph, priced: readonly (readonly [node: number, price: number])[]): Worth {
  const scratch = emptyScratch();
  const problem = emptyProblem();
  resetScratch(scratch, graph);
  const [[from], [to]] = [priced[0]!, priced[1]!];
  beginProblem(problem, graph, scratch, { from, to, supply: 1 });
  for (const [node, price] of priced) {
    const local = addProblemNode(problem, graph, scratch, { node, price });
    problem.price[local] = price;
  }
  const demand = { from, to, amount: 1, allowed: () => true, late: () => false };
  return { graph, scratch, problem, demand, prices: graph.pairs.spot };
}

/** Best buy and sell prices by relaxing all pairs until nothing changes. */
function byAllPairs({ graph: { pairs, tokens }, problem, demand: { from, to } }: Worth): Known {
  const buyPrices = new Float64Array(tokens.length).fill(Infinity);
  const sellPrices = new Float64Array(tokens.length);
  const inside = insideOf(problem);
  for (const [node, price] of inside) buyPrices[node] = sellPrices[node] = price;
  for (let moved = true; moved; ) {
    moved = false;
    for (let pair = 0; pair < pairs.count; pair++) {
      const [u, v] = [pairs.tail[pair]!, pairs.tail[pair ^ 1]!];
      const cost = u === to ? Infinity : buyPrices[u]! / pairs.spot[pair]!;
      const sellPrice = v === from ? 0 : sellPrices[v]! * pairs.spot[pair]!;
      if (!inside.has(v) && cost < buyPrices[v]! * (1 - 1e-11)) {
        buyPrices[v] = cost;
        moved = true;
      }
      if (!inside.has(u) && sellPrice > sellPrices[u]! * (1 + 1e-11)) {
        sellPrices[u] = sellPrice;
        moved = true;
      }
    }
  }
  return { buyPrices, sellPrices };
}

function insideOf({ node, price, nodes }: Problem): Map<number, number> {
  return new Map([...node.subarray(0, nodes)].map((one, n) => [one, price[n]!]));
}

function expectSame(step: Worth, known: Known): number {
  const { buyPrices, sellPrices, worth }: Scratch = step.scratch;
  const inside = insideOf(step.problem);
  let open = 0;
  for (const node of step.graph.tokens.keys()) {
    // No path passes through a token of one neighbour.
    if (inside.has(node) || step.graph.pairs.degree[node] === 1) continue;
    const pays = known.buyPrices[node]! < known.sellPrices[node]! * (1 - 1e-9);
    if (!pays) {
      if (known.buyPrices[node]! > known.sellPrices[node]! * (1 + 1e-9)) expect(worth[node]).toBe(0);
      continue;
    }
    open++;
    expect(buyPrices[node]! / known.buyPrices[node]!).toBeCloseTo(1, 9);
    expect(sellPrices[node]! / known.sellPrices[node]!).toBeCloseTo(1, 9);
    expect(worth[node]).toBeGreaterThanOrEqual(buyPrices[node]!);
    expect(worth[node]).toBeLessThanOrEqual(sellPrices[node]!);
  }
  return open;
}

/** Random choices that a graph is made from; a graph itself is too long to print if a property fails. */
const anyChoices = fc.array(fc.nat(2 ** 30), { minLength: 40, maxLength: 400 });
const priceOf = fc.integer({ min: -1000, max: 1000 }).map((n) => 1 + (OFF * n) / 1000);
const hubFirst = fc.oneof(fc.nat(HUBS - 1), fc.nat(TOKENS - 1));
const anyPrices = fc.uniqueArray(fc.tuple(hubFirst, priceOf), {
  minLength: 2,
  maxLength: 40,
  selector: ([node]) => node,
});

/** @returns the number of tokens with a buy price below their sell price */
function expectFound(choices: readonly number[], priced: [node: number, price: number][]): number {
  const graph = pairsOf(TOKENS, choices, LOSS);
  const step = stepOf(graph, priced);
  expect(graph.roundTrips.isArbitrageFree).toBe(true);
  beginWorth(step);
  expect(settleWorth(step)).toBe(true);
  return expectSame(step, byAllPairs(step));
}

test("tokens with a buy price below their sell price are found, with the prices that relaxing all pairs gives", () => {
  let open = 0;
  fc.assert(
    fc.property(anyChoices, anyPrices, (choices, priced) => {
      open += expectFound(choices, priced);
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect(open).toBeGreaterThan(1000);
});

test("such a token is found if it had a label before the better price of a hub made its path worth following", () => {
  let open = 0;
  fc.assert(
    fc.property(anyChoices, anyPrices, (choices, priced) => {
      open += expectFound(choices, priced);
    }),
    { seed: 20852089, path: "739", endOnFailure: true },
  );
  expect(open).toBeGreaterThan(0);
});

test("such tokens are found if no path leads to the native coin, so that round-trip rates bound nothing", () => {
  let open = 0;
  const twoHubs = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 4 }), priceOf), {
    minLength: 2,
    maxLength: 2,
    selector: ([node]) => node,
  });
  fc.assert(
    fc.property(anyChoices, twoHubs, (choices, priced) => {
      const graph = pairsOf(TOKENS, choices, LOSS);
      const { pairs } = graph;
      for (let pair = 0; pair < pairs.count; pair++)
        if (pairs.tail[pair] === 0 || pairs.tail[pair ^ 1] === 0) pairs.spot[pair] = 0;
      const step = stepOf(graph, priced);
      beginWorth(step);
      expect(settleWorth(step)).toBe(true);
      open += expectSame(step, byAllPairs(step));
    }),
    { numRuns: 30, endOnFailure: true },
  );
  expect(open).toBeGreaterThan(1000);
});

test("a pricing step does not depend on the one before it", () => {
  fc.assert(
    fc.property(anyChoices, anyPrices, (choices, priced) => {
      const step = stepOf(pairsOf(TOKENS, choices, LOSS), priced);
      const once = [beginWorth(step), settleWorth(step), step.scratch.buyPrices.slice()];
      const again = [beginWorth(step), settleWorth(step), step.scratch.buyPrices.slice()];
      expect(again).toEqual(once);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test("only a small part of the market is visited if the problem's prices are near those of the market", () => {
  const graph = pairsOf(
    TOKENS,
    [...Array(397).keys()].map((k) => (k * 2_654_435_761) % 2 ** 30),
    LOSS,
  );
  const step = stepOf(
    graph,
    [...Array(HUBS).keys()].map((hub) => [hub, 1 + hub / 1e5]),
  );
  beginWorth(step);
  settleWorth(step);
  expect(step.graph.roundTrips.hubs.nodes.length).toBeGreaterThan(3);
  expect(step.scratch.reached).toBeLessThan(TOKENS / 4);
});
