import type { Problem } from "../convex/problem.ts";
import { crossed, moreFor, mostFor } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";

/** Fixed costs of using the edges of a problem, by edge, in value. */
export type Tolls = {
  readonly cost: Float64Array;
  /** Further cost of each segment boundary that a trade crosses. */
  readonly crossing: Float64Array;
};

/** Edges that cost nothing. */
const FREE: Tolls = { cost: new Float64Array(0), crossing: new Float64Array(0) };

type Limits = {
  /** Hops of the longest path. */
  readonly hops: number;
  /**
   * Whether a path is dropped at a token where a shorter one nets more. Unset with profitable cycles, where the longer
   * path may continue to a token that the shorter one has passed.
   */
  readonly isDirect: boolean;
  /** Cap on the number of pools that all pieces together cross. */
  readonly legs: number;
  /** A path is dropped where it nets no more than this, in smallest units. */
  readonly least: number;
};

/** A path search. Labels by hop and node: what arrives by the path that nets most, and the edge that it arrives by. */
type Search = Limits & {
  readonly problem: Problem;
  readonly graph: Graph;
  readonly tolls: Tolls;
  readonly amount: Float64Array;
  /** By hop and node, `amount` less the costs of all edges of the path, in smallest units. */
  readonly net: Float64Array;
  readonly by: Int32Array;
  /** By node, the most that any number of hops nets so far. */
  readonly most: Float64Array;
  /** By pool, the edge that crosses it: a pool serves one pair at a time. */
  readonly crossedBy: Map<number, number>;
  /** By edge, whether it may not come into use because another edge crosses its pool. */
  readonly closed: Uint8Array;
};

function beginSearch(problem: Problem, graph: Graph, tolls: Tolls, limits: Limits): Search {
  problem.sold.fill(0, 0, problem.edges);
  const size = (limits.hops + 1) * problem.nodes;
  return {
    ...{ ...limits, problem, graph, tolls, crossedBy: new Map(), closed: new Uint8Array(problem.edges) },
    ...{ amount: new Float64Array(size), net: new Float64Array(size), by: new Int32Array(size) },
    most: new Float64Array(problem.nodes),
  };
}

/** The whole supply in smallest units. */
function supplyOf({ supply, ref, source }: Problem): number {
  return supply / ref[source]!;
}

/**
 * Sends the supply through the problem's edges in equal pieces, each along the path that nets most after the pieces
 * before it, until one finds no path. Leaves a rough primal flow in `problem.sold`, in smallest units.
 *
 * @returns the edges in use
 */
export function fillGreedily(
  problem: Problem,
  graph: Graph,
  tolls: Tolls,
  { chunks, ...limits }: Omit<Limits, "least"> & { readonly chunks: number },
): number[] {
  const search = beginSearch(problem, graph, tolls, { ...limits, least: 0 });
  for (let k = 0; k < chunks && sendBest(search, supplyOf(problem) / chunks); k++);
  return inUse(problem);
}

/**
 * Sends one more piece on top of given flows, along the path that pays most, with free legs.
 *
 * @param sent the piece in smallest units, the hops of its longest path, and what edges of the problem sell already
 * @returns the edges in use afterwards; [] if there is no path
 */
export function sendMore(
  problem: Problem,
  graph: Graph,
  sent: {
    readonly amount: number;
    readonly hops: number;
    readonly after: readonly (readonly [edge: number, sold: number])[];
  },
): number[] {
  const limits = { hops: sent.hops, legs: Infinity, isDirect: false, least: 0 };
  const search = beginSearch(problem, graph, FREE, limits);
  for (const [e, taken] of sent.after) {
    problem.sold[e] = taken;
    search.crossedBy.set(graph.owner[problem.edge[e]!]!, e);
  }
  return sendBest(search, sent.amount) ? inUse(problem) : [];
}

function inUse({ sold, edges }: Problem): number[] {
  const used: number[] = [];
  for (let e = 0; e < edges; e++) if (sold[e]! > 0) used.push(e);
  return used;
}

/**
 * The path that nets most for the whole supply after the costs of its edges; if none nets anything, the one that loses least.
 *
 * @returns its edges from the source on; [] if there is none
 */
export function bestSinglePath(
  problem: Problem,
  graph: Graph,
  tolls: Tolls,
  limits: Pick<Limits, "hops" | "isDirect">,
): number[] {
  for (const least of [0, -Infinity]) {
    const search = beginSearch(problem, graph, tolls, { ...limits, legs: Infinity, least });
    const path = pathOf(search, bestPath(search, supplyOf(problem)));
    if (path.length > 0) return path.map(({ e }) => e);
  }
  return [];
}

