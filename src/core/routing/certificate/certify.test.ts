import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { View } from "../../types.ts";
import {
  at,
  constantProduct,
  fixtureRegistry,
  type PairSpec,
  poolOf,
  token,
  WRAPPED,
} from "../market.fixture.ts";
import { emptyGraph, type Graph } from "../market-graph/graph.ts";
import { patchGraph } from "../market-graph/update.ts";
import { overlay } from "../settlement/settle.ts";
import { certify } from "./certify.fixture.ts";
import type { Bounds, CertifiedOrder } from "./certify.ts";
import { certifyLocally } from "./local/local.ts";
import { emptyCertificateMemory } from "./memory.ts";

const TOKENS = 6;
const GAS = 60_000;

/** A market of pools of two to four tokens with its states: at odds with each other, deep and shallow. */
type Market = { readonly graph: Graph; readonly view: View };

function marketOf(specs: readonly PairSpec[]): Market {
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const states = new Map<string, unknown>();
  const pools = specs.map((spec, n) => {
    const pool = poolOf(spec, n);
    states.set(pool.id, { reserves: spec.reserves, feePpm: spec.feePpm ?? 3000n });
    return pool;
  });
  const view = { get: (id: string) => states.get(id) };
  patchGraph(graph, { pools, removed: [] }, view, at);
  return { graph, view };
}

const reserve = fc
  .tuple(fc.bigInt(1n, 999n), fc.integer({ min: 15, max: 21 }))
  .map(([n, e]) => n * 10n ** BigInt(e));
const spec: fc.Arbitrary<PairSpec> = fc
  .tuple(
    fc.uniqueArray(fc.nat(TOKENS - 1), { minLength: 2, maxLength: 4 }),
    fc.array(reserve, { minLength: 4, maxLength: 4 }),
    fc.bigInt(0n, 10_000n),
  )
  .map(([nodes, reserves, feePpm]) => ({
    tokens: nodes.map(token),
    reserves: reserves.slice(0, nodes.length),
    feePpm,
  }));

/**
 * Crossings one after the other, each by a share of what its token holds: any pool, any direction, as often as chance
 * will.
 */
const trades = fc.array(fc.record({ pool: fc.nat(), pair: fc.nat(), ppm: fc.bigInt(1n, 1_000_000n) }), {
  minLength: 1,
  maxLength: 12,
});
type Trades = readonly { readonly pool: number; readonly pair: number; readonly ppm: bigint }[];

const scene = fc.record({
  specs: fc.array(spec, { minLength: 2, maxLength: 9 }),
  amount: reserve,
  prices: fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: TOKENS, maxLength: TOKENS }),
  trades,
  legs: fc.integer({ min: 1, max: 6 }),
  outPerGas: fc.double({ min: 0, max: 1e13, noNaN: true }),
});

/**
 * What is left of each token after the trades, on the states that earlier ones leave; what cannot be filled is left
 * out.
 */
function run({ graph, view }: Market, amount: bigint, list: Trades, most: number) {
  const held = new Map<string, bigint>([[token(0), amount]]);
  const states = overlay(view);
  let crossings = 0;
  for (const { pool: n, pair, ppm } of list) {
    const { pool } = graph.entries[n % graph.entries.length]!;
    const i = pair % pool.tokens.length;
    const j = (i + 1 + (Math.floor(pair / 4) % (pool.tokens.length - 1))) % pool.tokens.length;
    const sold = ((held.get(pool.tokens[i]!) ?? 0n) * ppm) / 1_000_000n;
    const fill =
      sold > 0n && crossings < most ? constantProduct.quote(states, pool, i, j, sold, "in", at) : undefined;
    if (fill === undefined) continue;
    for (const [id, state] of fill.writes) states.set(id, state);
    held.set(pool.tokens[i]!, held.get(pool.tokens[i]!)! - sold);
    held.set(pool.tokens[j]!, (held.get(pool.tokens[j]!) ?? 0n) + fill.amountOut);
    crossings++;
  }
  return { out: held.get(token(1)) ?? 0n, crossings };
}

function orderOf(
  { graph }: Market,
  amount: bigint,
  more: Partial<CertifiedOrder> = {},
): CertifiedOrder | undefined {
  const [from, to] = [graph.nodeOf.get(token(0)), graph.nodeOf.get(token(1))];
  if (from === undefined || to === undefined) return undefined;
  return { from, to, amount: Number(amount), maxLegs: 0, outPerGas: 0, allowed: () => true, at, ...more };
}

function pricesOf({ graph }: Market, logs: readonly number[]): Float64Array {
  const prices = new Float64Array(graph.tokens.length);
  for (let n = 0; n < TOKENS; n++) {
    const node = graph.nodeOf.get(token(n));
    if (node !== undefined) prices[node] = n === 1 ? 1 : Math.exp(logs[n]!);
  }
  return prices;
}

function proved(bounds: ReturnType<typeof certify>): Bounds {
  if ("reason" in bounds) throw new Error(bounds.reason);
  return bounds;
}

