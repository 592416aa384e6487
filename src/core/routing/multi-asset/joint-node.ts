/**
 * Multi-asset: pools of three and more tokens that an optimum crosses by several pairs.
 *
 * In:  such a pool with invariant φ, and the best flows so far.
 * Out: a joint node in the convex problem: each token k is sold for units of the invariant and bought with them, over one edge
 *      each way, so that pairs do not promise the same coin twice. For Σ_k w_k·ln x_k that is exact. Where φ has a bent part
 *      that is no sum over the tokens, it is linearised where the flows leave the pool, and drawn again until they stay there:
 *      a tangent to a concave function lies above it, so that an upper bound holds wherever it is drawn.
 * The flows through a joint node become crossings of single pairs again, as few as carry them (`splitJoints`).
 * Reference: Diamandis, Angeris, Edelman, "Convex Network Flows", arXiv 2404.00765, on hyperedges.
 */
import type { Curve, Joint } from "../../protocol.ts";
import {
  addProblemEdge,
  addProblemNode,
  forgetJoints,
  moveEdge,
  type OrderJoints,
  putJointEdge,
} from "../convex/problem.ts";
import type { ConvexWorkspace } from "../convex/solve.ts";
import { outputAt, slopeAt } from "../curves/segments.ts";
import { forEachEdge, type Graph, type PoolEntry } from "../market-graph/graph.ts";

/**
 * Pools that an optimum crosses by several pairs, put into the problem as joint nodes: tokens are sold for a unit of
 * the node, and bought with it. The pairs' curves do not know of each other; the node's do.
 */

/** A pool that is in the problem as a joint node. */
export type Joined = {
  readonly entry: PoolEntry;
  /** By token: the most that the pool can pay, and what it is taken to be given where the node is linearised. */
  readonly most: readonly number[];
  readonly traded: Float64Array;
  /** Whether the best flows would take more out than a node may be linearised for at once. */
  limited: boolean;
  /** Where the node was linearised last, and where the flows were then: logarithms of what was left, summed. */
  here: number;
  there: number;
};

/** Share of what was left of a token that is left, at the least, where the node is linearised next. */
const LEFT = 0.3;

/** Takes the pairs of the pools that the best flows cross more than once out, and their joint nodes in. @returns those pools */
export function joinCrossed(graph: Graph, workspace: ConvexWorkspace): readonly Joined[] {
  const crossings = new Map<number, number>();
  for (const edge of workspace.primalFlow.flows.keys()) {
    const owner = graph.owner[edge]!;
    crossings.set(owner, (crossings.get(owner) ?? 0) + 1);
  }
  const joined: Joined[] = [];
  for (const [owner, count] of crossings) {
    const entry = graph.entries[owner]!;
    if (count < 2 || entry.jointNode < 0 || workspace.scratch.local[entry.jointNode] !== 0) continue;
    const traded = new Float64Array(entry.pool.tokens.length);
    const most = tried(workspace, entry, traded)?.outOf.map(endOf);
    if (most === undefined) continue;
    joined.push({ entry, most, traded, limited: false, here: NaN, there: NaN });
  }
  for (const one of joined) aim(graph, workspace, one);
  for (const { entry } of joined) barPairs(workspace, entry);
  if (joined.length > 0) dropBarred(workspace);
  for (const one of joined) addJoint(graph, workspace, one);
  return joined;
}

/** A design that throws here keeps its pairs, and is counted: what is traded follows from the caller's amount. */
function tried(
  { faults }: ConvexWorkspace,
  { protocol, mirror }: PoolEntry,
  traded: Float64Array,
): Joint | undefined {
  try {
    return protocol.joint(mirror, traded, true);
  } catch {
    faults.threw++;
    return undefined;
  }
}

function endOf({ x, y, m, c, end }: Curve): number {
  const last = x.length - 1;
  const width = end - x[last]!;
  return y[last]! + (m[last]! * width) / (1 + c[last]! * width);
}

/** Linearises joint nodes anew where the best flows leave their pools. */
export function relinearise(graph: Graph, workspace: ConvexWorkspace, joined: readonly Joined[]): void {
  for (const one of joined) {
    aim(graph, workspace, one);
    const joint = tried(workspace, one.entry, one.traded);
    if (joint !== undefined) putJoint(workspace, one.entry, joint);
  }
}

