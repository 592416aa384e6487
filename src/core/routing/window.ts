import { profitAt, slopeAt } from "./curves.ts";
import type { Graph } from "./graph.ts";
import { findPair, sizeOfLevel } from "./pairs.ts";
import type { Problem } from "./problem.ts";
import { grown } from "./rows.ts";
import type { Scratch } from "./scratch.ts";
import type { Demand } from "./start.ts";
import type { Workshop } from "./workshop.ts";

/**
 * The edges that the optimum can use at all. With F(u) the best product of spot prices from the token sold to u and
 * B(v) that from v to the token bought, an edge (u, v) of marginal price m is of use only where F(u)·m·B(v) is above
 * the price ν of the token sold: marginal prices only fall, and along every used path their product is ν.
 * So the prices of a solution over the window prove a bound for the whole graph.
 *
 * While much is left to find, a window is opened at a trade size instead: shallow pools, whose spot prices promise
 * what they cannot keep, do not show in it.
 */
export type Window = {
  count: number;
  edge: Int32Array;
  /** Normalised marginal price of each edge after a trade of the window's size. */
  price: Float64Array;
  /** What each edge outside the problem would earn, in value, and the most that its detour would. */
  gain: Float64Array;
  rank: Float64Array;
};

export function emptyWindow(): Window {
  return {
    count: 0,
    edge: new Int32Array(1024),
    price: new Float64Array(1024),
    gain: new Float64Array(1024),
    rank: new Float64Array(1024),
  };
}

/** A price is better only by more than the rounding of its product. */
const MARGIN = 1 + 1e-11;
/** Passes over the window that settle what tokens cost and fetch; a path of the window has few tokens out of use. */
const PASSES = 8;

/**
 * Collects the edges that can be of use at the problem's price of the token sold.
 *
 * @param level of `pairs.levels` that pools are looked at; -1 = spot
 */
export function openWindow(graph: Graph, shop: Workshop, demand: Demand, level: number): void {
  const { scratch, problem, window } = shop;
  const { pairs } = graph;
  const { start, length, data } = pairs.onward;
  const { fore, back, visited } = scratch;
  const prices = level < 0 ? pairs.spot : pairs.levels[level]!;
  const bar = problem.price[problem.source]! * MARGIN;
  const direct = pairs.degree[demand.to] === 1;
  const opening = { window, demand, size: sizeOfLevel(level), bar: 0 };
  window.count = 0;
  for (let n = 0; n < scratch.reached; n++) {
    const node = visited[n]!;
    if (node === demand.to) continue;
    const here = bar / fore[node]!;
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k++) {
      const pair = data[k]!;
      const ahead = back[pairs.head[pair]!]!;
      if (!(prices[pair]! * ahead > here)) continue;
      opening.bar = here / ahead;
      addPair(graph, pair, opening);
    }
    if (!direct) continue;
    const pair = findPair(pairs, node, demand.to);
    opening.bar = here;
    if (pair >= 0 && prices[pair]! > here) addPair(graph, pair, opening);
  }
}

type Opening = {
  readonly window: Window;
  readonly demand: Demand;
  /** Value of the trade after which edges are looked at. */
  readonly size: number;
  /** Price that an edge must beat. */
  bar: number;
};

function addPair({ pairs, curves, values }: Graph, pair: number, { window, demand, size, bar }: Opening): void {
  const { start, length, data } = pairs.edges;
  if (pairs.head[pair] === demand.from) return;
  const value = values.ref[pairs.tail[pair]!]!;
  const scale = values.ref[pairs.head[pair]!]! / value;
  const last = start[pair]! + length[pair]!;
  for (let k = start[pair]!; k < last; k++) {
    const edge = data[k]!;
    const price = slopeAt(curves, edge, size / value) * scale;
    if (!(price > bar) || !demand.allowed(edge)) continue;
    const at = window.count++;
    if (at >= window.edge.length) growWindow(window, at + 1);
    window.edge[at] = edge;
    window.price[at] = price;
  }
}

function growWindow(window: Window, size: number): void {
  window.edge = grown(window.edge, size);
  window.price = grown(window.price, size);
  window.gain = grown(window.gain, size);
  window.rank = grown(window.rank, size);
}

/**
 * Prices the window against the solved problem. A token out of the problem is worth what it fetches from there; where
 * it costs less than that, the mean of both: any worth gives a valid bound. Leaves gains and ranks in the window.
 *
 * @returns what all edges outside the problem would earn, in value. With the problem's dual value that is an upper
 *          bound where the window was opened at spot
 */
export function priceWindow(graph: Graph, { scratch, problem, window }: Workshop): number {
  settleWorth(graph, scratch, problem, window);
  const { worth, group, local, inProblem } = scratch;
  const { tail, head, curves, values } = graph;
  const { count, edge, price, gain, rank } = window;
  let total = 0;
  for (let k = 0; k < count; k++) {
    const e = edge[k]!;
    const u = tail[e]!;
    const v = head[e]!;
    gain[k] = 0;
    if (inProblem[e] !== 0 || !(price[k]! * worth[v]! > worth[u]! * MARGIN)) continue;
    const out = worth[v]! * values.ref[v]!;
    const earned = profitAt(curves, e, (worth[u]! * values.ref[u]!) / out) * out;
    gain[k] = earned;
    total += earned;
    if (local[u] === 0) group[u]! += earned;
    if (local[v] === 0) group[v]! += earned;
  }
  for (let k = 0; k < count; k++) {
    const earned = gain[k]!;
    rank[k] = earned > 0 ? Math.max(earned, group[tail[edge[k]!]!]!, group[head[edge[k]!]!]!) : 0;
  }
  return total;
}

/** What tokens of the window are worth: the problem's prices, and between cost and what they fetch for the rest. */
function settleWorth({ tail, head }: Graph, scratch: Scratch, problem: Problem, window: Window): void {
  const { low, high, worth, group, local } = scratch;
  const { count, edge } = window;
  for (let k = 0; k < count; k++) {
    const u = tail[edge[k]!]!;
    const v = head[edge[k]!]!;
    low[u] = low[v] = Infinity;
    high[u] = high[v] = 0;
    group[u] = group[v] = 0;
  }
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    low[node] = high[node] = worth[node] = problem.price[n]!;
    group[node] = 0;
  }
  for (let pass = 0, moved = true; moved && pass < PASSES; pass++) moved = relax(tail, head, scratch, window);
  for (let k = 0; k < count; k++) {
    const u = tail[edge[k]!]!;
    const v = head[edge[k]!]!;
    if (local[u] === 0) worth[u] = low[u]! < high[u]! ? Math.sqrt(low[u]! * high[u]!) : high[u]!;
    if (local[v] === 0) worth[v] = low[v]! < high[v]! ? Math.sqrt(low[v]! * high[v]!) : high[v]!;
  }
}

function relax(tail: Int32Array, head: Int32Array, scratch: Scratch, window: Window): boolean {
  const { low, high, local, next, prior } = scratch;
  const { count, edge, price } = window;
  let moved = false;
  for (let k = 0; k < count; k++) {
    const e = edge[k]!;
    const u = tail[e]!;
    const v = head[e]!;
    if (local[u] === 0 && price[k]! * high[v]! > high[u]! * MARGIN) {
      high[u] = price[k]! * high[v]!;
      next[u] = e;
      moved = true;
    }
    if (local[v] === 0 && low[u]! * MARGIN < low[v]! * price[k]!) {
      low[v] = low[u]! / price[k]!;
      prior[v] = e;
      moved = true;
    }
  }
  return moved;
}
