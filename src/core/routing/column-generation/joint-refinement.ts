import { keepBest } from "../convex/primal-flow.ts";
import type { Demand } from "../convex/problem.ts";
import { dropDeadEnds } from "../convex/problem.ts";
import { solveProblem } from "../convex/solve.ts";
import type { Graph } from "../market-graph/graph.ts";
import { joinCrossed, relinearise, splitJoints, stillJoined } from "../multi-asset/joint-node.ts";
import { admit } from "./admission.ts";
import { stepOfPricing } from "./pricing-steps.ts";
import type { ColumnWorkspace } from "./stopping.ts";
import { GAP, isLarge, isTight, type Search, SPOT, shareFor } from "./stopping.ts";

/** Rounds, rounds in a row that do not lower the bound, and linearisations in each. */
const ROUNDS = 6;
const IDLE = 2;
const MOST_REDRAWN = 12;
/** Linearising ends once it changes what is delivered by less than this share. */
const STILL = 5e-7;
/** A solution that did not converge is dropped if it delivers less than before by this share. */
const ASTRAY = 0.01;
/**
 * Solutions in a row that did not converge and deliver too little by `ASTRAY`, after which linearising ends: flows that deliver next to
 * nothing lead to no better point of linearisation.
 */
const MOST_FAILED = 2;
/** Edges above which no more are admitted. */
const HUGE = 9000;

/**
 * Refines an optimum by making each pool that it crosses more than once a joint node, linearised at each solution's flows
 * until these stay. What the pairs of such a pool promised together before was no feasible flow.
 */
export function refineJointly(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  search: Search,
): void {
  for (let idle = 0, round = 0; round < ROUNDS && idle < IDLE && !demand.late(); round++) {
    const before = search.bound;
    if (!joinMore(graph, workspace, search) || !takeRound(graph, workspace, demand, search)) break;
    idle = round > 0 && before - search.bound < GAP * before ? idle + 1 : 0;
  }
  splitJoints(workspace, search.joined);
}

/** Solves with joint nodes and admits candidates at their prices. @returns whether another round may find more */
function takeRound(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): boolean {
  // The pairs, which ignore each other, bound the joint node from above, often closely.
  if (!settleJoints(graph, workspace, demand, search) || isTight(workspace, search)) return false;
  const gain = stepOfPricing(graph, workspace, demand, search);
  if (workspace.problem.edges > HUGE || isTight(workspace, search)) return false;
  admit(graph, workspace, demand, { gain, size: 0 });
  return true;
}

/** Makes the pools that are now crossed more than once joint nodes. @returns whether there are any joint nodes */
function joinMore(graph: Graph, workspace: ColumnWorkspace, search: Search): boolean {
  const more = joinCrossed(graph, workspace);
  search.joined = [...search.joined, ...more];
  return search.joined.length > 0;
}

/**
 * Solves over the same edges, linearising joint nodes at the flows, until what is delivered stays the same.
 *
 * @returns whether that converged or delivers about as much; otherwise the flows of before are restored
 */
function settleJoints(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): boolean {
  const { primalFlow } = workspace;
  const before = { kept: primalFlow.kept, flows: [...primalFlow.flows] };
  // A large problem can afford few rounds, so each should give a bound.
  if (isLarge(workspace)) search.level = SPOT;
  const delivers = () => runAfresh(workspace, demand) || primalFlow.kept > (1 - ASTRAY) * before.kept;
  const isSettled = linearised(graph, workspace, search, { late: demand.late, delivers });
  search.joined = stillJoined(workspace, search.joined);
  if (isSettled) return true;
  primalFlow.kept = before.kept;
  primalFlow.flows.clear();
  for (const [edge, sent] of before.flows) primalFlow.flows.set(edge, sent);
  return false;
}

/**
 * Linearises joint nodes at the flows and solves again, until what is delivered stays the same.
 *
 * @param delivers solves the linearised problem; true if it converged, or delivers about as much as before any linearisation
 * @returns the answer of the last solution
 */
function linearised(
  graph: Graph,
  workspace: ColumnWorkspace,
  search: Search,
  { late, delivers }: Readonly<Record<"late" | "delivers", () => boolean>>,
): boolean {
  const { primalFlow } = workspace;
  let failed = Number(!delivers());
  for (let round = 0; round < MOST_REDRAWN && failed < MOST_FAILED && !late(); round++) {
    const last = primalFlow.kept;
    relinearise(graph, workspace, search.joined);
    failed = delivers() ? 0 : failed + 1;
    const still = search.joined.every(({ limited }) => !limited);
    if (still && Math.abs(primalFlow.kept - last) < shareFor(workspace, search, STILL) * last) break;
  }
  return failed === 0;
}

/** Solves and keeps only this solution, unless the deadline came before it. @returns whether it converged */
function runAfresh(workspace: ColumnWorkspace, { late }: Demand): boolean {
  const { problem, primalFlow } = workspace;
  dropDeadEnds(problem, workspace.scratch);
  const converged = solveProblem(problem, workspace, late);
  if (!converged && late()) return false;
  primalFlow.kept = -1;
  keepBest(primalFlow, problem);
  return converged;
}
