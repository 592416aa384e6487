import { type Address, ALL_Q32, NATIVE, type Pool, type Route } from "../types.ts";
import { spotSlope } from "./curves.ts";
import { diagnose } from "./diagnose.ts";
import { findExactOut } from "./exact-out.ts";
import { forEachEdge, type Graph, isOfMany, NATIVE_NODE } from "./graph.ts";
import { settleContext } from "./judge.ts";
import { refresh } from "./patch.ts";
import type { LaidStep } from "./plan.ts";
import { openQuery, type Query } from "./query.ts";
import { type Sale, sell } from "./sell.ts";
import { settle } from "./settle.ts";
import type { RouteFound, RouteRequest, RouteResult } from "./types.ts";
import type { Workshop } from "./workshop.ts";

/** Finds, settles and explains one request. */
export function findRoute(graph: Graph, shop: Workshop, request: RouteRequest): RouteResult {
  refresh(graph);
  const query = openQuery(graph, shop, request);
  if (query === undefined) return { kind: "missing", reason: "unknown-token", largestAmount: undefined };
  const sale = solve(query);
  return sale === undefined ? diagnose(query, sell) : present(query, sale);
}

function solve(query: Query): Sale | undefined {
  const { request, ends, from, to } = query;
  if (request.amount <= 0n || ends.tokenIn === ends.tokenOut) return undefined;
  if (from === to) return wrapOnly(query);
  return request.side === "in" ? sell(query, request.amount) : findExactOut(query, sell);
}

/** The native coin against its wrapped form: one step, unit for unit. */
function wrapOnly(query: Query): Sale | undefined {
  const { graph, request, ends } = query;
  if (graph.wrap === undefined) return undefined;
  const i = graph.wrap.tokens.indexOf(ends.tokenIn);
  const plan = [{ pool: graph.wrap, i, j: 1 - i, shareQ32: ALL_Q32, edge: -1 }];
  const settled = settle(plan, request.amount, settleContext(query));
  if (settled.kind === "failed") return undefined;
  const { steps, amountOut, gas } = settled;
  const route: Route = { ...ends, amountIn: request.amount, amountOut, steps };
  query.shop.proof.known = false;
  return { route, gas, net: amountOut, flows: [], plan, bound: amountOut };
}

function present(query: Query, { route, plan, gas, bound }: Sale): RouteFound {
  const prices = typeof bound === "string" ? NO_PRICES : provingPrices(query, plan);
  return {
    kind: "found",
    route,
    spotPrice: spotPrice(query, route, plan),
    optimality: optimality(
      route.amountOut,
      prices === undefined ? "a token of the route has no price" : bound,
    ),
    prices: prices ?? NO_PRICES,
    nativePerOut: query.nativePerOut,
    gas,
  };
}

const NO_PRICES: ReadonlyMap<Address, number> = new Map();
/** Share by which doubles, and curves drawn between nodes, may leave the bound short of a route that is the optimum itself. */
const ROUNDING = 1e-9;
const DRAWN = 1e-6;

function optimality(amountOut: bigint, bound: Sale["bound"]): RouteFound["optimality"] {
  if (typeof bound === "string") return { upperBound: null, reason: bound };
  const over = Number(amountOut) / Number(bound) - 1;
  if (over > DRAWN) return { upperBound: null, reason: "the curves of its pools are too rough for a proof" };
  const proved = over > ROUNDING ? BigInt(Math.ceil(Number(bound) * (1 + DRAWN))) : bound;
  const upperBound = proved > amountOut ? proved : amountOut;
  return { upperBound, gapBps: Number(((upperBound - amountOut) * 10n ** 12n) / upperBound) / 1e8 };
}

/**
 * The prices that the bound was worked out with: of the tokens of every pool that the search or the route touches.
 *
 * @returns undefined where one of the route has none
 */
