import { grown } from "../../math/rows.ts";
import type { Problem } from "../convex/problem.ts";
import { crossed, mostFor, outputAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";

/** Labels of a path search by hop and node: what arrives by the path that nets most, and the edge that it arrives by. */
export type Labels = {
  amount: Float64Array;
  /** What is left of that, in smallest units, after what all edges of the path cost. */
  net: Float64Array;
  by: Int32Array;
  /** What using an edge costs, in value, by edge; empty where edges are free. */
  cost: Float64Array;
  /** What each segment of its curve that an edge leaves behind costs besides, by edge; empty where that is nothing. */
  crossing: Float64Array;
  /** The edge that each pool is crossed by so far: a pool serves one pair at a time. */
  readonly crossedBy: Map<number, number>;
  /** Whether an edge may not be opened, by edge: another crosses its pool. */
  closed: Uint8Array;
  /** Pools that may be crossed in all. */
  legs: number;
};

export function emptyLabels(): Labels {
  return {
    amount: new Float64Array(256),
    net: new Float64Array(256),
    by: new Int32Array(256),
    cost: new Float64Array(0),
    crossing: new Float64Array(0),
    crossedBy: new Map(),
    closed: new Uint8Array(256),
    legs: Infinity,
  };
}

/**
 * Sends the supply through the problem's edges in equal chunks, each along the path that pays most after what the
 * chunks before it took. A rough primal solution: `problem.sold` is what each edge takes, in smallest units.
 *
 * @param limits how many chunks, hops of a path, and edges in all
 * @returns how many chunks found a path
 */
export function fillGreedily(
  problem: Problem,
  graph: Graph,
  labels: Labels,
  { chunks, hops, legs }: { readonly chunks: number; readonly hops: number; readonly legs: number },
): number {
  const { sold, edges } = problem;
  sold.fill(0, 0, edges);
  labels.crossedBy.clear();
  labels.legs = legs;
  const chunk = problem.supply / problem.ref[problem.source]! / chunks;
  for (let k = 0; k < chunks; k++) {
    const hop = bestPath(problem, graph, labels, { amount: chunk, hops });
    if (hop === 0) return k;
    sendAlong(problem, graph, labels, hop);
  }
  return chunks;
}

/**
 * Sends one more piece after flows, by the path that pays most.
 *
 * @param after edges of the problem, and what each takes already
 * @returns the edges in use then; [] where there is no path
 */
export function sendMore(
  problem: Problem,
  graph: Graph,
  labels: Labels,
  { amount, hops, after }: Send & { readonly after: readonly (readonly [edge: number, sold: number])[] },
): number[] {
  const { sold, edges, edge } = problem;
  sold.fill(0, 0, edges);
  labels.crossedBy.clear();
  labels.legs = Infinity;
  for (const [e, taken] of after) {
    sold[e] = taken;
    labels.crossedBy.set(graph.owner[edge[e]!]!, e);
  }
  const hop = bestPath(problem, graph, labels, { amount, hops });
  if (hop === 0) return [];
  sendAlong(problem, graph, labels, hop);
  return [...sold.subarray(0, edges).keys()].filter((e) => sold[e]! > 0);
}

type Send = { readonly amount: number; readonly hops: number };

/**
 * The path that nets most for the whole supply after the cost of its edges.
 *
 * @param limits the cost in value, by edge of the problem, and the hops of the longest path
 * @returns its edges from the source on; [] where there is none
 */
export function bestSinglePath(
  problem: Problem,
  graph: Graph,
  labels: Labels,
  { cost, hops }: { readonly cost: Float64Array; readonly hops: number },
): number[] {
  problem.sold.fill(0, 0, problem.edges);
  labels.crossedBy.clear();
  labels.legs = Infinity;
  labels.cost = cost;
  const length = bestPath(problem, graph, labels, {
    amount: problem.supply / problem.ref[problem.source]!,
    hops,
  });
  labels.cost = FREE;
  const path: number[] = [];
  let node = problem.sink;
  for (let hop = length; hop > 0; hop--) {
    const e = labels.by[hop * problem.nodes + node]!;
    path.unshift(e);
    node = problem.tail[e]!;
  }
  return path;
}

const FREE = new Float64Array(0);

/** Labels every node by the best path of each length. @returns the length of the best path to the sink, 0 = none */
function bestPath(problem: Problem, graph: Graph, labels: Labels, { amount, hops }: Send): number {
  const { nodes, source, sink } = problem;
  labels.amount = grown(labels.amount, (hops + 1) * nodes);
  labels.by = grown(labels.by, (hops + 1) * nodes);
  labels.net = grown(labels.net, (hops + 1) * nodes);
  labels.amount.fill(0, 0, (hops + 1) * nodes);
  labels.net.fill(0, 0, (hops + 1) * nodes);
  labels.amount[source] = labels.net[source] = amount;
  closeCrossed(problem, graph, labels);
  let best = 0;
  for (let hop = 1; hop <= hops; hop++) {
    relax(problem, graph, labels, hop);
    if (labels.net[hop * nodes + sink]! > (best > 0 ? labels.net[best * nodes + sink]! : 0)) best = hop;
  }
  return best;
}

function closeCrossed({ edges, edge, sold }: Problem, { owner }: Graph, labels: Labels): void {
  labels.closed = grown(labels.closed, edges);
  const { closed, crossedBy } = labels;
  for (let e = 0; e < edges; e++) closed[e] = sold[e] === 0 && crossedBy.has(owner[edge[e]!]!) ? 1 : 0;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over all edges, whose cases share every value
function relax(
  { edges, edge, tail, head, sold, nodes, sink, price, ref }: Problem,
  { curves }: Graph,
  labels: Labels,
  hop: number,
): void {
  const { amount, net, by, cost, closed } = labels;
  // As if all on the way to an edge that is not in use, too, were new.
  const mayOpen = labels.crossedBy.size + hop <= labels.legs;
  const here = hop * nodes;
  const before = here - nodes;
  for (let e = 0; e < edges; e++) {
    const arriving = amount[before + tail[e]!]!;
    if (arriving === 0 || tail[e] === sink) continue;
    if (sold[e] === 0 && (!mayOpen || closed[e] === 1)) continue;
    const at = here + head[e]!;
    if (!(mostFor(curves, edge[e]!, arriving) > net[at]!)) continue;
    const toll =
      sold[e] === 0 && e < cost.length ? tollOf(labels, curves, { e, edge: edge[e]!, arriving }) : 0;
    // Costs are not sent: what pays for one edge does not make the next one's trade smaller.
    const paid = (arriving - net[before + tail[e]!]!) * price[tail[e]!]! * ref[tail[e]!]! + toll;
    const out = gainOf(curves, edge[e]!, sold[e]!, arriving);
    const left = out - paid / (price[head[e]!]! * ref[head[e]!]!);
    if (!(left > net[at]!) || left < 1) continue;
    if (revisits(labels, { tail, nodes }, hop - 1, { node: tail[e]!, head: head[e]! })) continue;
    amount[at] = out;
    net[at] = left;
    by[at] = e;
  }
}

/** What it costs, in value, to sell `arriving` to an edge that is not in use. */
function tollOf(
  { cost, crossing }: Labels,
  curves: Graph["curves"],
  at: { readonly e: number; readonly edge: number; readonly arriving: number },
): number {
  const { e, edge, arriving } = at;
  return crossing[e]! > 0 ? cost[e]! + crossing[e]! * crossed(curves, edge, arriving) : cost[e]!;
}

/** What an edge pays for `more` after it has taken `taken`. */
function gainOf(curves: Graph["curves"], edge: number, taken: number, more: number): number {
  return outputAt(curves, edge, taken + more) - (taken > 0 ? outputAt(curves, edge, taken) : 0);
}

/** Whether the path that ends in `node` after `hop` hops has passed `head`. */
function revisits(
  { by }: Labels,
  { tail, nodes }: Pick<Problem, "tail" | "nodes">,
  hop: number,
  step: { node: number; head: number },
): boolean {
  let { node } = step;
  for (let h = hop; h >= 0; h--) {
    if (node === step.head) return true;
    if (h > 0) node = tail[by[h * nodes + node]!]!;
  }
  return false;
}

function sendAlong(
  { nodes, tail, sold, sink, edge }: Problem,
  { owner }: Graph,
  { amount, by, crossedBy }: Labels,
  length: number,
): void {
  let node = sink;
  for (let hop = length; hop > 0; hop--) {
    const e = by[hop * nodes + node]!;
    node = tail[e]!;
    sold[e]! += amount[(hop - 1) * nodes + node]!;
    crossedBy.set(owner[edge[e]!]!, e);
  }
}
