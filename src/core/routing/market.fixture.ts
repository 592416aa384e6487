import { noJoint, unlimitedWeightedJoint, weightedJoint } from "../math/sampling/joint-curves.ts";
import type { Protocol, Registry } from "../protocol.ts";
import { type Address, type At, NATIVE, type Pool, type Route, type View } from "../types.ts";
import { createEngine } from "./engine.ts";
import { emptyGraph, type Graph } from "./market-graph/graph.ts";
import { completeMarket } from "./market-graph/round-trips.ts";
import { patchGraph } from "./market-graph/update.ts";
import type { Engine, RouteRequest } from "./types.ts";

/** State of a pool of the protocols in this file, with which tests build markets. */
export type PairState = { readonly reserves: readonly bigint[]; readonly feePpm: bigint };

const PPM = 1_000_000n;

function unused(): never {
  throw new Error("not part of a routing test");
}

const edge = {
  topics: [],
  creations: [],
  byPair: unused,
  hinted: () => [],
  bitmap: unused,
  seeds: () => [],
  discover: unused,
  touches: () => [],
  reads: () => [],
};
const upkeep = { load: unused, apply: unused, stale: () => false, encode: unused };

/** Constant product over any number of tokens: x·y = k between the two that are traded. */
export const constantProduct: Protocol<PairState, { reserves: number[]; keep: number }> = {
  name: "constant-product",
  ...edge,
  ...upkeep,
  quote(...[view, pool, i, j, amount, side]) {
    const state = view.get(pool.stateIds[0]) as PairState;
    const inside = state.reserves[i]!;
    const outside = state.reserves[j]!;
    const keep = PPM - state.feePpm;
    if (side === "out" && amount >= outside) return undefined;
    const amountIn = side === "in" ? amount : (inside * amount * PPM) / ((outside - amount) * keep) + 1n;
    const amountOut = side === "in" ? (amount * keep * outside) / (inside * PPM + amount * keep) : amount;
    if (amountIn <= 0n || amountOut <= 0n || inside + amountIn >= 2n ** 112n) return undefined;
    const reserves = state.reserves.map((reserve, k) =>
      k === i ? reserve + amountIn : k === j ? reserve - amountOut : reserve,
    );
    return { amountIn, amountOut, gas: 60_000, writes: [[pool.stateIds[0], { ...state, reserves }]] };
  },
  mirror: ({ reserves, feePpm }) => ({ reserves: reserves.map(Number), keep: 1 - Number(feePpm) / 1e6 }),
  quoteFloat: ({ reserves, keep }, i, j, x) => (x * keep * reserves[j]!) / (reserves[i]! + x * keep),
  curve: ({ reserves, keep }, i, j) => ({
    x: Float64Array.of(0),
    y: Float64Array.of(0),
    m: Float64Array.of((keep * reserves[j]!) / reserves[i]!),
    c: Float64Array.of(keep / reserves[i]!),
    end: 2 ** 112 - reserves[i]!,
  }),
  joint({ reserves, keep }, _traded, limited) {
    const pool = { balances: reserves, weights: reserves.map(() => 1), keep };
    return limited ? weightedJoint({ ...pool, mostIn: 3, mostOut: 0.75 }) : unlimitedWeightedJoint(pool);
  },
  gas: () => 60_000,
};

/** A constant product without a closed-form curve, so that the engine has to sample it. */
export const sampledProduct: Protocol<PairState, { reserves: number[]; keep: number }> = {
  ...constantProduct,
  name: "sampled-product",
  curve: () => undefined,
};

/** Amount sold between two ticks of `tickedProduct`, in smallest units, and gas units of crossing one. */
export const TICK_WIDTH = 10n ** 17n;
export const TICK_GAS = 200_000;

/**
 * A constant product that takes `TICK_GAS` for every `TICK_WIDTH` sold to it, and whose curve has a segment for each.
 */