function provingPrices(query: Query, plan: readonly LaidStep[]): Map<Address, number> | undefined {
  const { graph, shop } = query;
  const { proof } = shop;
  const { tokens, tail, head, wrappedNative } = graph;
  const prices = new Map<Address, number>();
  const unpriced = new Set<number>();
  const { queued } = shop.scratch;
  const added = ++shop.scratch.round;
  const add = (node: number) => {
    if (queued[node] === added) return;
    queued[node] = added;
    const price = provedPrice(query, node);
    if (!(price > 0 && price < Infinity)) {
      unpriced.add(node);
      return;
    }
    prices.set(tokens[node]!, price);
    if (tokens[node] === wrappedNative) prices.set(NATIVE, price);
  };
  const addAround = (edge: number) => {
    if (isOfMany(graph, edge))
      forEachEdge(graph.entries[graph.owner[edge]!]!, (one) => add(graph.tail[one]!));
  };
  // The ends of all edges are among the tokens with a price; only pools of three and more may have others.
  for (const node of proof.node.subarray(0, proof.nodes)) if (proof.price[node]! > 0) add(node);
  for (let e = 0; e < (proof.known ? proof.edges : 0); e++) addAround(proof.edge[e]!);
  for (const { edge } of plan) {
    if (edge < 0) add(NATIVE_NODE);
    else {
      add(tail[edge]!);
      add(head[edge]!);
      addAround(edge);
    }
  }
  const isPriced = ({ edge }: LaidStep) =>
    edge < 0 || !(unpriced.has(tail[edge]!) || unpriced.has(head[edge]!));
  return unpriced.size === 0 || plan.every(isPriced) ? prices : undefined;
}

/** What a smallest unit is worth in smallest units of the token bought; 0 where that is not known. */
function provedPrice({ graph, shop, from, to }: Query, node: number): number {
  if (from === to) return 1;
  const { proof } = shop;
  const worth = proof.known ? proof.price[node]! || worthOfIdle(graph, shop, node) : 0;
  return (worth * graph.values.ref[node]!) / graph.values.ref[to]!;
}

/** A token that nothing pays around is worth what it costs from the priced tokens next to it, or fetches at the utmost. */
function worthOfIdle({ pairs, calm }: Graph, { proof }: Workshop, node: number): number {
  const { start, length, data } = pairs.onward;
  let [cost, fetch] = [Infinity, 0];
  for (let k = start[node]!; k < start[node]! + length[node]!; k += 2) {
    const price = proof.price[data[k + 1]!]!;
    fetch = Math.max(fetch, price * pairs.spot[data[k]!]!);
    if (price > 0) cost = Math.min(cost, price / pairs.spot[data[k]! ^ 1]!);
  }
  return proof.most > 0 ? Math.min(cost, proof.most * calm.fetched[node]!) : fetch;
}

/** Stands for the native coin itself beside its node, which then is its wrapped form. */
const COIN = -1;

/** What the route pays per unit for a vanishing amount, in the shares of the settled amounts. */
function spotPrice({ graph, from, to, ends }: Query, { steps }: Route, plan: readonly LaidStep[]): number {
  const { curves, tail, head } = graph;
  const registers = new Map<number, number>();
  const move = (register: number, amount: number) =>
    registers.set(register, (registers.get(register) ?? 0) + amount);
  move(ends.tokenIn === NATIVE ? COIN : from, 1);
  for (let k = 0; k < plan.length; k++) {
    const { edge, pool, i, j } = plan[k]!;
    // The native coin goes against its wrapped form unit for unit.
    const [u, v, price] =
      edge < 0 ? [NATIVE_NODE, NATIVE_NODE, 1] : [tail[edge]!, head[edge]!, spotSlope(curves, edge)];
    const sold = registerOf(u, pool, i);
    const taken = (registers.get(sold) ?? 0) * (steps[k]!.shareQ32 / ALL_Q32);
    move(sold, -taken);
    move(registerOf(v, pool, j), taken * price);
  }
  return registers.get(ends.tokenOut === NATIVE ? COIN : to) ?? 0;
}

function registerOf(node: number, { tokens }: Pool, side: number): number {
  return node === NATIVE_NODE && tokens[side] === NATIVE ? COIN : node;
}
