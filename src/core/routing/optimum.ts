import { admit, OFF } from "./admit.ts";
import type { Demand } from "./demand.ts";
import type { Graph } from "./graph.ts";
import type { Until } from "./interior.ts";
import {
  eraseJoints,
  type Joined,
  joinCrossed,
  priceJoints,
  redraw,
  splitJoints,
  stillJoined,
} from "./joint.ts";
import { levelOf, pricesAt, sizeOfLevel } from "./pairs.ts";
import { keepBest } from "./primal.ts";
import { beginProblem, dropDeadEnds, dualBound } from "./problem.ts";
import { keepProof } from "./proof.ts";
import { solveProblem } from "./solve.ts";
import { startProblem } from "./start.ts";
import { calmOf, isCalm } from "./sweep.ts";
import { priceMiddle, priceWindow } from "./window.ts";
import type { Workshop } from "./workshop.ts";

/** The convex optimum; its prices are left in the workshop's problem and proof, its best flows in the delivery. */
export type Optimum = {
  /** Whether the gap between what is delivered and the bound was closed. */
  readonly converged: boolean;
  /** No flow delivers more, in value; undefined where cycles pay and no bound holds. */
  readonly bound: number | undefined;
  /** What the best flows deliver, in value. */
  readonly delivered: number;
};

/** Relative gap at which the search for more edges ends. */
const GAP = 1e-6;
const ROUGH = 1e-4;
const FINE = 2e-7;
const MOST_ITERATIONS = 40;
const MOST_ROUNDS = 14;
/** Rounds where cycles of pools pay, so that prices lead astray; pools are not looked at before any trade then. */
const ROUNDS_ASTRAY = 4;
/** The gap, the rounds, those in a row that lower no bound, and the redrawings in each, with pools as goods of their own. */
const GAP_JOINTLY = 2e-6;
const ROUNDS_JOINTLY = 6;
const IDLE_JOINTLY = 2;
const MOST_REDRAWN = 12;
/** Share by which redrawing goods changes what is delivered where it ends. */
const STILL = 5e-7;
/** Rounds without any improvement after which the search ends. */
const PATIENCE = 3;
/** What is worth another round before anything finer, and the first trade to look after, as shares of the order. */
const WORTH = 1e-5;
const FIRST_SIZE = 0.01;
/** What is worth a round over the middle of the market alone before all of it is looked at. */
const MIDDLING = 1e-4;
const STRIDE = 2;
/** A problem of more edges costs more with every round than a hundredth of a percent is worth: as many legs fill a block. */
const LARGE = 600;
const LARGE_GAP = 1e-4;
/** The same where legs are few, whose route a large order leaves much farther from the optimum. */
const LARGE_GAP_OF_FEW = 3e-4;
/** Edges from which on no more are admitted: a solution takes a tenth of a second, and the rest is a matter of the bound. */
const HUGE = 6000;
const HUGE_JOINTLY = 9000;

type Search = {
  /** Whether no cycle of pools pays that the order could pass, and none in the whole market. */
  readonly atRest: boolean;
  readonly calm: boolean;
  /** The gap that is good enough once the problem is large. */
  readonly largeGap: number;
  /** The lowest upper bound so far, in value. */
  bound: number;
  rounds: number;
  /** Rounds that mended prices, beside those. */
  mended: number;
  /** Level of trade sizes at which pools are looked at; -1 = spot. */
  level: number;
  /** Value of those trades. */
  size: number;
  /** Rounds in a row that improved nothing. */
  idle: number;
  /** Pools that are in the problem as goods of their own. */
  joined: readonly Joined[];
  /** Those, and the ones that were for a while. */
  readonly drawn: Joined[];
};

/**
 * Solves the order over the whole graph.
 *
 * @param few whether legs are capped or cost gas
 * @returns undefined where no path joins the ends
 */
