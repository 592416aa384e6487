import { profitAt } from "./curves.ts";
import type { Demand } from "./demand.ts";
import type { Graph } from "./graph.ts";
import { findPair } from "./pairs.ts";
import type { Problem } from "./problem.ts";
import { grown } from "./rows.ts";
import type { Scratch } from "./scratch.ts";

/**
 * The token pairs that the optimum can use at all. With F(u) the best product of spot prices from the token sold to u
 * and B(v) that from v to the token bought, a pair (u, v) of marginal price m is of use only where F(u)·m·B(v) is above
 * the price ν of the token sold: marginal prices only fall, and along every used path their product is ν.
 * So the prices of a solution over the window prove a bound for the whole graph.
 *
 * While much is left to find, a window is opened at a trade size instead: shallow pools, whose spot prices promise
 * what they cannot keep, do not show in it.
 */
export type Window = {
  pairs: number;
  pair: Int32Array;
  /** Normalised price of each pair at the window's trade size. */
  price: Float64Array;
  /** Edges outside the problem that would earn, what they would, in value, and the most that their detour would. */
  count: number;
  edge: Int32Array;
  gain: Float64Array;
  rank: Float64Array;
};

export function emptyWindow(): Window {
  return {
    pairs: 0,
    pair: new Int32Array(1024),
    price: new Float64Array(1024),
    count: 0,
    edge: new Int32Array(1024),
    gain: new Float64Array(1024),
    rank: new Float64Array(1024),
  };
}

/** What a window is opened and priced on. */
type Desk = { readonly scratch: Scratch; readonly problem: Problem; readonly window: Window };

/** A price is better only by more than the rounding of its product. */
const MARGIN = 1 + 1e-11;
/** Passes over the window that settle what tokens cost and fetch; a path of the window has few tokens out of use. */
const PASSES = 8;

/**
 * Collects the pairs that can be of use at the problem's price of the token sold.
 *
 * @param prices of all pairs, at spot or at a trade size
 */
export function openWindow(graph: Graph, desk: Desk, demand: Demand, prices: Float64Array): void {
  const { scratch, problem, window } = desk;
  const { back, kept } = scratch;
  window.pairs = 0;
  // A token that nothing flows through may have any price in the problem: what earns at that one is of use, too.
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    kept[n] = back[node]!;
    back[node] = Math.max(back[node]!, problem.price[n]!);
  }
  collectPairs(graph, desk, demand, prices);
  for (let n = 0; n < problem.nodes; n++) back[problem.node[n]!] = kept[n]!;
}

function collectPairs(graph: Graph, desk: Desk, demand: Demand, prices: Float64Array): void {
  const { scratch, problem, window } = desk;
  const { onward, head, degree } = graph.pairs;
  const { start, length, data } = onward;
  const { back, visited, reached } = scratch;
  const direct = degree[demand.to] === 1;
  for (let n = 0; n < reached; n++) {
    const node = visited[n]!;
    if (node === demand.to) continue;
    const here = barAt(scratch, problem, node);
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k++) {
      const pair = data[k]!;
      const far = head[pair]!;
      if (prices[pair]! * back[far]! > here && far !== demand.from) addPair(window, pair, prices[pair]!);
    }
    if (direct) addDirect(graph, window, { node, to: demand.to, prices, bar: here });
  }
}

/** What a token must fetch at spot for a pair from it to be of use. */
function barAt({ fore, local }: Scratch, { price, source }: Problem, node: number): number {
  const bar = (price[source]! * MARGIN) / fore[node]!;
  return local[node] === 0 ? bar : Math.min(bar, price[local[node]! - 1]!);
}

type Direct = {
  readonly node: number;
  readonly to: number;
  readonly prices: Float64Array;
  readonly bar: number;
};

/** The token bought may have one neighbour only, so that no pair passes it on. */
function addDirect({ pairs }: Graph, window: Window, { node, to, prices, bar }: Direct): void {
  const pair = findPair(pairs, node, to);
  if (pair >= 0 && prices[pair]! > bar) addPair(window, pair, prices[pair]!);
}

function addPair(window: Window, pair: number, price: number): void {
  const at = window.pairs++;
  if (at >= window.pair.length) {
    window.pair = grown(window.pair, at + 1);
    window.price = grown(window.price, at + 1);
  }
  window.pair[at] = pair;
  window.price[at] = price;
}

/**
 * Prices the window against the solved problem. A token out of the problem is worth what it fetches from there; where
 * it costs less than that, the mean of both: any worth gives a valid bound. Leaves the edges that would earn.
 *
 * @returns what all edges outside the problem would earn, in value. With the problem's dual value that is an upper
 *          bound where the window was opened at spot
 */
