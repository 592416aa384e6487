import fc from "fast-check";
import { expect, test } from "vitest";
import type { Pool, View } from "../../types.ts";
import { findRoute } from "../engine.ts";
import { ask, at, fixtureRegistry, type PairState, poolOf, token, WRAPPED } from "../market.fixture.ts";
import { emptyWorkspace } from "../workspace.ts";
import { emptyGraph, type Graph } from "./graph.ts";
import { completeMarket } from "./round-trips.ts";
import { patchGraph } from "./update.ts";

/**
 * Answers of a small market depend on its present states alone, not on the states before, which a replay of a block
 * does not have.
 */

const TOKENS = 12;
const POOLS: readonly Pool[] = Array.from({ length: 60 }, (_, n) => {
  const [one, other] = [n % TOKENS, (n + 1 + (n % 5)) % TOKENS];
  const third = n % 11 === 3 ? [token((n + 7) % TOKENS)] : [];
  return poolOf({ tokens: [token(one), token(other), ...third], reserves: [] }, n);
});

type States = readonly PairState[];

/** Reserves of all pools, each a little off a fair price, so that some cycles are profitable. */
const states: fc.Arbitrary<States> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: -60, max: 60 })), {
    minLength: POOLS.length,
    maxLength: POOLS.length,
  })
  .map((choices) =>
    choices.map(([depth, off], n) => ({
      reserves: POOLS[n]!.tokens.map((_, k) => BigInt(depth) * 10n ** 17n * BigInt(10_000 + k * off)),
      feePpm: 3000n,
    })),
  );

/** A block: the pools that it changes, in order, and their new states. */
const block = fc.record({
  pools: fc.shuffledSubarray([...POOLS.keys()], { minLength: 1, maxLength: 20 }),
  states,
});

function viewOf(now: Map<string, PairState>): View {
  return { get: (id) => now.get(id) };
}

function byId(all: States): Map<string, PairState> {
  return new Map(POOLS.map(({ id }, n) => [id, all[n]!]));
}

/** A market that had these states from the beginning. */
function atOnce(all: States): Graph {
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  patchGraph(graph, { pools: POOLS, removed: [] }, viewOf(byId(all)), at);
  completeMarket(graph);
  return graph;
}

const ORDERS = [1, 4].flatMap((n) => [
  ask(token(n), token(n + 4), 10n ** 20n, { maxLegs: 16 }),
  ask(WRAPPED, token(n), 10n ** 21n, { maxLegs: 16, gasPriceWei: 10n ** 10n }),
  ask(token(n), WRAPPED, 10n ** 19n, { side: "out", maxLegs: 16 }),
]);

function answersOf(graph: Graph) {
  const workspace = emptyWorkspace();
  return ORDERS.map((order) => {
    const answer = findRoute(graph, workspace, order);
    if (answer.kind === "missing") return answer.reason;
    const { amountIn, amountOut, steps } = answer.route;
    const { optimality } = answer;
    return { amountIn, amountOut, steps: steps.map(({ pool, shareQ32 }) => [pool.id, shareQ32]), optimality };
  });
}

test("a market gives the same answers and bounds whatever blocks, and reverted blocks, came before", () => {
  fc.assert(
    fc.property(
      fc.record({ first: states, last: states, blocks: fc.array(block, { minLength: 1, maxLength: 4 }) }),
      fc.shuffledSubarray([...POOLS.keys()], { minLength: POOLS.length }),
      fc.integer({ min: 1, max: 60 }),
      ({ first, last, blocks }, order, size) => {
        const graph = atOnce(first);
        const now = byId(first);
        const change = (pools: readonly number[], to: States) => {
          for (const n of pools) now.set(POOLS[n]!.id, to[n]!);
          patchGraph(graph, { pools: pools.map((n) => POOLS[n]!), removed: [] }, viewOf(now), at);
          completeMarket(graph);
        };
        for (const { pools, states: to } of blocks) change(pools, to);
        for (const { pools } of [...blocks].reverse()) change(pools, first);
        for (let k = 0; k < order.length; k += size) change(order.slice(k, k + size), last);
        const fresh = atOnce(last);
        expect(graph.base.price.slice(0, TOKENS)).toEqual(fresh.base.price.slice(0, TOKENS));
        expect(answersOf(graph)).toEqual(answersOf(fresh));
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
});

test("a token behind a bottleneck has the same value whichever of its pools paid more in the block before", () => {
  const pools = [
    [WRAPPED, token(1)],
    [token(1), token(2)],
    [token(1), token(2)],
  ].map((tokens, n) => poolOf({ tokens, reserves: [] }, n));
  const unit = 10n ** 18n;
  const now = new Map<string, PairState>();
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const block = (paid: readonly bigint[]) => {
    for (const [n, { id }] of pools.entries())
      now.set(id, { reserves: [(n === 0 ? 1n : 1000n) * unit, paid[n]! * unit], feePpm: 3000n });
    patchGraph(graph, { pools, removed: [] }, viewOf(now), at);
    return graph.values.ref[graph.nodeOf.get(token(2))!];
  };
  const before = block([1n, 1000n, 1001n]);
  block([1n, 1000n, 999n]);
  expect(block([1n, 1000n, 1001n])).toBe(before);
});