export function findOptimum(graph: Graph, shop: Workshop, demand: Demand, few = false): Optimum | undefined {
  const { problem, scratch, delivery } = shop;
  const { from, to } = demand;
  delivery.kept = -1;
  delivery.flows.clear();
  shop.proof.known = false;
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * graph.values.ref[from]! });
  if (!startProblem(graph, shop, demand)) return undefined;
  const atRest = isCalm(graph, scratch, { from, to });
  const search: Search = {
    atRest,
    calm: calmOf(graph, scratch).atRest,
    largeGap: few ? LARGE_GAP_OF_FEW : LARGE_GAP,
    bound: Infinity,
    rounds: 0,
    mended: 0,
    level: levelOf(problem.supply * FIRST_SIZE),
    size: 0,
    idle: 0,
    joined: [],
    drawn: [],
  };
  run(graph, shop, search, { gap: ROUGH, late: demand.late });
  // Where cycles pay, the prices of a problem through which nothing flows lead nowhere.
  if (atRest || delivery.kept > 0) refine(graph, shop, demand, search);
  // Rounds may go by before any look at spot: what is left to find is in the bound.
  if (atRest && search.bound === Infinity && !demand.late()) lookAtSpot(graph, shop, demand, search);
  if (atRest) refineJointly(graph, shop, demand, search);
  const converged = closed(shop, search);
  shop.counters.searches++;
  if (!converged) shop.counters.notConverged++;
  if (demand.late()) shop.counters.outOfTime++;
  return {
    converged,
    bound: atRest && search.bound < Infinity ? search.bound : undefined,
    delivered: delivery.kept,
  };
}

/** Admits what promises most and solves again, until the gap is closed or nothing improves. */
function refine(graph: Graph, shop: Workshop, demand: Demand, search: Search): void {
  const { problem } = shop;
  const { atRest } = search;
  const most = atRest ? MOST_ROUNDS : ROUNDS_ASTRAY;
  const goesOn = () =>
    problem.edges < HUGE && search.rounds < most && search.idle < PATIENCE && !demand.late();
  // A bound of earlier prices holds for whatever is delivered since.
  while (!closed(shop, search) && goesOn()) {
    const gain = look(graph, shop, demand, search);
    if (closed(shop, search) || (!atRest && search.level < 0) || demand.late()) return;
    admit(graph, shop, demand, { gain, size: search.size });
    const gap = gain > 100 * GAP * problem.supply ? ROUGH : FINE;
    run(graph, shop, search, { gap, late: demand.late });
    if (search.calm && gain > OFF * problem.supply) mended(search);
    hurryToSpot(search);
  }
}

/** Rounds that improve nothing are not the end where no look has been at spot, where the bound comes from: it is next then. */
function hurryToSpot(search: Search): void {
  if (search.idle < PATIENCE || search.bound < Infinity || search.level < 0) return;
  search.level = -1;
  search.idle = 0;
}

/** What was admitted to mend prices need not pay by itself, and is no round that brought what it could. */
function mended(search: Search): void {
  if (search.mended++ < MOST_ROUNDS) search.rounds--;
  search.idle = 0;
}

/** Looks at pools after ever smaller trades until some promise enough, and at spot, where the gain gives a bound. */
function look(graph: Graph, shop: Workshop, demand: Demand, search: Search): number {
  for (; search.level >= 0 && !demand.late(); search.level -= STRIDE) {
    search.size = sizeOfLevel(search.level);
    const near = lookNear(graph, shop, demand, search);
    if (near > 0) return near;
    const gain = priceWindow(graph, shop, demand, pricesAt(graph.pairs, search.level));
    if (gain > shareFor(shop, search, WORTH) * shop.problem.supply) return gain;
  }
  if (demand.late()) return 0;
  search.size = 0;
  return lookAtSpot(graph, shop, demand, search);
}

/** What the middle of the market promises, where that is worth a round by itself; 0 where all has to be looked at. */
function lookNear(graph: Graph, shop: Workshop, demand: Demand, { calm, idle, level }: Search): number {
  if (!calm || idle > 0) return 0;
  const gain = priceMiddle(graph, shop, demand, pricesAt(graph.pairs, level));
  return gain > MIDDLING * shop.problem.supply ? gain : 0;
}

function lookAtSpot(graph: Graph, shop: Workshop, demand: Demand, search: Search): number {
  search.size = 0;
  const gain = priceWindow(graph, shop, demand, graph.pairs.spot) + priceJoints(graph, shop, search.joined);
  note(graph, shop, search, gain);
  return gain;
}

/**
 * The same with the pools that are crossed more than once as goods of their own, drawn afresh where each solution leaves
 * them until it stays there. What the pairs promised together before is no delivery.
 */
