import { expect, test } from "vitest";
import { seeded } from "../../../../../test/support/random.ts";
import { at, fixtureRegistry, type PairState, poolOf, token, WRAPPED } from "../../market.fixture.ts";
import { emptyGraph, type Graph } from "../graph.ts";
import { refreshNearPairs } from "../near-pairs.ts";
import { patchGraph } from "../update.ts";
import { refreshBasePrices } from "./base-prices.ts";
import { bestPrice } from "./best-price.ts";
import { isRoot } from "./roots.ts";

const FEE_PPM = 3000n;
const KEPT = 1 - Number(FEE_PPM) / 1e6;
const REFERENCE_GAS_WEI = 1e9;
const ETH = 10n ** 18n;

/**
 * What both directions of the pools earn at a price of the token in the native coin, as `base-prices.ts` sums it, in
 * wei.
 */
function earnedAt(price: number, pools: readonly PairState[], gas: number): number {
  const least = REFERENCE_GAS_WEI * gas;
  const penalty = (earned: number) => (earned < 2 * least ? earned ** 2 / (4 * least) : earned - least);
  return pools.reduce((sum, { reserves }) => {
    const [native, held] = reserves.map(Number) as [number, number];
    const sold = Math.max(0, Math.sqrt(native) - Math.sqrt((price * held) / KEPT)) ** 2;
    const bought = Math.max(0, Math.sqrt(price * held) - Math.sqrt(native / KEPT)) ** 2;
    return sum + penalty(sold) + penalty(bought);
  }, 0);
}

/** The price at which that sum is least, by ternary search: it is convex in the logarithm of the price. */
function bestOf(pools: readonly PairState[], gas: number): number {
  let [low, high] = [Math.log(1e-9), Math.log(1e9)];
  for (let k = 0; k < 200; k++) {
    const third = (high - low) / 3;
    const isLeft = earnedAt(Math.exp(low + third), pools, gas) < earnedAt(Math.exp(high - third), pools, gas);
    if (isLeft) high -= third;
    else low += third;
  }
  return Math.exp(low);
}

test("a token's base price is that at which its pools earn least, however far a block moves their prices", () => {
  const pools = Array.from({ length: 5 }, (_, n) => poolOf({ tokens: [WRAPPED, token(1)], reserves: [] }, n));
  const states = new Map<string, PairState>();
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const view = { get: (id: string) => states.get(id) };
  // The pools' prices differ by more than their fees, so at every price some pool earns.
  const stateOf = (n: number, price: number): PairState => ({
    reserves: [
      ETH * BigInt(100 * (n + 1)),
      (ETH * BigInt(100 * (n + 1)) * 10n ** 9n) / BigInt(Math.round(price * 1e9)),
    ],
    feePpm: FEE_PPM,
  });
  for (const [n, pool] of pools.entries()) states.set(pool.id, stateOf(n, 1 + n / 50));
  patchGraph(graph, { pools, removed: [] }, view, at);
  for (const price of [1.000001, 1.0003, 1.01, 1.5, 40, 3000, 0.002, 1.01]) {
    for (const moved of [0, 3]) {
      states.set(pools[moved]!.id, stateOf(moved, price * (1 + moved / 20)));
      patchGraph(graph, { pools: [pools[moved]!], removed: [] }, view, at);
      const found = refreshBasePrices(graph).price[graph.nodeOf.get(token(1))!]!;
      const best = bestOf([...states.values()], graph.gas[0]!);
      expect(Math.abs(Math.log(found / best))).toBeLessThan(1e-5);
    }
  }
});

/** How far a price of the market is from the best one, the others held, as a logarithm. */
function farthestOf(graph: Graph): number {
  const { price } = graph.base;
  const nodes = [...graph.tokens.keys()].filter((node) => !isRoot(graph, node) && price[node]! > 0);
  return Math.max(...nodes.map((node) => Math.abs(Math.log(bestPrice(graph, node, price) / price[node]!))));
}

/**
 * Tolerance, as a logarithm. At all prices inside a token's band no pool earns, so all are best, and `bestPrice` moves one that is near an
 * end of the band by up to this much.
 */
const NEAR_BEST = 8e-4;

test("after each block every price of a large market is the best one, the others held", () => {
  const TOKENS = 100;
  const random = seeded(7);
  const pools = Array.from({ length: 700 }, (_, n) => {
    const other = n % 2 === 0 ? WRAPPED : token(1 + ((n + 1 + (n % 7)) % TOKENS));
    return poolOf({ tokens: [token(1 + (n % TOKENS)), other], reserves: [] }, n);
  });
  const states = new Map<string, PairState>();
  const view = { get: (id: string) => states.get(id) };
  /** One pool in twenty is off the market, by more than its fee in most cases. */
  const change = (n: number) => {
    const off = random() < 0.05 ? 1 + 0.03 * random() : 1 + 0.001 * random();
    const held = 10n ** 20n * BigInt(1 + Math.floor(9 * random()));
    const other = BigInt(Math.round(Number(held) * off));
    states.set(pools[n]!.id, { reserves: [held, other], feePpm: FEE_PPM });
  };
  for (const n of pools.keys()) change(n);
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  patchGraph(graph, { pools, removed: [] }, view, at);
  refreshNearPairs(graph);
  expect(graph.near.leaning.length).toBeGreaterThan(20);
  for (let block = 0; block < 60; block++) {
    const changed = Array.from({ length: 5 }, () => Math.floor(random() * pools.length));
    for (const n of changed) change(n);
    patchGraph(graph, { pools: changed.map((n) => pools[n]!), removed: [] }, view, at);
    refreshNearPairs(graph);
    expect(farthestOf(graph)).toBeLessThan(NEAR_BEST);
  }
});

test("tokens that a pool of constant price ties move together, to where the pools of both earn least", () => {
  const tie = poolOf({ tokens: [token(1), token(2)], reserves: [0n, 0n], protocol: "wrapper" }, 0);
  const pools = [1, 2, 1, 2].map((n, k) => poolOf({ tokens: [WRAPPED, token(n)], reserves: [] }, k + 1));
  const states = new Map<string, PairState | true>([[tie.id, true]]);
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const view = { get: (id: string) => states.get(id) };
  const stateOf = (price: number): PairState => ({
    reserves: [ETH * 100n, (ETH * 100n * 10n ** 9n) / BigInt(Math.round(price * 1e9))],
    feePpm: FEE_PPM,
  });
  for (const pool of pools) states.set(pool.id, stateOf(1));
  patchGraph(graph, { pools: [tie, ...pools], removed: [] }, view, at);
  // The pools of either token agree with each other, and not with those of the other: alone neither would move.
  for (const [first, second] of [
    [1.02, 1.02],
    [3, 3.1],
    [0.5, 0.48],
  ] as const) {
    for (const [k, pool] of pools.entries()) states.set(pool.id, stateOf(k % 2 === 0 ? first : second));
    patchGraph(graph, { pools, removed: [] }, view, at);
    const { price } = refreshBasePrices(graph);
    const [one, two] = [1, 2].map((n) => price[graph.nodeOf.get(token(n))!]!);
    expect(one).toBe(two);
    const held = pools.map(({ id }) => states.get(id) as PairState);
    const gas = graph.gas[graph.entries.find(({ pool }) => pool === pools[0])!.firstEdge]!;
    if (first === second) expect(Math.abs(Math.log(one! / first))).toBeLessThan(4e-3);
    else expect(Math.abs(Math.log(one! / bestOf(held, gas)))).toBeLessThan(1e-5);
  }
});