export const tickedProduct: Protocol = {
  ...(constantProduct as Protocol),
  name: "ticked-product",
  quote: (...asked) => {
    const fill = (constantProduct as Protocol).quote(...asked);
    return fill && { ...fill, gas: fill.gas + TICK_GAS * Number(fill.amountIn / TICK_WIDTH) };
  },
  curve: (mirror, i, j) => {
    const { reserves, keep } = mirror as { reserves: number[]; keep: number };
    const x = Array.from({ length: 40 }, (_, k) => k * Number(TICK_WIDTH));
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

export const wrapper: Protocol<boolean, boolean> = {
  name: "wrapper",
  ...edge,
  ...upkeep,
  quote: (...[, , , , amount]) => ({ amountIn: amount, amountOut: amount, gas: 20_000, writes: [] }),
  mirror: (state) => state,
  quoteFloat: (_mirror, _i, _j, x) => x,
  curve: () => ({
    x: Float64Array.of(0),
    y: Float64Array.of(0),
    m: Float64Array.of(1),
    c: Float64Array.of(0),
    end: Number.POSITIVE_INFINITY,
  }),
  joint: noJoint,
  gas: () => 20_000,
};

export const fixtureRegistry: Registry = new Map<string, Protocol>([
  [constantProduct.name, constantProduct as Protocol],
  [sampledProduct.name, sampledProduct as Protocol],
  [wrapper.name, wrapper as Protocol],
]);

export const at: At = { blockNumber: 1, timestamp: 1 };

/** Address of token number `n`; 0 is the wrapped native coin. */
export function token(n: number): Address {
  return `0x${n.toString(16).padStart(40, "0")}`;
}

export const WRAPPED = token(0);

export type PairSpec = {
  readonly tokens: readonly Address[];
  readonly reserves: readonly bigint[];
  readonly feePpm?: bigint;
  readonly protocol?: string;
};

/**
 * Nine pools between tokens 1 and 2: two shallow direct ones, a path over token 3, a deep path over 4, 5 and 6, and a
 * link from 3 to 6.
 */
export const NINE: readonly PairSpec[] = (
  [
    [1, 2, 1n],
    [1, 2, 2n],
    [1, 3, 3n],
    [3, 2, 3n],
    [1, 4, 40n],
    [4, 5, 40n],
    [5, 6, 40n],
    [6, 2, 40n],
    [3, 6, 9n],
  ] as const
).map(([a, b, depth]) => ({
  tokens: [token(a), token(b)],
  reserves: [depth * 10n ** 21n, depth * 10n ** 21n],
}));

export type FixtureMarket = {
  readonly engine: Engine;
  readonly pools: readonly Pool[];
  readonly states: Map<string, unknown>;
  readonly view: View;
};

export function poolOf(spec: PairSpec, n: number): Pool {
  const id = `0xf${(n + 1).toString(16).padStart(39, "0")}` as Address;
  return {
    id,
    address: id,
    protocol: spec.protocol ?? constantProduct.name,
    deployment: "fixture",
    tokens: spec.tokens,
    stateIds: [id],
    facts: {},
  };
}

function laidOut(specs: readonly PairSpec[]): {
  readonly pools: Pool[];
  readonly states: Map<string, unknown>;
} {
  const states = new Map<string, unknown>();
  const pools = specs.map((spec, n) => {
    const pool = poolOf(spec, n);
    states.set(pool.id, { reserves: spec.reserves, feePpm: spec.feePpm ?? 3000n });
    return pool;
  });
  return { pools, states };
}

/**
 * The graph of the pools described. Edges are numbered in the order of the pools if all have the same number of tokens.
 */
export function graphOf(specs: readonly PairSpec[], registry: Registry = fixtureRegistry): Graph {
  const graph = emptyGraph(registry, WRAPPED);
  const { pools, states } = laidOut(specs);
  patchGraph(graph, { pools, removed: [] }, { get: (id) => states.get(id) }, at);
  completeMarket(graph);
  return graph;
}

/** An engine over the pools described, with a wrapper for the native coin. */
export function market(specs: readonly PairSpec[], registry: Registry = fixtureRegistry): FixtureMarket {
  const { pools, states } = laidOut(specs);
  const wrap: Pool = {
    ...poolOf({ tokens: [NATIVE, WRAPPED], reserves: [] }, 10_000),
    protocol: wrapper.name,
  };
  states.set(wrap.id, true);
  const view = { get: (id: string) => states.get(id) };
  const engine = createEngine(registry, { wrappedNative: WRAPPED });
  engine.patch({ pools: [wrap, ...pools], removed: [] }, view, at);
  return { engine, pools: [wrap, ...pools], states, view };
}

/** A request with the defaults of most tests: it sells, gas is not counted, four hops, no cap on the number of legs. */
export function ask(tokenIn: Address, tokenOut: Address, amount: bigint, more: Partial<RouteRequest> = {}) {
  return {
    tokenIn,
    tokenOut,
    amount,
    side: "in" as const,
    at,
    gasPriceWei: undefined,
    allows: () => true,
    maxHops: 4,
    maxLegs: 0,
    timeoutMs: 1e9,
    now: () => 0,
    ...more,
  };
}

/** Throws unless the steps, run over token registers, use up all that is sold and leave only the token bought. */
export function expectBalanced(route: Route): void {
  const registers = new Map<string, bigint>([[route.tokenIn, route.amountIn]]);
  for (const { pool, i, j, amountIn, amountOut } of route.steps) {
    const left = (registers.get(pool.tokens[i]!) ?? 0n) - amountIn;
    if (left < 0n || amountIn <= 0n)
      throw new Error(`takes ${amountIn} of a register that has ${left + amountIn}`);
    registers.set(pool.tokens[i]!, left);
    registers.set(pool.tokens[j]!, (registers.get(pool.tokens[j]!) ?? 0n) + amountOut);
  }
  for (const [held, amount] of registers) {
    const due = held === route.tokenOut ? route.amountOut : 0n;
    if (amount !== due) throw new Error(`ends with ${amount} of ${held}, not ${due}`);
  }
}
