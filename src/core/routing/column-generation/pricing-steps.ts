import type { Demand } from "../convex/problem.ts";
import { dualBound } from "../convex/solve.ts";
import type { Graph } from "../market-graph/graph.ts";
import { pricesAt, sizeOfLevel } from "../market-graph/pair-index.ts";
import type { Joined } from "../multi-asset/joint-node.ts";
import { offer, priceCandidates, priceMiddle } from "./pricing.ts";
import type { ColumnWorkspace } from "./stopping.ts";
import { GAP, isLarge, type Legs, type Search, SPOT, shareFor } from "./stopping.ts";

/** What is worth another round before anything finer, as a share of the order. */
const WORTH = 1e-5;
/** What is worth a round over the middle of the market alone before all of it is priced. */
const MIDDLING = 1e-4;
const STRIDE = 2;
/** Once the problem is large: share of the order that a pricing step promised, below which the next step is a finer one at once. */
const CLOSE = 2e-4;
/** Level from which on a finer step is one at spot then. */
const NEXT_TO_SPOT = 1;
/** The highest level from which a step that promised little goes to spot at once: from a higher one all shallow pools would seem to pay. */
const NEAR_SPOT = 3;
/** The share below which the next is at spot where legs are few: what others would add to these is lost in their cost. */
const CLOSE_TO_SPOT: Record<Legs, number> = { free: 0, capped: 7e-5, paid: 2e-4 };

/**
 * Prices pools after ever smaller trades until some promise enough, and at spot, where the gain gives a bound.
 *
 * @returns what the edges in the candidates would earn, in value
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
    const near = stepOverMiddle(graph, workspace, demand, search);
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

/** Makes the next pricing step a finer one where the last, at all of the market, promised little and a large problem took it in. */
export function refineStep(workspace: ColumnWorkspace, search: Search, gain: number): void {
  if (!isLarge(workspace) || !search.whole || gain >= CLOSE * workspace.problem.supply) return;
  const level = finer(search.level);
  search.level = level > NEXT_TO_SPOT ? level : SPOT;
}

/** What the middle of the market promises, where that is worth a round by itself; 0 where all has to be priced. */
function stepOverMiddle(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { isArbitrageFree, idle, level }: Search,
): number {
  if (!isArbitrageFree || idle > 0) return 0;
  const gain = priceMiddle(graph, workspace, demand, pricesAt(graph.pairs, level));
  return gain > MIDDLING * workspace.problem.supply ? gain : 0;
}

/** The same at spot, which bounds what any flow delivers. */
export function stepAtSpot(graph: Graph, workspace: ColumnWorkspace, demand: Demand, search: Search): number {
  search.size = 0;
  search.whole = true;
  const pairs = priceCandidates(graph, workspace, demand, pricesAt(graph.pairs, SPOT));
  const gain = pairs + priceJoints(graph, workspace, search.joined);
  note(workspace, search, gain);
  return gain;
}

/** Lowers the bound to what the prices prove, where that is less, and keeps these. */
function note(workspace: ColumnWorkspace, search: Search, gain: number): void {
  const { problem } = workspace;
  const bound = dualBound(problem, gain);
  if (!(bound < search.bound)) return;
  if (bound < search.bound * (1 - GAP / 10)) search.idle = 0;
  search.bound = bound;
  keepDual(workspace);
}

/** Keeps the prices of the convex problem, in units of the token bought, in place of those before. */
function keepDual({ problem, dual }: ColumnWorkspace): void {
  dual.clear();
  const unit = problem.price[problem.sink]! * problem.ref[problem.sink]!;
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    const price = (problem.price[n]! * problem.ref[n]!) / unit;
    if (price > 0 && price < Infinity) dual.set(node, price);
  }
}

/** What joint nodes would earn with tokens out of the problem, in value; such edges join the candidates. */
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
