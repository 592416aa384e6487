import type { Demand } from "../convex/problem.ts";
import { dualBound } from "../convex/solve.ts";
import type { Graph } from "../market-graph/graph.ts";
import { pricesAt, sizeOfLevel } from "../market-graph/pair-index.ts";
import type { Joined } from "../multi-asset/joint-node.ts";
import { offer, priceCandidates, priceCore } from "./pricing.ts";
import type { ColumnWorkspace } from "./stopping.ts";
import { GAP, isLarge, type Legs, type Search, SPOT, shareFor } from "./stopping.ts";

/** Share of the order that candidates must earn to be worth a round at the present trade size. */
const WORTH = 1e-5;
/** Share of the order that candidates of the core must earn to be worth a round before the whole market is priced. */
const WORTH_IN_CORE = 1e-4;
const STRIDE = 2;
/** For a large problem: if the last pricing step found less than this share of the order, the next one uses a smaller trade size. */
const CLOSE = 2e-4;
/** Level at or below which that next step is at spot. */
const NEXT_TO_SPOT = 1;
/** Highest level from which a step that found little goes to spot directly. From higher ones every shallow pool would seem to earn. */
const NEAR_SPOT = 3;
/**
 * Share of the order below which a step of a large problem goes to spot, by the cost of legs: what more pools add
 * there is less than they cost.
 */
const CLOSE_TO_SPOT: Record<Legs, number> = { free: 0, capped: 7e-5, paid: 2e-4 };

/**
 * Prices pools after ever smaller trades until some promise enough, and at spot, where the gain gives a bound.
 *
 * @returns what the candidates would earn, in value; 0 if the deadline came first
 */
export function stepOfPricing(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  search: Search,
): number {
  const { supply } = workspace.problem;
  for (; search.level > SPOT && !demand.late(); search.level = finer(search.level)) {
    search.size = sizeOfLevel(search.level);
    const near = stepOverCore(graph, workspace, demand, search);
    search.whole = near === 0;
    if (near > 0) return near;
    const gain = priceCandidates(graph, workspace, demand, pricesAt(graph.pairs, search.level));
    if (gain > shareFor(workspace, search, WORTH) * supply) return gain;
    const isLittle = isLarge(workspace) && gain < CLOSE_TO_SPOT[search.legs] * supply;
    if (isLittle && search.level <= NEAR_SPOT) search.level = SPOT;
  }
  return demand.late() ? 0 : stepAtSpot(graph, workspace, demand, search);
}

function finer(level: number): number {
  return Math.max(SPOT, level - STRIDE);
}

/** Makes the trade size of the next pricing step smaller if the last one, over the whole market of a large problem, found little. */
export function refineStep(workspace: ColumnWorkspace, search: Search, gain: number): void {
  if (!isLarge(workspace) || !search.whole || gain >= CLOSE * workspace.problem.supply) return;
  const level = finer(search.level);
  search.level = level > NEXT_TO_SPOT ? level : SPOT;
}

/** What pools of the core would earn, if that is worth a round by itself; 0 if the whole market has to be priced. */
function stepOverCore(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { isArbitrageFree, idle, level }: Search,
): number {
  if (!isArbitrageFree || idle > 0) return 0;
  const gain = priceCore(graph, workspace, demand, pricesAt(graph.pairs, level));
  return gain > WORTH_IN_CORE * workspace.problem.supply ? gain : 0;
}

/** Prices all pools at spot, which gives an upper bound on what any flow delivers. @returns what candidates would earn, in value */
export function stepAtSpot(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): number {
  search.size = 0;
  search.whole = true;
  const pairs = priceCandidates(graph, workspace, demand, pricesAt(graph.pairs, SPOT));
  const gain = pairs + priceJoints(graph, workspace, search.joined);
  note(workspace, search, gain);
  return gain;
}

/** Lowers the bound to what the present prices prove, if that is less, and keeps these prices. */
function note(workspace: ColumnWorkspace, search: Search, gain: number): void {
  const { problem } = workspace;
  const bound = dualBound(problem, gain);
  if (!(bound < search.bound)) return;
  if (bound < search.bound * (1 - GAP / 10)) search.idle = 0;
  search.bound = bound;
  keepDual(workspace);
}

/** Stores the prices of the convex problem, in units of the token bought. */
function keepDual({ problem, dual }: ColumnWorkspace): void {
  dual.clear();
  const unit = problem.price[problem.sink]! * problem.ref[problem.sink]!;
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    const price = (problem.price[n]! * problem.ref[n]!) / unit;
    if (price > 0 && price < Infinity) dual.set(node, price);
  }
}

/** Prices the edges between joint nodes and tokens outside the problem. @returns what they would earn, in value */
function priceJoints(graph: Graph, workspace: ColumnWorkspace, joined: readonly Joined[]): number {
  const { scratch } = workspace;
  let total = 0;
  for (const { entry } of joined) {
    const { length } = entry.pool.tokens;
    for (let k = 0; k < length; k++) {
      if (scratch.local[graph.tail[entry.jointEdge + k]!] !== 0) continue;
      total += offer(graph, workspace, entry.jointEdge + k);
      total += offer(graph, workspace, entry.jointEdge + length + k);
    }
  }
  return total;
}