/**
 * The edges of the best path of `length` hops, from source to sink, and the amount that arrives at the tail of each.
 */
function pathOf({ problem, by, amount }: Search, length: number) {
  const path: { e: number; arriving: number }[] = [];
  let node = problem.sink;
  for (let hop = length; hop > 0; hop--) {
    const e = by[hop * problem.nodes + node]!;
    node = problem.tail[e]!;
    path.unshift({ e, arriving: amount[(hop - 1) * problem.nodes + node]! });
  }
  return path;
}

/** Sends one piece along the best path. @returns whether there is a path */
function sendBest(search: Search, amount: number): boolean {
  const { problem, graph, crossedBy } = search;
  const path = pathOf(search, bestPath(search, amount));
  for (const { e, arriving } of path) {
    problem.sold[e]! += arriving;
    crossedBy.set(graph.owner[problem.edge[e]!]!, e);
  }
  return path.length > 0;
}

/** Labels every node with the best path of each length. @returns the length of the best path to the sink; 0 = none */
function bestPath(search: Search, sent: number): number {
  const { problem, amount, net, most, hops, least } = search;
  const { nodes, source, sink } = problem;
  amount.fill(0);
  net.fill(least);
  most.fill(least);
  amount[source] = net[source] = sent;
  closeCrossed(search);
  let best = 0;
  for (let hop = 1; hop <= hops && relax(search, hop); hop++) {
    if (net[hop * nodes + sink]! > (best > 0 ? net[best * nodes + sink]! : least)) best = hop;
  }
  return best;
}

function closeCrossed({ problem, graph, closed, crossedBy }: Search): void {
  const { edges, edge, sold } = problem;
  for (let e = 0; e < edges; e++) closed[e] = sold[e] === 0 && crossedBy.has(graph.owner[edge[e]!]!) ? 1 : 0;
}

/** Relaxes all edges for one more hop. @returns whether a label was set */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over all edges, whose cases share every value
function relax(search: Search, hop: number): boolean {
  const { problem, tolls, amount, net, by, most, closed } = search;
  const { edges, edge, tail, head, sold, nodes, sink, price, ref } = problem;
  const { curves } = search.graph;
  // Conservative: assumes that every edge of the path opens a pool.
  const mayOpen = search.crossedBy.size + hop <= search.legs;
  const here = hop * nodes;
  const before = here - nodes;
  const isLast = hop === search.hops;
  let moved = false;
  for (let e = 0; e < edges; e++) {
    const arriving = amount[before + tail[e]!]!;
    if (arriving === 0 || tail[e] === sink || (isLast && head[e] !== sink)) continue;
    if (sold[e] === 0 && (!mayOpen || closed[e] === 1)) continue;
    const at = here + head[e]!;
    const known = search.isDirect ? most[head[e]!]! : net[at]!;
    if (!(mostFor(curves, edge[e]!, arriving) > known)) continue;
    const toll = sold[e] === 0 && tolls !== FREE ? tollOf(tolls, curves, { e, edge: edge[e]!, arriving }) : 0;
    // Costs reduce the net of the path only, not the amount that its next edge trades.
    const paid = (arriving - net[before + tail[e]!]!) * price[tail[e]!]! * ref[tail[e]!]! + toll;
    const out = moreFor(curves, edge[e]!, sold[e]!, arriving);
    const left = out - paid / (price[head[e]!]! * ref[head[e]!]!);
    if (!(left > known) || (search.least < 0 ? out : left) < 1) continue;
    if (repeats(search, hop - 1, e)) continue;
    amount[at] = out;
    net[at] = left;
    most[head[e]!] = left;
    by[at] = e;
    moved = true;
  }
  return moved;
}

/** The cost of selling `arriving` smallest units to an edge that is not in use, in value. */
function tollOf(
  { cost, crossing }: Tolls,
  curves: Graph["curves"],
  at: { readonly e: number; readonly edge: number; readonly arriving: number },
): number {
  const { e, edge, arriving } = at;
  return crossing[e]! > 0 ? cost[e]! + crossing[e]! * crossed(curves, edge, arriving) : cost[e]!;
}

/** Whether the path of the label of an edge's tail at `hop` hops passes the edge's head, or crosses its pool, which serves one pair. */
function repeats(
  { by, graph: { owner }, problem: { tail, head, edge, nodes } }: Search,
  hop: number,
  e: number,
): boolean {
  const pool = owner[edge[e]!]!;
  let node = tail[e]!;
  for (let h = hop; h > 0; h--) {
    if (node === head[e]) return true;
    const last = by[h * nodes + node]!;
    if (owner[edge[last]!] === pool) return true;
    node = tail[last]!;
  }
  return node === head[e];
}
