import { growAll } from "../../math/rows.ts";
import type { Curve } from "../../protocol.ts";
import {
  type Curves,
  copyCurve,
  emptyCurves,
  putCurve,
  reserveEdge,
  shareCurve,
} from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Scratch } from "./scratch.ts";

/**
 * The convex problem over a chosen set of edges: sell `supply` at node `source`, collect at `sink`.
 *
 * All amounts are values, that is amount × reference value of the token, so that every price is near 1 whatever the
 * decimals. Prices are the dual variables: the value of each node's token in the token bought, over its reference value.
 */
export type Problem = {
  nodes: number;
  edges: number;
  source: number;
  sink: number;
  /** Value sold. */
  supply: number;
  /** By local node: the node of the graph, its reference value and its price. */
  node: Int32Array;
  ref: Float64Array;
  price: Float64Array;
  /** By local node: value that is available without a trade, besides the supply of the source. */
  free: Float64Array;
  alive: Uint8Array;
  place: Int32Array;
  /** By local edge: the edge of the graph and the local numbers of its ends. */
  edge: Int32Array;
  tail: Int32Array;
  head: Int32Array;
  lane: Int32Array;
  /** Smallest units sold through each edge. */
  sold: Float64Array;
  /** The curves of the edges, copied: the market is read-only during a search, and joint nodes belong to one order. */
  readonly curves: Curves;
  /** Edges of the graph that may not be added: pairs of pools that are in the problem as joint nodes. */
  readonly barred: number[];
  readonly joints: OrderJoints;
};

/** The joint nodes of one order, linearised at its flows. They are not part of the market. */
export type OrderJoints = {
  /** By edge of the graph, its number in `curves`. */
  readonly slotOf: Map<number, number>;
  readonly curves: Curves;
  /** Reference value of a unit, by node of the graph. */
  readonly unitOf: Map<number, number>;
};

export function emptyProblem(): Problem {
  return {
    nodes: 0,
    edges: 0,
    source: 0,
    sink: 0,
    supply: 0,
    node: new Int32Array(64),
    ref: new Float64Array(64),
    price: new Float64Array(64),
    free: new Float64Array(64),
    alive: new Uint8Array(64),
    place: new Int32Array(64),
    edge: new Int32Array(256),
    tail: new Int32Array(256),
    head: new Int32Array(256),
    lane: new Int32Array(256),
    sold: new Float64Array(256),
    curves: emptyCurves(),
    barred: [],
    joints: { slotOf: new Map(), curves: emptyCurves(), unitOf: new Map() },
  };
}

/** Begins an empty problem whose source and sink are local nodes 0 and 1. */
export function beginProblem(
  problem: Problem,
  graph: Graph,
  scratch: Scratch,
  { from, to, supply }: { from: number; to: number; supply: number },
): void {
  clearProblem(problem, scratch);
  problem.supply = supply;
  problem.source = addProblemNode(problem, graph, scratch, { node: from, price: 1 });
  problem.sink = addProblemNode(problem, graph, scratch, { node: to, price: 1 });
}

/** Clears the problem and the places of its nodes and edges in the scratch memory. */
export function clearProblem(problem: Problem, scratch: Scratch): void {
  for (let n = 0; n < problem.nodes; n++) scratch.local[problem.node[n]!] = 0;
  for (let e = 0; e < problem.edges; e++) scratch.inProblem[problem.edge[e]!] = 0;
  for (const edge of problem.barred) scratch.inProblem[edge] = 0;
  problem.barred.length = 0;
  forgetJoints(problem.joints);
  problem.curves.used = 0;
  problem.nodes = 0;
  problem.edges = 0;
}

/** The local number of a node of the graph, which is added with `price` if it is not in the problem. */
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
  problem.ref[local] = problem.joints.unitOf.get(node) ?? graph.values.ref[node]!;
  problem.price[local] = price;
  problem.free[local] = 0;
  scratch.local[node] = local + 1;
  return local;
}

/** Adds an edge whose ends are in the problem. @returns whether it was added: false if it was there already, or may not be */
export function addProblemEdge(problem: Problem, graph: Graph, scratch: Scratch, edge: number): boolean {
  const slot = problem.joints.slotOf.get(edge);
  if (scratch.inProblem[edge] !== 0 || (slot === undefined && graph.curves.count[edge] === 0)) return false;
  const local = problem.edges++;
  scratch.inProblem[edge] = local + 1;
  growEdges(problem, local + 1);
  problem.edge[local] = edge;
  problem.tail[local] = scratch.local[graph.tail[edge]!]! - 1;
  problem.head[local] = scratch.local[graph.head[edge]!]! - 1;
  problem.sold[local] = 0;
  if (slot === undefined) copyCurve(problem.curves, local, graph.curves, edge);
  else copyCurve(problem.curves, local, problem.joints.curves, slot);
  problem.lane[local] = problem.curves.at[local]!;
  return true;
}