function refineJointly(graph: Graph, shop: Workshop, demand: Demand, search: Search): void {
  const { used } = graph.curves;
  let idle = 0;
  for (let round = 0; round < ROUNDS_JOINTLY && !demand.late() && joinMore(graph, shop, search); round++) {
    settleJoints(graph, shop, demand, search);
    // What pairs promise that do not know of each other bounds what the good pays, and often closely.
    if (isTight(shop, search)) break;
    const before = search.bound;
    const gain = look(graph, shop, demand, search);
    idle = round > 0 && before - search.bound < GAP * before ? idle + 1 : 0;
    const isOver = idle === IDLE_JOINTLY || shop.problem.edges > HUGE_JOINTLY;
    if (isOver || isTight(shop, search)) break;
    admit(graph, shop, demand, { gain, size: 0 });
  }
  splitJoints(graph, shop, search.joined);
  eraseJoints(graph, search.drawn, used);
}

/** Joins the pools that are crossed more than once now. @returns whether any is joined */
function joinMore(graph: Graph, shop: Workshop, search: Search): boolean {
  const more = joinCrossed(graph, shop);
  search.drawn.push(...more);
  search.joined = [...search.joined, ...more];
  return search.joined.length > 0;
}

/** Solves over the same edges with goods drawn where the flows are, until what is delivered stays the same. */
function settleJoints(graph: Graph, shop: Workshop, demand: Demand, search: Search): void {
  const { delivery } = shop;
  // Few rounds of a large problem are worth their time: each should bound.
  if (isLarge(shop)) search.level = -1;
  runAfresh(graph, shop, demand);
  for (let round = 0; round < MOST_REDRAWN && !demand.late(); round++) {
    const before = delivery.kept;
    redraw(graph, shop, search.joined);
    runAfresh(graph, shop, demand);
    const still = search.joined.every(({ limited }) => !limited);
    if (still && Math.abs(delivery.kept - before) < shareFor(shop, search, STILL) * before) break;
  }
  search.joined = stillJoined(shop, search.joined);
}

/** Whether goods were drawn where the flows are, so that these pay what they seem to. */
function isTight(shop: Workshop, search: Search): boolean {
  const { bound, joined } = search;
  const left = Math.abs(bound - shop.delivery.kept);
  return joined.every(({ limited }) => !limited) && left < shareFor(shop, search, GAP_JOINTLY) * bound;
}

/** Solves where only this solution counts, unless the time was up before it was found. */
function runAfresh(graph: Graph, shop: Workshop, { late }: Demand): void {
  const { problem, delivery } = shop;
  dropDeadEnds(problem, shop.scratch, shop.point.inside);
  const solved = solveProblem(problem, graph, shop, { gap: FINE, most: MOST_ITERATIONS, again: true, late });
  if (!solved.converged && late()) return;
  delivery.kept = -1;
  keepBest(delivery, problem);
}

function closed(shop: Workshop, search: Search): boolean {
  const { bound, joined } = search;
  const gap = shareFor(shop, search, joined.length > 0 ? GAP_JOINTLY : GAP);
  return bound < Infinity && bound - shop.delivery.kept <= gap * bound;
}

/** The share that a problem of this size is solved to. @param share of a problem that is not large */
function shareFor(shop: Workshop, { largeGap }: Search, share: number): number {
  return isLarge(shop) ? largeGap : share;
}

function isLarge({ problem }: Workshop): boolean {
  return problem.edges > LARGE;
}

/** Solves the problem from where it stands and keeps the best flows of all rounds. */
function run(graph: Graph, shop: Workshop, search: Search, until: Pick<Until, "gap" | "late">): void {
  const { problem, delivery } = shop;
  const before = delivery.kept;
  dropDeadEnds(problem, shop.scratch, search.rounds > 0 ? shop.point.inside : { edges: 0, nodes: 0 });
  solveProblem(problem, graph, shop, { ...until, most: MOST_ITERATIONS, again: search.rounds > 0 });
  keepBest(delivery, problem);
  search.rounds++;
  search.idle = delivery.kept > before * (1 + GAP / 10) ? 0 : search.idle + 1;
}

/** Lowers the bound to what the prices prove, where that is less, and keeps them as its proof. */
function note(graph: Graph, shop: Workshop, search: Search, gain: number): void {
  const { problem, proof, scratch } = shop;
  const bound = dualBound(problem, graph) + gain;
  if (!(bound < search.bound)) return;
  if (bound < search.bound * (1 - GAP / 10)) search.idle = 0;
  search.bound = bound;
  keepProof(proof, graph, problem, scratch);
}