describe("for any prices", () => {
  test("no route pays more than the gross bound: cycles, pools crossed twice and pools of several coins included", () => {
    let paid = 0;
    fc.assert(
      fc.property(scene, ({ specs, amount, prices, trades: list, legs }) => {
        const market = marketOf(specs);
        const order = orderOf(market, amount, { maxLegs: legs });
        if (order === undefined) return;
        const bounds = proved(
          certify(market.graph, emptyCertificateMemory(), pricesOf(market, prices), order),
        );
        const { out } = run(market, amount, list, legs);
        if (out > 0n) paid++;
        expect(Number(out)).toBeLessThanOrEqual(bounds.gross);
      }),
      { numRuns: 1500 },
    );
    expect(paid).toBeGreaterThan(50);
  });

  test("no route nets more than the net bound, whatever gas costs and however many pools it crosses", () => {
    let paid = 0;
    fc.assert(
      fc.property(scene, ({ specs, amount, prices, trades: list, legs, outPerGas }) => {
        const market = marketOf(specs);
        const order = orderOf(market, amount, { maxLegs: legs, outPerGas });
        if (order === undefined) return;
        const bounds = proved(
          certify(market.graph, emptyCertificateMemory(), pricesOf(market, prices), order),
        );
        const { out, crossings } = run(market, amount, list, legs);
        if (out === 0n) return;
        paid++;
        expect(Number(out) - crossings * GAS * outPerGas).toBeLessThanOrEqual(bounds.net);
      }),
      { numRuns: 1500 },
    );
    expect(paid).toBeGreaterThan(50);
  });

  test("a bound below what one pool pays is caught: with its earning left out a route beats the bound", () => {
    const market = marketOf([{ tokens: [token(0), token(1)], reserves: [10n ** 21n, 10n ** 21n] }]);
    const amount = 10n ** 19n;
    const order = orderOf(market, amount)!;
    const bounds = proved(certify(market.graph, emptyCertificateMemory(), Float64Array.of(0.98, 1), order));
    const { out } = run(market, amount, [{ pool: 0, pair: 0, ppm: 1_000_000n }], 1);
    expect(Number(out)).toBeLessThanOrEqual(bounds.gross);
    expect(Number(out)).toBeGreaterThan(bounds.gross - bounds.gained);
  });
});

/**
 * Gross bounds count the pools that gain most, so that they are equal. Net bounds hold for any shadow price of a crossing. Without a cap
 * on crossings it is 0, and they are comparable; with one, pools that are counted and not asked may lead to another shadow price, and
 * either bound may be the lower one. No route nets more than either.
 */
test("the bound of few prices, from few pools, is that of all prices from all pools", () => {
  let compared = 0;
  let capped = 0;
  fc.assert(
    fc.property(scene, fc.boolean(), fc.boolean(), (drawn, staysPut, isCapped) => {
      const { specs, amount, prices, outPerGas, trades: list } = drawn;
      const legs = isCapped ? drawn.legs : 0;
      const market = marketOf(specs);
      const keep = new Float64Array(market.graph.tokens.length);
      const order = orderOf(market, amount, { maxLegs: legs, outPerGas, keep });
      if (order === undefined) return;
      const memory = emptyCertificateMemory();
      const some = new Map(
        [...pricesOf(market, prices)].map((price, node) => [node, price] as const).filter(([, p]) => p > 0),
      );
      for (const node of [...some.keys()]) if (node !== order.to && node % 2 === 0) some.delete(node);
      const local = certifyLocally(market.graph, memory, some, { ...order, staysPut });
      // A route never reaches the pools of another island, which `certify` asks all the same.
      const { near, pairs, nodeOf } = market.graph;
      const joined = [...nodeOf.values()].filter((node) => pairs.degree[node]! > 0);
      if (joined.some((node) => near.component[node] !== near.component[order.to])) return;
      const whole = certify(market.graph, memory, keep, order);
      if ("reason" in local || "reason" in whole) {
        expect("reason" in local).toBe("reason" in whole);
        return;
      }
      // Below a negligible share pools are not asked but counted with it.
      expect(local.gross / whole.gross).toBeGreaterThan(1 - 1e-9);
      expect(local.gross / whole.gross).toBeLessThan(1 + 1e-6 + (outPerGas * GAS) / whole.gross);
      if (!isCapped) expect(local.net).toBeGreaterThanOrEqual(whole.net - 1e-9 * whole.gross);
      const { out, crossings } = run(market, amount, list, isCapped ? legs : Infinity);
      if (isCapped && out > 0n) capped++;
      if (out > 0n) expect(Number(out) - crossings * GAS * outPerGas).toBeLessThanOrEqual(local.net);
      // Prices stand at the block's again.
      expect(certifyLocally(market.graph, memory, some, { ...order, staysPut })).toEqual(local);
      compared++;
    }),
    { numRuns: 1000 },
  );
  expect(compared).toBeGreaterThan(100);
  expect(capped).toBeGreaterThan(20);
});
