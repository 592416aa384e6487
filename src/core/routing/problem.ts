import { profitAt } from "./curves.ts";
import type { Graph } from "./graph.ts";
import { grown } from "./rows.ts";
import type { Scratch } from "./scratch.ts";

/**
 * The convex problem over a chosen set of edges: sell `supply` at node `source`, collect at `sink`.
 *
 * All amounts are values: amount × reference value of the token, so that every price is near 1 and decimals are
 * out of sight. Prices are the dual variables: worth of each node's token in the token bought, over its reference.
 */
export type Problem = {
  nodes: number;
  edges: number;
  source: number;
  sink: number;
  /** Value sold. */
  supply: number;
  /** Smallest curvature, per unit of value: keeps straight segments solvable. */
  bend: number;
  /** Node of the graph, its reference value, its price, and what flows in less what flows out at these prices. */
  node: Int32Array;
  ref: Float64Array;
  price: Float64Array;
  excess: Float64Array;
  /** Edge of the graph, local ends, current lane. */
  edge: Int32Array;
  tail: Int32Array;
  head: Int32Array;
  lane: Int32Array;
  /** Value sold through each edge, value bought, and the weight of the edge in the Hessian. */
  sold: Float64Array;
  bought: Float64Array;
  weight: Float64Array;
  exact: Float64Array;
  /** Share of its output that an edge keeps; less than 1 where it is charged for. */
  keep: Float64Array;
};

export function emptyProblem(): Problem {
  return {
    nodes: 0,
    edges: 0,
    source: 0,
    sink: 0,
    supply: 0,
    bend: 0,
    node: new Int32Array(64),
    ref: new Float64Array(64),
    price: new Float64Array(64),
    excess: new Float64Array(64),
    edge: new Int32Array(256),
    tail: new Int32Array(256),
    head: new Int32Array(256),
    lane: new Int32Array(256),
    sold: new Float64Array(256),
    bought: new Float64Array(256),
    weight: new Float64Array(256),
    exact: new Float64Array(256),
    keep: new Float64Array(256),
  };
}

/** Share of the whole amount that a straight pool's price falls by when it takes all of it. */
const LEAST_BEND = 1e-6;

/** Begins a problem; the ends are nodes 0 and 1. */
export function beginProblem(
  problem: Problem,
  graph: Graph,
  scratch: Scratch,
  { from, to, supply }: { from: number; to: number; supply: number },
): void {
  clearProblem(problem, scratch);
  problem.supply = supply;
  problem.bend = LEAST_BEND / supply;
  problem.source = addProblemNode(problem, graph, scratch, { node: from, price: 1 });
  problem.sink = addProblemNode(problem, graph, scratch, { node: to, price: 1 });
}

/** Forgets the problem and unmarks its nodes and edges. */
export function clearProblem(problem: Problem, scratch: Scratch): void {
  for (let n = 0; n < problem.nodes; n++) scratch.local[problem.node[n]!] = 0;
  for (let e = 0; e < problem.edges; e++) scratch.inProblem[problem.edge[e]!] = 0;
  problem.nodes = 0;
  problem.edges = 0;
}

/** The local number of a node of the graph; added with `price` where it is new. */
export function addProblemNode(
  problem: Problem,
  graph: Graph,
  scratch: Scratch,
  { node, price }: { node: number; price: number },
): number {
  const known = scratch.local[node]! - 1;
  if (known >= 0) return known;
  const local = problem.nodes++;
  growNodes(problem, local + 1);
  problem.node[local] = node;
  problem.ref[local] = graph.values.ref[node]!;
  problem.price[local] = price;
  scratch.local[node] = local + 1;
  return local;
}

/** Adds an edge whose ends are in the problem already; twice does nothing. @returns whether it was added */
export function addProblemEdge(problem: Problem, graph: Graph, scratch: Scratch, edge: number): boolean {
  if (scratch.inProblem[edge] !== 0 || graph.curves.count[edge] === 0) return false;
  scratch.inProblem[edge] = 1;
  const local = problem.edges++;
  growEdges(problem, local + 1);
  problem.edge[local] = edge;
  problem.tail[local] = scratch.local[graph.tail[edge]!]! - 1;
  problem.head[local] = scratch.local[graph.head[edge]!]! - 1;
  problem.lane[local] = graph.curves.at[edge]!;
  problem.keep[local] = 1;
  return true;
}

function growNodes(problem: Problem, size: number): void {
  problem.node = grown(problem.node, size);
  problem.ref = grown(problem.ref, size);
  problem.price = grown(problem.price, size);
  problem.excess = grown(problem.excess, size);
}

function growEdges(problem: Problem, size: number): void {
  if (problem.edge.length >= size) return;
  problem.edge = grown(problem.edge, size);
  problem.tail = grown(problem.tail, size);
  problem.head = grown(problem.head, size);
  problem.lane = grown(problem.lane, size);
  problem.sold = grown(problem.sold, size);
  problem.bought = grown(problem.bought, size);
  problem.weight = grown(problem.weight, size);
  problem.exact = grown(problem.exact, size);
  problem.keep = grown(problem.keep, size);
}

/**
 * Makes `small` the problem over some of the edges of `whole`, at the same prices.
 *
 * @param chosen local numbers of edges; they become 0, 1, … in the order given
 */
export function subProblem(small: Problem, whole: Problem, chosen: readonly number[]): void {
  small.supply = whole.supply;
  small.bend = whole.bend;
  small.nodes = 0;
  small.edges = 0;
  growEdges(small, chosen.length);
  const place = new Map<number, number>();
  small.source = copyNode(small, whole, place, whole.source);
  small.sink = copyNode(small, whole, place, whole.sink);
  for (const e of chosen) {
    const local = small.edges++;
    small.edge[local] = whole.edge[e]!;
    small.tail[local] = copyNode(small, whole, place, whole.tail[e]!);
    small.head[local] = copyNode(small, whole, place, whole.head[e]!);
    small.lane[local] = whole.lane[e]!;
    small.keep[local] = 1;
  }
}