/**
 * Moves the point where a node is linearised towards the best flows: not far at once, since a drained pool looks too steep, and
 * by less where the flows swing from one solution to the next. What is left of the tokens is measured by its logarithms.
 */
function aim(graph: Graph, workspace: ConvexWorkspace, joined: Joined): void {
  const { most, traded } = joined;
  const wanted = tradedIn(graph, workspace, joined.entry);
  let [here, there] = [0, 0];
  joined.limited = false;
  for (let k = 0; k < traded.length; k++) {
    const left = most[k]! + traded[k]!;
    if (most[k]! + wanted[k]! < LEFT * left) joined.limited = true;
    wanted[k] = Math.max(most[k]! + wanted[k]!, LEFT * left);
    here += Math.log(left);
    there += Math.log(wanted[k]!);
  }
  const swing = (there - joined.there) / (here - joined.here);
  const step = swing < 0 ? Math.max(LEAST_STEP, 1 / (1 - swing)) : 1;
  for (let k = 0; k < traded.length; k++) {
    const left = most[k]! + traded[k]!;
    traded[k] = left * (wanted[k]! / left) ** step - most[k]!;
  }
  [joined.here, joined.there] = [here, there];
}

const LEAST_STEP = 0.1;

/** Stores the curves of a node that is in the problem, and what comes with it. */
function putJoint(
  { problem, scratch }: ConvexWorkspace,
  { jointNode, jointEdge }: PoolEntry,
  joint: Joint,
): void {
  for (const [k, curve] of [...joint.into, ...joint.outOf].entries())
    putJointEdge(problem, scratch, jointEdge + k, curve);
  const local = scratch.local[jointNode]! - 1;
  problem.free[local] = joint.free * problem.ref[local]!;
}

/** What the best flows give a pool, by token, smallest units; below zero for what they take. */
function tradedIn(graph: Graph, { primalFlow, problem }: ConvexWorkspace, entry: PoolEntry): Float64Array {
  const { length } = entry.pool.tokens;
  const traded = new Float64Array(length);
  const { flows } = primalFlow;
  forEachEdge(entry, (edge) => {
    const sent = flows.get(edge) ?? 0;
    if (sent === 0) return;
    traded[graph.sold[edge]!]! += sent;
    traded[graph.bought[edge]!]! -= outputAt(graph.curves, edge, sent);
  });
  const { slotOf, curves } = problem.joints;
  for (let k = 0; k < length; k++) {
    const [into, outOf] = [entry.jointEdge + k, entry.jointEdge + length + k];
    traded[k]! += flows.get(into) ?? 0;
    if (flows.has(outOf)) traded[k]! -= outputAt(curves, slotOf.get(outOf)!, flows.get(outOf)!);
  }
  return traded;
}

const BARRED = -1;

function barPairs({ problem, scratch }: ConvexWorkspace, entry: PoolEntry): void {
  forEachEdge(entry, (edge) => {
    problem.barred.push(edge);
    scratch.inProblem[edge] = BARRED;
  });
}

/** Takes the barred edges out of the problem. */
function dropBarred({ problem, scratch }: ConvexWorkspace): void {
  let kept = 0;
  for (let e = 0; e < problem.edges; e++) {
    const edge = problem.edge[e]!;
    if (scratch.inProblem[edge] === BARRED) continue;
    scratch.inProblem[edge] = kept + 1;
    moveEdge(problem, e, kept++);
  }
  problem.edges = kept;
}

/** Adds the node, and its edges to the tokens that are in the problem. */
function addJoint(graph: Graph, workspace: ConvexWorkspace, joined: Joined): void {
  const { problem, scratch } = workspace;
  const { entry, most } = joined;
  const { jointNode, jointEdge } = entry;
  const { values, tail, head } = graph;
  const joint = tried(workspace, entry, joined.traded);
  if (joint === undefined) return;
  // A unit of the node is worth what brings one.
  problem.joints.unitOf.set(jointNode, values.ref[tail[jointEdge]!]! / joint.into[0]!.m[0]!);
  const local = addProblemNode(problem, graph, scratch, { node: jointNode, price: 1 });
  putJoint(workspace, entry, joint);
  problem.price[local] = priceOf(graph, workspace, joined, [
    ...tail.subarray(jointEdge, jointEdge + most.length),
  ]);
  for (let edge = jointEdge; edge < jointEdge + 2 * entry.pool.tokens.length; edge++) {
    const known = scratch.local[tail[edge]!]! > 0 && scratch.local[head[edge]!]! > 0;
    if (known) addProblemEdge(problem, graph, scratch, edge);
  }
}

