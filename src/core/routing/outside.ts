import { profitAt } from "./curves.ts";
import { balancedWorth } from "./detour.ts";
import type { Graph } from "./graph.ts";
import { findPair } from "./pairs.ts";
import type { Problem } from "./problem.ts";
import type { Scratch } from "./scratch.ts";
import { type Sweep, sweepBack, sweepForward } from "./sweep.ts";

/** An edge that is not in the problem, and what it would earn at the problem's prices, in value. */
export type Column = {
  readonly edge: number;
  readonly gain: number;
  /** The gain of the detour that the edge is part of: its pools are of use together only. */
  rank: number;
  /** Whether both its tokens are in use. */
  readonly direct: boolean;
  /** Whether it leads from a token in use to one that is not. */
  readonly inward: boolean;
};

export type Outside = {
  /** What all edges outside the problem would earn: with the dual value of the problem, an upper bound. */
  readonly gain: number;
  /** The edges that would, best first. */
  readonly columns: readonly Column[];
  /** False where prices around the problem did not come to rest: some cycle pays, and the gain bounds nothing. */
  readonly atRest: boolean;
};

const ROUNDS = 24;
/** A price is better only by more than the rounding of its product. */
const MARGIN = 1 + 1e-11;

/**
 * Prices the whole graph against a solved problem.
 *
 * A token that nothing flows through yet is worth what it fetches at spot from the tokens in use. Where it costs
 * less than that, it is a detour that pays; it is then taken to be worth the mean of both, and every pool around
 * it that would earn at these prices is a column. Any worth gives a valid bound, a good one gives a tight bound.
 * Leaves the worth of every token concerned in `scratch.worth`.
 */
export function priceOutside(
  graph: Graph,
  scratch: Scratch,
  problem: Problem,
  allowed: (edge: number) => boolean,
): Outside {
  const busy = seed(scratch, problem);
  const sweep: Sweep = {
    from: problem.node[problem.source]!,
    to: problem.node[problem.sink]!,
    prices: graph.pairs.spot,
    least: 1e-9,
    rounds: ROUNDS,
  };
  const atRest = sweepBack(graph, scratch, sweep, busy);
  scratch.queue.set(scratch.visited.subarray(0, busy));
  const visited = sweepForward(graph, scratch, { ...sweep, least: MARGIN }, busy);
  settleWorth(graph, scratch, { busy, visited, allowed });
  const found: Found = { gain: 0, columns: [], allowed, to: sweep.to, from: sweep.from };
  for (let k = 0; k < visited; k++) scanNode(graph, scratch, scratch.visited[k]!, found);
  for (const column of found.columns) addToGroups(graph, scratch, column);
  for (const column of found.columns) column.rank = rankOf(graph, scratch, column);
  takeIdlePrices(scratch, problem, busy);
  found.columns.sort((a, b) => b.rank - a.rank || b.gain - a.gain || a.edge - b.edge);
  return { gain: found.gain, columns: found.columns, atRest };
}

/** Makes the tokens that something flows through the seeds of both sweeps. @returns how many they are */
function seed({ back, fore, fixed, queue, visited }: Scratch, problem: Problem): number {
  const { nodes, node, price } = problem;
  const busy = busyNodes(problem);
  back.fill(0);
  fore.fill(0);
  let seeds = 0;
  for (let n = 0; n < nodes; n++) {
    if (busy[n] !== 3) continue;
    const at = node[n]!;
    back[at] = price[n]!;
    fore[at] = 1 / price[n]!;
    fixed[at] = 1;
    queue[seeds] = visited[seeds] = at;
    seeds++;
  }
  return seeds;
}

/** 3 for nodes with a flow in and a flow out, and for the ends. */
function busyNodes({ nodes, edges, tail, head, sold, source, sink }: Problem): Uint8Array {
  const busy = new Uint8Array(nodes);
  for (let e = 0; e < edges; e++) {
    if (!(sold[e]! > 0)) continue;
    busy[tail[e]!]! |= 1;
    busy[head[e]!]! |= 2;
  }
  busy[source] = busy[sink] = 3;
  return busy;
}