function copyNode(small: Problem, whole: Problem, place: Map<number, number>, n: number): number {
  const known = place.get(n);
  if (known !== undefined) return known;
  const local = small.nodes++;
  growNodes(small, local + 1);
  place.set(n, local);
  small.node[local] = whole.node[n]!;
  small.ref[local] = whole.ref[n]!;
  small.price[local] = whole.price[n]!;
  return local;
}

/**
 * Lets every edge take what pays at the current prices; fills flows, weights and excesses.
 *
 * @returns the dual value: what the supply and all edges' profits are worth, never below what any flow can deliver
 */
export function evaluate(problem: Problem, { curves }: Graph): number {
  const { price, excess, tail, head, sold, bought, source, supply } = problem;
  excess.fill(0, 0, problem.nodes);
  excess[source] = price[source]! * supply;
  let value = price[source]! * supply;
  for (let e = 0; e < problem.edges; e++) {
    respond(problem, curves, e);
    const given = price[tail[e]!]! * sold[e]!;
    const taken = price[head[e]!]! * bought[e]!;
    excess[tail[e]!]! -= given;
    excess[head[e]!]! += taken;
    value += taken - given;
  }
  return value;
}

/**
 * The dual value on the curves as they are, without the least bend: no flow over the problem's edges delivers more.
 *
 * @returns Infinity where a straight pool of no end pays at these prices
 */
export function dualBound(
  { price, source, supply, edges, edge, tail, head, ref }: Problem,
  { curves }: Graph,
): number {
  let value = price[source]! * supply;
  for (let e = 0; e < edges; e++) {
    const out = price[head[e]!]! * ref[head[e]!]!;
    value += profitAt(curves, edge[e]!, (price[tail[e]!]! * ref[tail[e]!]!) / out) * out;
  }
  return value;
}

/** What edge `e` takes at the current prices: up to where its marginal price meets theirs. */
function respond(problem: Problem, { lanes, at, count, end }: Graph["curves"], e: number): void {
  const edge = problem.edge[e]!;
  const u = problem.tail[e]!;
  const refIn = problem.ref[u]!;
  const refOut = problem.ref[problem.head[e]!]!;
  const keep = problem.keep[e]!;
  const least = ((problem.price[u]! / problem.price[problem.head[e]!]!) * (refIn / refOut)) / keep;
  const first = at[edge]!;
  const last = first + (count[edge]! - 1) * 4;
  let lane = problem.lane[e]!;
  while (lane > first && lanes[lane + 2]! <= least) lane -= 4;
  while (lane < last && lanes[lane + 6]! > least) lane += 4;
  problem.lane[e] = lane;
  const steep = lanes[lane + 2]!;
  if (!(steep > least)) {
    problem.sold[e] = problem.bought[e] = problem.exact[e] = 0;
    return;
  }
  const bend = Math.max(lanes[lane + 3]!, problem.bend * refIn);
  const width = (lane < last ? lanes[lane + 4]! : end[edge]!) - lanes[lane]!;
  const wanted = (Math.sqrt(steep / least) - 1) / bend;
  const taken = wanted < width ? wanted : width;
  problem.exact[e] = wanted < width ? (problem.price[u]! * refIn * (1 + bend * taken)) / (2 * bend) : 0;
  problem.sold[e] = (lanes[lane]! + taken) * refIn;
  problem.bought[e] = (lanes[lane + 1]! + (steep * taken) / (1 + bend * taken)) * refOut * keep;
}

/**
 * Weights of the edges for the next step: how much more each would sell if its price rose, averaged over a
 * relative change of `reach` to either side, so that an edge about to be used, or about to be full, is felt.
 */
export function weighEdges(problem: Problem, { curves }: Graph, reach: number): void {
  const { price, ref, tail, head, weight } = problem;
  const up = 1 + reach;
  const down = 1 / up;
  for (let e = 0; e < problem.edges; e++) {
    const u = tail[e]!;
    const v = head[e]!;
    const least = ((price[u]! / price[v]!) * (ref[u]! / ref[v]!)) / problem.keep[e]!;
    const more = soldAt(problem, curves, e, least * down);
    weight[e] = more > 0 ? (price[u]! * (more - soldAt(problem, curves, e, least * up))) / (2 * reach) : 0;
    if (more > 0 && problem.exact[e]! > weight[e]!) weight[e] = problem.exact[e]!;
  }
}

/** Value sold through edge `e` where a unit sold must bring at least `least` units. */
function soldAt(
  problem: Problem,
  { lanes, at, count, end }: Graph["curves"],
  e: number,
  least: number,
): number {
  const edge = problem.edge[e]!;
  const refIn = problem.ref[problem.tail[e]!]!;
  const first = at[edge]!;
  const last = first + (count[edge]! - 1) * 4;
  let lane = problem.lane[e]!;
  while (lane > first && lanes[lane + 2]! <= least) lane -= 4;
  while (lane < last && lanes[lane + 6]! > least) lane += 4;
  const steep = lanes[lane + 2]!;
  if (!(steep > least)) return 0;
  const bend = Math.max(lanes[lane + 3]!, problem.bend * refIn);
  const width = (lane < last ? lanes[lane + 4]! : end[edge]!) - lanes[lane]!;
  const wanted = (Math.sqrt(steep / least) - 1) / bend;
  return (lanes[lane]! + (wanted < width ? wanted : width)) * refIn;
}
