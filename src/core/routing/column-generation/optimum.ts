/**
 * Column generation: the convex optimum of an order over the whole market, with few of its pools in the problem.
 *
 * In:  the market graph and a demand: sell A of token s for token t over the edges that are allowed.
 * Out: the best flows, what they deliver, and an upper bound: the dual value of the problem plus what all edges outside it
 *      would earn at its prices, Σ_e max_x ( ν_v·f_e(x) - ν_u·x )₊.
 * Steps: initial columns (`initial-columns.ts`), solve (`convex/`), price all other edges (`pricing-steps.ts`,
 * `pricing.ts`), admit what earns most (`admission.ts`), until nothing earns or the gap is closed (`stopping.ts`).
 * Tokens outside the problem are priced by the best paths from it and back to it, which a label-correcting search finds
 * (`labels/labels.ts`). A pricing step costs O(pairs that may earn).
 * Reference: Desaulniers, Desrosiers, Solomon (eds.), "Column Generation", Springer 2005, chapter 1.
 */
import { keepBest } from "../convex/primal-flow.ts";
import type { Demand } from "../convex/problem.ts";
import { beginProblem, dropDeadEnds } from "../convex/problem.ts";
import { solveProblem } from "../convex/solve.ts";
import type { Graph } from "../market-graph/graph.ts";
import { levelOf } from "../market-graph/pair-index.ts";
import { admit, OFF } from "./admission.ts";
import { startProblem } from "./initial-columns.ts";
import { refineJointly } from "./joint-refinement.ts";
import { isArbitrageFree } from "./labels/sweep.ts";
import { refineStep, stepAtSpot, stepOfPricing } from "./pricing-steps.ts";
import type { ColumnWorkspace } from "./stopping.ts";
import { closed, GAP, type Legs, type Search, SPOT } from "./stopping.ts";

/** The convex optimum. Its prices remain in the workspace's problem, its best flows in the workspace's primal flow. */
export type Optimum = {
  /** Whether the gap between what is delivered and the bound was closed. */
  readonly converged: boolean;
  /**
   * Upper bound on what any flow delivers, in value; undefined if a cycle of pools is profitable or no bound was found.
   */
  readonly bound: number | undefined;
  /** What the best flows deliver, in value. */
  readonly delivered: number;
};

const MOST_ROUNDS = 14;
/** Rounds if some cycle of pools is profitable: prices mislead then, and candidates at spot are not admitted. */
const ROUNDS_ASTRAY = 4;
/** Rounds without any improvement after which the search ends. */
const PATIENCE = 3;
/** Size of the trade after which pools are priced first, as a share of the order. */
const FIRST_SIZE = 0.01;
/** Edges above which no more are admitted: a solution takes a tenth of a second, and more edges would mainly lower the bound. */
const HUGE = 6000;

/**
 * Solves the order over the whole graph.
 *
 * @returns undefined where no path joins the ends
 */
export function findOptimum(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  legs: Legs = "free",
): Optimum | undefined {
  const { problem, scratch, primalFlow } = workspace;
  const { from, to } = demand;
  primalFlow.kept = -1;
  primalFlow.flows.clear();
  workspace.dual.clear();
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * graph.values.ref[from]! });
  if (!startProblem(graph, workspace, demand)) return undefined;
  const atRest = isArbitrageFree(graph, scratch, { from, to });
  const search: Search = {
    legs,
    atRest,
    isArbitrageFree: graph.roundTrips.isArbitrageFree,
    bound: Infinity,
    rounds: 0,
    repriced: 0,
    level: levelOf(problem.supply * FIRST_SIZE),
    size: 0,
    whole: false,
    idle: 0,
    joined: [],
  };
  solve(graph, workspace, demand, search);
  if (!(primalFlow.kept > 0) && !demand.late()) solveAnew(graph, workspace, demand, search);
  // The rounds may end before any pricing step at spot, which alone gives a bound.
  if (atRest && search.bound === Infinity && !demand.late()) stepAtSpot(graph, workspace, demand, search);
  if (atRest) refineJointly(graph, workspace, demand, search);
  const converged = closed(workspace, search);
  workspace.counters.searches++;
  if (!converged) workspace.counters.notConverged++;
  if (demand.late()) workspace.counters.outOfTime++;
  return {
    converged,
    bound: atRest && search.bound < Infinity ? search.bound : undefined,
    delivered: primalFlow.kept,
  };
}

/** Solves the problem over its present edges, then generates columns. */
function solve(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): void {
  run(workspace, search, demand.late);
  // If a cycle is profitable, prices of a problem without flow are meaningless.
  if (search.atRest || workspace.primalFlow.kept > 0) refine(graph, workspace, demand, search);
}

/**
 * Solves the problem from equal prices of all tokens. While too few edges are there to take the order, Newton's method drives prices apart
 * without bound; once edges are added, it may not converge from those, so that nothing was delivered.
 */
function solveAnew(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): void {
  workspace.problem.price.fill(1, 0, workspace.problem.nodes);
  search.rounds = 0;
  search.idle = 0;
  solve(graph, workspace, demand, search);
}

/** Admits the best candidates and solves again, until the gap is closed or nothing improves. */
function refine(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): void {
  const { problem } = workspace;
  const { atRest } = search;
  const most = atRest ? MOST_ROUNDS : ROUNDS_ASTRAY;
  const goesOn = () =>
    problem.edges < HUGE && search.rounds < most && search.idle < PATIENCE && !demand.late();
  // A bound of earlier prices holds for all later flows.
  while (!closed(workspace, search) && goesOn()) {
    const gain = stepOfPricing(graph, workspace, demand, search);
    if (closed(workspace, search) || (!atRest && search.level === SPOT) || demand.late()) return;
    admit(graph, workspace, demand, { gain, size: search.size });
    run(workspace, search, demand.late);
    if (search.isArbitrageFree && gain > OFF * problem.supply) countRepricing(search);
    refineStep(workspace, search, gain);
    hurryToSpot(search);
  }
}

/** If rounds stop improving before any pricing step at spot has given a bound, makes the next step one at spot instead of ending. */
function hurryToSpot(search: Search): void {
  if (search.idle < PATIENCE || search.bound < Infinity || search.level === SPOT) return;
  search.level = SPOT;
  search.idle = 0;
}

/** Does not count a round whose edges were admitted to correct prices: they need not improve the flow by themselves. */
function countRepricing(search: Search): void {
  if (search.repriced++ < MOST_ROUNDS) search.rounds--;
  search.idle = 0;
}

/** Solves the problem from where it stands and keeps the best flows of all rounds. */
function run(workspace: ColumnWorkspace, search: Search, late: () => boolean): void {
  const { problem, primalFlow } = workspace;
  const before = primalFlow.kept;
  dropDeadEnds(problem, workspace.scratch);
  solveProblem(problem, workspace, late);
  keepBest(primalFlow, problem);
  search.rounds++;
  search.idle = primalFlow.kept > before * (1 + GAP / 10) ? 0 : search.idle + 1;
}