/** Tokens in use keep their price; others get one between what they cost and what they fetch. */
function settleWorth(
  graph: Graph,
  scratch: Scratch,
  { busy, visited, allowed }: { busy: number; visited: number; allowed: (edge: number) => boolean },
): void {
  const { back, fore, worth, group } = scratch;
  for (let k = 0; k < visited; k++) {
    const node = scratch.visited[k]!;
    group[node] = 0;
    worth[node] = k < busy ? back[node]! : Math.sqrt(back[node]! / fore[node]!);
  }
  for (let k = busy; k < visited; k++) {
    const node = scratch.visited[k]!;
    worth[node] = balancedWorth(graph, scratch, node, allowed);
  }
}

function addToGroups(graph: Graph, { fixed, group }: Scratch, { edge, gain }: Column): void {
  const tail = graph.tail[edge]!;
  const head = graph.head[edge]!;
  if (fixed[tail] === 0) group[tail]! += gain;
  if (fixed[head] === 0) group[head]! += gain;
}

function rankOf(graph: Graph, { group }: Scratch, { edge, gain }: Column): number {
  return Math.max(gain, group[graph.tail[edge]!]!, group[graph.head[edge]!]!);
}

type Found = {
  gain: number;
  readonly columns: Column[];
  readonly allowed: (edge: number) => boolean;
  readonly from: number;
  readonly to: number;
};

/** Looks along all pairs that leave a token whose worth is settled. */
function scanNode(graph: Graph, scratch: Scratch, node: number, found: Found): void {
  if (node === found.to) return;
  const { pairs } = graph;
  const { start, length, data } = pairs.onward;
  const { worth, back, fore } = scratch;
  const own = worth[node]! * MARGIN;
  const last = start[node]! + length[node]!;
  for (let k = start[node]!; k < last; k++) {
    const pair = data[k]!;
    const head = pairs.head[pair]!;
    if (pairs.spot[pair]! * back[head]! <= own) continue;
    const price = fore[head] === 0 ? back[head]! : worth[head]!;
    if (pairs.spot[pair]! * price > own) scanPair(graph, scratch, { pair, price, found });
  }
  const direct = pairs.degree[found.to] === 1 ? findPair(pairs, node, found.to) : -1;
  if (direct >= 0 && pairs.spot[direct]! > own) scanPair(graph, scratch, { pair: direct, price: 1, found });
}

type Scan = { readonly pair: number; readonly price: number; readonly found: Found };

/** Adds the edges of a pair that would earn where its head is worth `price`. */
function scanPair(graph: Graph, scratch: Scratch, { pair, price, found }: Scan): void {
  const { pairs, curves, values } = graph;
  const head = pairs.head[pair]!;
  const tail = pairs.tail[pair]!;
  if (head === found.from) return;
  const out = price * values.ref[head]!;
  const least = (scratch.worth[tail]! * values.ref[tail]!) / out;
  const { start, length, data } = pairs.edges;
  const last = start[pair]! + length[pair]!;
  for (let k = start[pair]!; k < last; k++) {
    const edge = data[k]!;
    if (scratch.inProblem[edge] !== 0) continue;
    const gain = profitAt(curves, edge, least * MARGIN) * out;
    if (gain > 0 && found.allowed(edge)) addColumn(graph, scratch, found, { edge, gain });
  }
  if (scratch.fore[head] === 0) {
    scratch.worth[head] = price;
    scratch.group[head] = 0;
  }
}

function addColumn(
  graph: Graph,
  { fixed }: Scratch,
  found: Found,
  { edge, gain }: { edge: number; gain: number },
): void {
  const starts = fixed[graph.tail[edge]!] !== 0;
  const ends = fixed[graph.head[edge]!] !== 0;
  found.gain += gain;
  found.columns.push({ edge, gain, rank: gain, direct: starts && ends, inward: starts && !ends });
}

/** Gives tokens of the problem that nothing flows through the worth found outside, and unmarks the seeds. */
function takeIdlePrices(
  { fixed, back, fore, worth, visited }: Scratch,
  { nodes, node, price }: Problem,
  busy: number,
): void {
  for (let n = 0; n < nodes; n++) {
    const at = node[n]!;
    if (fixed[at] !== 0) continue;
    const value = fore[at] === 0 ? back[at]! : worth[at]!;
    if (value > 0) price[n] = value;
  }
  for (let k = 0; k < busy; k++) fixed[visited[k]!] = 0;
}