export function priceWindow(graph: Graph, { scratch, problem, window }: Desk, demand: Demand): number {
  settleWorth(graph, scratch, problem, window);
  const { worth, group } = scratch;
  const { pairs, values } = graph;
  const { pair, price } = window;
  let total = 0;
  window.count = 0;
  for (let k = 0; k < window.pairs; k++) {
    const u = pairs.tail[pair[k]!]!;
    const v = pairs.head[pair[k]!]!;
    if (!(price[k]! * worth[v]! > worth[u]! * MARGIN)) continue;
    const out = worth[v]! * values.ref[v]!;
    const earned = scanPair(graph, window, pair[k]!, {
      scratch,
      demand,
      out,
      least: (worth[u]! * values.ref[u]!) / out,
    });
    total += earned;
    group[u]! += earned;
    group[v]! += earned;
  }
  rankEdges(graph, scratch, window);
  return total;
}

type Scan = {
  readonly scratch: Scratch;
  readonly demand: Demand;
  /** Value of a unit bought, and units that a unit sold must bring. */
  readonly out: number;
  readonly least: number;
};

/** Adds the edges of a pair that would earn. @returns what they would together */
function scanPair(
  { pairs, curves }: Graph,
  window: Window,
  pair: number,
  { scratch, demand, out, least }: Scan,
): number {
  const { start, length, data } = pairs.edges;
  const last = start[pair]! + length[pair]!;
  let total = 0;
  for (let k = start[pair]!; k < last; k++) {
    const edge = data[k]!;
    if (scratch.inProblem[edge] !== 0) continue;
    const earned = profitAt(curves, edge, least) * out;
    if (!(earned > 0) || !demand.allowed(edge)) continue;
    addCandidate(window, edge, earned);
    total += earned;
  }
  return total;
}

function addCandidate(window: Window, edge: number, earned: number): void {
  const at = window.count++;
  if (at >= window.edge.length) {
    window.edge = grown(window.edge, at + 1);
    window.gain = grown(window.gain, at + 1);
    window.rank = grown(window.rank, at + 1);
  }
  window.edge[at] = edge;
  window.gain[at] = earned;
  window.rank[at] = earned;
}

/** Adds an edge between priced tokens that belongs to no pair, where it would earn. @returns what, in value */
export function offer(
  { curves, tail, head, values }: Graph,
  { worth }: Scratch,
  window: Window,
  edge: number,
): number {
  const [u, v] = [tail[edge]!, head[edge]!];
  const out = worth[v]! * values.ref[v]!;
  if (!(out > 0) || !(worth[u]! > 0)) return 0;
  const earned = profitAt(curves, edge, (worth[u]! * values.ref[u]!) / out) * out;
  if (earned > 0) addCandidate(window, edge, earned);
  return earned;
}

/** An edge ranks by the most that a token out of the problem at its end lets earn: such pools are of use together. */
function rankEdges(
  { tail, head }: Graph,
  { group, local }: Scratch,
  { count, edge, gain, rank }: Window,
): void {
  for (let k = 0; k < count; k++) {
    const u = tail[edge[k]!]!;
    const v = head[edge[k]!]!;
    let most = gain[k]!;
    if (local[u] === 0 && group[u]! > most) most = group[u]!;
    if (local[v] === 0 && group[v]! > most) most = group[v]!;
    rank[k] = most;
  }
}

/** What tokens of the window are worth: the problem's prices, and between cost and what they fetch for the rest. */
function settleWorth({ pairs }: Graph, scratch: Scratch, problem: Problem, window: Window): void {
  const { low, high, worth, group, local } = scratch;
  const { tail, head } = pairs;
  const { pair } = window;
  for (let k = 0; k < window.pairs; k++) {
    const u = tail[pair[k]!]!;
    const v = head[pair[k]!]!;
    low[u] = low[v] = Infinity;
    high[u] = high[v] = group[u] = group[v] = 0;
  }
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    low[node] = high[node] = worth[node] = problem.price[n]!;
    group[node] = 0;
  }
  for (let pass = 0, moved = true; moved && pass < PASSES; pass++) moved = relax(tail, head, scratch, window);
  for (let k = 0; k < window.pairs; k++) {
    const u = tail[pair[k]!]!;
    const v = head[pair[k]!]!;
    if (local[u] === 0) worth[u] = between(low[u]!, high[u]!);
    if (local[v] === 0) worth[v] = between(low[v]!, high[v]!);
  }
}

function between(low: number, high: number): number {
  return low < high ? Math.sqrt(low * high) : high;
}

/** One pass over the window: what fetches more, what costs less. @returns whether anything did */
function relax(tail: Int32Array, head: Int32Array, scratch: Scratch, window: Window): boolean {
  const { low, high, local, next, prior } = scratch;
  const { pairs, pair, price } = window;
  let moved = false;
  for (let k = 0; k < pairs; k++) {
    const u = tail[pair[k]!]!;
    const v = head[pair[k]!]!;
    if (local[u] === 0 && price[k]! * high[v]! > high[u]! * MARGIN) {
      high[u] = price[k]! * high[v]!;
      next[u] = pair[k]!;
      moved = true;
    }
    if (local[v] === 0 && low[u]! * MARGIN < low[v]! * price[k]!) {
      low[v] = low[u]! / price[k]!;
      prior[v] = pair[k]!;
      moved = true;
    }
  }
  return moved;
}
