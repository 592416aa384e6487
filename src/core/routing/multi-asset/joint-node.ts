/**
 * Multi-asset: pools of three and more tokens that an optimum crosses over several pairs.
 *
 * In:  such a pool with invariant φ, and the best flows so far.
 * Out: a joint node in the convex problem: each token k is sold for units of the invariant and bought with them, over
 *      one edge each way, so that pairs do not promise the same coin twice. For Σ_k w_k·ln x_k that is exact. A
 *      nonlinear part of φ that does not separate over the tokens is linearised at the balances that the flows leave,
 *      and again until the flows stay there. A tangent to a concave function lies above it, so an upper bound holds at
 *      any point of linearisation.
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

/** A pool that is in the problem as a joint node, in place of the independent curves of its pairs. */
export type Joined = {
  readonly entry: PoolEntry;
  /**
   * By token, smallest units: the most that the pool can pay, and the amount sold to the pool at the point of
   * linearisation, negative for an amount that it pays.
   */
  readonly most: readonly number[];
  readonly traded: Float64Array;
  /** Whether the best flows leave less of a token than one move of the point of linearisation may, which is `LEFT`. */
  limited: boolean;
  /**
   * Sum over the tokens of the logarithm of what is left of each, before the last move of the point of linearisation:
   * at that point, and where the best flows led.
   */
  here: number;
  there: number;
};

/** Least share of what is left of a token at one point of linearisation that is left of it at the next one. */
const LEFT = 0.3;

/** Replaces the pairs of pools that the best flows cross more than once by joint nodes. @returns those pools */
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

/**
 * The joint curves of a pool after trades of `traded`; undefined where the design has none or throws. A throw is
 * counted, and the pool is not quarantined: `traded` follows from the amount of the caller.
 */
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

/** Linearises joint nodes again, nearer to the balances that the best flows leave in their pools. */
export function relinearise(graph: Graph, workspace: ConvexWorkspace, joined: readonly Joined[]): void {
  for (const one of joined) {
    aim(graph, workspace, one);
    const joint = tried(workspace, one.entry, one.traded);
    if (joint !== undefined) putJoint(workspace, one.entry, joint);
  }
}

/**
 * Moves the point of linearisation of a node towards the best flows. A move leaves at least the share `LEFT` of each
 * token, since the tangent at a drained pool is too steep. Where the flows oscillate between solutions, a secant step
 * damps the move. Moves are measured in logarithms of what is left of the tokens.
 */
function aim(graph: Graph, workspace: ConvexWorkspace, joined: Joined): void {
  const { most, traded } = joined;
  const wanted = tradedIn(graph, workspace, joined.entry);
  let here = 0;
  let there = 0;
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

/** Stores the curves and the free units of a node that is in the problem. */
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

/** What the best flows sell to a pool, by token, smallest units; negative for what they take. */
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
    const into = entry.jointEdge + k;
    const outOf = entry.jointEdge + length + k;
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

/** Removes the barred edges from the problem. */
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

/** Adds the node, and its edges from and to the tokens that are in the problem. */
function addJoint(graph: Graph, workspace: ConvexWorkspace, joined: Joined): void {
  const { problem, scratch } = workspace;
  const { entry, most } = joined;
  const { jointNode, jointEdge } = entry;
  const { values, tail, head } = graph;
  const joint = tried(workspace, entry, joined.traded);
  if (joint === undefined) return;
  // The reference value of a unit of the node is that of the amount of the first token which brings one unit at spot.
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

/** The geometric mean of the node's best buy and best sell prices at spot, over the tokens that are in the problem. */
function priceOf(
  { values }: Graph,
  { problem, scratch }: ConvexWorkspace,
  { entry }: Joined,
  nodes: readonly number[],
): number {
  const { slotOf, curves, unitOf } = problem.joints;
  const unit = unitOf.get(entry.jointNode)!;
  const spot = (edge: number) => slopeAt(curves, slotOf.get(edge)!, 0);
  let least = Infinity;
  let most = 0;
  for (const [k, node] of nodes.entries()) {
    const local = scratch.local[node]! - 1;
    if (local < 0) continue;
    const worth = problem.price[local]! * values.ref[node]!;
    least = Math.min(least, worth / spot(entry.jointEdge + k) / unit);
    most = Math.max(most, (worth * spot(entry.jointEdge + nodes.length + k)) / unit);
  }
  return Math.sqrt(least * most);
}

/** The pools whose joint nodes are still in the problem. Releases the pairs of the others. */
export function stillJoined({ scratch }: ConvexWorkspace, joined: readonly Joined[]): readonly Joined[] {
  return joined.filter(({ entry }) => {
    const stays = scratch.local[entry.jointNode] !== 0;
    if (!stays) scratch.inProblem.fill(0, entry.firstEdge, entry.jointEdge);
    return stays;
  });
}

/** Replaces the flows through joint nodes by crossings of single pairs of their pools. */
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

/** A token's flow into or out of a joint node: what its edge sells, and the same in units of the node. */
type Part = { readonly k: number; readonly amount: number; readonly units: number };

type Match = { readonly i: number; readonly j: number; readonly amount: number };

/** Matches tokens sold with tokens bought greedily: at most one crossing fewer than there are tokens on both sides. */
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