/** Between what the node would cost at most, and fetch at least, at the prices of the tokens that are in the problem. */
function priceOf(
  { values }: Graph,
  { problem, scratch }: ConvexWorkspace,
  { entry }: Joined,
  nodes: readonly number[],
): number {
  const { slotOf, curves, unitOf } = problem.joints;
  const unit = unitOf.get(entry.jointNode)!;
  const spot = (edge: number) => slopeAt(curves, slotOf.get(edge)!, 0);
  let [least, most] = [Infinity, 0];
  for (const [k, node] of nodes.entries()) {
    const local = scratch.local[node]! - 1;
    if (local < 0) continue;
    const worth = problem.price[local]! * values.ref[node]!;
    least = Math.min(least, worth / spot(entry.jointEdge + k) / unit);
    most = Math.max(most, (worth * spot(entry.jointEdge + nodes.length + k)) / unit);
  }
  return Math.sqrt(least * most);
}

/** The pools whose joint nodes are still in the problem; the pairs of the others may be used again. */
export function stillJoined({ scratch }: ConvexWorkspace, joined: readonly Joined[]): readonly Joined[] {
  return joined.filter(({ entry }) => {
    const stays = scratch.local[entry.jointNode] !== 0;
    if (!stays) scratch.inProblem.fill(0, entry.firstEdge, entry.jointEdge);
    return stays;
  });
}

/** The best flows with joint nodes spelled as crossings of their pools again. */
export function splitJoints({ primalFlow, problem }: ConvexWorkspace, joined: readonly Joined[]): void {
  for (const { entry } of joined) {
    const { length } = entry.pool.tokens;
    const { into, outOf } = partsOf(problem.joints, primalFlow.flows, entry);
    for (let k = 0; k < 2 * length; k++) primalFlow.flows.delete(entry.jointEdge + k);
    for (const { i, j, amount } of matched(into, outOf)) {
      primalFlow.flows.set(entry.firstEdge + i * (length - 1) + (j < i ? j : j - 1), amount);
    }
  }
  forgetJoints(problem.joints);
}

function partsOf(
  { slotOf, curves }: OrderJoints,
  flows: ReadonlyMap<number, number>,
  { pool, jointEdge }: PoolEntry,
): { into: Part[]; outOf: Part[] } {
  const { length } = pool.tokens;
  const into: Part[] = [];
  const outOf: Part[] = [];
  for (let k = 0; k < length; k++) {
    const amount = flows.get(jointEdge + k) ?? 0;
    if (amount > 0) into.push({ k, amount, units: outputAt(curves, slotOf.get(jointEdge + k)!, amount) });
    const units = flows.get(jointEdge + length + k) ?? 0;
    if (units > 0) outOf.push({ k, amount: units, units });
  }
  return { into, outOf };
}

/** A token's part in a node: the amount sold, and what of the node that is. */
type Part = { readonly k: number; readonly amount: number; readonly units: number };

type Match = { readonly i: number; readonly j: number; readonly amount: number };

/** Crossings of single pairs, as few as there need be, in which each token takes the part that it has. */
function matched(into: readonly Part[], outOf: readonly Part[]): Match[] {
  const share = sumOf(into) / sumOf(outOf);
  const wanted = outOf.map(({ k, units }) => ({ k, left: units * share }));
  const matches: Match[] = [];
  for (const { k: i, amount, units } of into) {
    let left = units;
    for (const [at, one] of wanted.entries()) {
      const last = at === wanted.length - 1;
      const part = last ? left : Math.min(left, one.left);
      if (!(part > units * NOTHING)) continue;
      matches.push({ i, j: one.k, amount: (amount * part) / units });
      left -= part;
      one.left -= part;
    }
  }
  return matches;
}

const NOTHING = 1e-9;

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { units }) => sum + units, 0);
}
