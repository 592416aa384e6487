import { profitAt } from "./curves.ts";
import type { Graph } from "./graph.ts";
import { findPair } from "./pairs.ts";
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
 */
export type Window = {
  count: number;
  edge: Int32Array;
  /** Normalised spot price of each edge. */
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

/** Collects the edges that can be of use at the problem's price of the token sold. */
export function openWindow(graph: Graph, { scratch, problem, window }: Workshop, demand: Demand): void {
  const { pairs } = graph;
  const { start, length, data } = pairs.onward;
  const { fore, back, visited } = scratch;
  const bar = problem.price[problem.source]! * MARGIN;
  const direct = pairs.degree[demand.to] === 1;
  window.count = 0;
  for (let n = 0; n < scratch.reached; n++) {
    const node = visited[n]!;
    if (node === demand.to) continue;
    const here = fore[node]!;
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k++) {
      const pair = data[k]!;
      const through = here * back[pairs.head[pair]!]!;
      if (pairs.spot[pair]! * through > bar) addPair(graph, window, { pair, bar: bar / through, demand });
    }
    if (!direct) continue;
    const pair = findPair(pairs, node, demand.to);
    if (pair >= 0 && pairs.spot[pair]! * here > bar) addPair(graph, window, { pair, bar: bar / here, demand });
  }
}

type Wanted = { readonly pair: number; readonly bar: number; readonly demand: Demand };

function addPair({ pairs, curves, values }: Graph, window: Window, { pair, bar, demand }: Wanted): void {
  const { start, length, data } = pairs.edges;
  if (pairs.head[pair] === demand.from) return;
  const scale = values.ref[pairs.head[pair]!]! / values.ref[pairs.tail[pair]!]!;
  const last = start[pair]! + length[pair]!;
  for (let k = start[pair]!; k < last; k++) {
    const edge = data[k]!;
    if (curves.count[edge] === 0) continue;
    const price = curves.lanes[curves.at[edge]! + 2]! * scale;
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
 * @returns what all edges outside the problem would earn, in value: with the problem's dual value, an upper bound
 */
export function priceWindow(graph: Graph, { scratch, problem, window }: Workshop): number {
  settleWorth(graph, scratch, problem, window);
  const { worth, group, local, inProblem } = scratch;
  const { tail, head, curves, values } = graph;
  let total = 0;
  for (let k = 0; k < window.count; k++) {
    const edge = window.edge[k]!;
    const u = tail[edge]!;
    const v = head[edge]!;
    window.gain[k] = 0;
    if (inProblem[edge] !== 0 || !(window.price[k]! * worth[v]! > worth[u]! * MARGIN)) continue;
    const out = worth[v]! * values.ref[v]!;
    const gain = profitAt(curves, edge, (worth[u]! * values.ref[u]!) / out) * out;
    window.gain[k] = gain;
    total += gain;
    if (local[u] === 0) group[u]! += gain;
    if (local[v] === 0) group[v]! += gain;
  }
  for (let k = 0; k < window.count; k++) {
    const edge = window.edge[k]!;
    const gain = window.gain[k]!;
    window.rank[k] = gain > 0 ? Math.max(gain, group[tail[edge]!]!, group[head[edge]!]!) : 0;
  }
  return total;
}

/** What tokens of the window are worth: the problem's prices, and between cost and what they fetch for the rest. */
function settleWorth({ tail, head }: Graph, scratch: Scratch, problem: Problem, window: Window): void {
  const { low, high, worth, group, local } = scratch;
  for (let k = 0; k < window.count; k++) {
    for (const node of [tail[window.edge[k]!]!, head[window.edge[k]!]!]) {
      low[node] = Infinity;
      high[node] = worth[node] = group[node] = 0;
    }
  }
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    low[node] = high[node] = worth[node] = problem.price[n]!;
    group[node] = 0;
  }
  for (let pass = 0, moved = true; moved && pass < PASSES; pass++) moved = relax(tail, head, scratch, window);
  for (let k = 0; k < window.count; k++) {
    const node = head[window.edge[k]!]!;
    if (local[node] !== 0) continue;
    worth[node] = low[node]! < high[node]! ? Math.sqrt(low[node]! * high[node]!) : high[node]!;
  }
}

function relax(tail: Int32Array, head: Int32Array, { low, high, local }: Scratch, window: Window): boolean {
  let moved = false;
  for (let k = 0; k < window.count; k++) {
    const edge = window.edge[k]!;
    const u = tail[edge]!;
    const v = head[edge]!;
    const price = window.price[k]!;
    if (local[u] === 0 && price * high[v]! > high[u]! * MARGIN) {
      high[u] = price * high[v]!;
      moved = true;
    }
    if (local[v] === 0 && low[u]! < low[v]! * price * (2 - MARGIN)) {
      low[v] = low[u]! / price;
      moved = true;
    }
  }
  return moved;
}