/** Removes all joint nodes. */
export function forgetJoints({ slotOf, curves, unitOf }: OrderJoints): void {
  slotOf.clear();
  unitOf.clear();
  curves.room.fill(0);
  curves.used = 0;
}

/** Stores the curve of an edge of a joint node, and replaces it in the problem if the edge is there. */
export function putJointEdge(problem: Problem, { inProblem }: Scratch, edge: number, curve: Curve): void {
  const { slotOf, curves } = problem.joints;
  const slot = slotOf.get(edge) ?? slotOf.size;
  slotOf.set(edge, slot);
  reserveEdge(curves, slot);
  putCurve(curves, slot, curve);
  const local = inProblem[edge]! - 1;
  if (local < 0) return;
  putCurve(problem.curves, local, curve);
  problem.lane[local] = problem.curves.at[local]!;
}

/** Adds an edge and those of its ends that are new, at the given price. */
export function addEdgeWithEnds(
  problem: Problem,
  graph: Graph,
  scratch: Scratch,
  { edge, priceOf }: { readonly edge: number; readonly priceOf: (node: number) => number },
): void {
  for (const node of [graph.tail[edge]!, graph.head[edge]!])
    addProblemNode(problem, graph, scratch, { node, price: priceOf(node) });
  addProblemEdge(problem, graph, scratch, edge);
}

export function growNodes(problem: Problem, size: number): void {
  if (problem.node.length < size) growAll(problem, ["node", "ref", "price", "free", "alive", "place"], size);
}

export function growEdges(problem: Problem, size: number): void {
  if (problem.edge.length < size) growAll(problem, ["edge", "tail", "head", "lane", "sold"], size);
}

/** Removes edges and nodes that lie on no path from the source to the sink. */
export function dropDeadEnds(problem: Problem, scratch: Scratch | undefined): void {
  const { tail, head, edge, source, sink, alive } = problem;
  mark(alive, 1, problem, { near: tail, far: head, start: source });
  mark(alive, 2, problem, { near: head, far: tail, start: sink });
  let kept = 0;
  for (let e = 0; e < problem.edges; e++) {
    const good = (alive[tail[e]!]! & 1) !== 0 && (alive[head[e]!]! & 2) !== 0;
    const stays = good && tail[e] !== sink && head[e] !== source;
    if (scratch !== undefined) scratch.inProblem[edge[e]!] = stays ? kept + 1 : 0;
    if (stays) moveEdge(problem, e, kept++);
  }
  problem.edges = kept;
  dropNodes(problem, scratch);
}

/** Moves an edge of the problem to the place of another. */
export function moveEdge(problem: Problem, from: number, to: number): void {
  const { edge, tail, head, lane, sold, curves } = problem;
  shareCurve(curves, to, curves, from);
  edge[to] = edge[from]!;
  tail[to] = tail[from]!;
  head[to] = head[from]!;
  lane[to] = lane[from]!;
  sold[to] = sold[from]!;
}

/** Removes the nodes that the source does not reach or that do not reach the sink. */
function dropNodes(problem: Problem, scratch: Scratch | undefined): void {
  const { node, tail, head, alive, place } = problem;
  let kept = 0;
  for (let n = 0; n < problem.nodes; n++) {
    const stays = n < ENDS || alive[n] === 3;
    if (scratch !== undefined) scratch.local[node[n]!] = 0;
    place[n] = kept;
    if (stays) moveNode(problem, scratch, n, kept++);
  }
  problem.nodes = kept;
  for (let e = 0; e < problem.edges; e++) {
    tail[e] = place[tail[e]!]!;
    head[e] = place[head[e]!]!;
  }
}

function moveNode(
  { node, ref, price, free }: Problem,
  scratch: Scratch | undefined,
  from: number,
  to: number,
): void {
  if (scratch !== undefined) scratch.local[node[from]!] = to + 1;
  node[to] = node[from]!;
  ref[to] = ref[from]!;
  price[to] = price[from]!;
  free[to] = free[from]!;
}

/** The source and the sink are nodes 0 and 1. */
const ENDS = 2;

type Along = { readonly near: Int32Array; readonly far: Int32Array; readonly start: number };

/** Sets `bit` for all nodes that are reachable from `start` along the edges. */
function mark(alive: Uint8Array, bit: number, { nodes, edges }: Problem, { near, far, start }: Along): void {
  for (let n = 0; n < nodes; n++) alive[n]! &= ~bit;
  alive[start]! |= bit;
  for (let moved = true; moved; ) {
    moved = false;
    for (let e = 0; e < edges; e++) {
      if ((alive[near[e]!]! & bit) === 0 || (alive[far[e]!]! & bit) !== 0) continue;
      alive[far[e]!]! |= bit;
      moved = true;
    }
  }
}

/** An order as the search reads it. */
export type Demand = {
  readonly from: number;
  readonly to: number;
  /** Smallest units sold. */
  readonly amount: number;
  readonly allowed: (edge: number) => boolean;
  /** Whether the deadline has passed. */
  readonly late: () => boolean;
};
