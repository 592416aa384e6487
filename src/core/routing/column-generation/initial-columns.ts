import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import type { Graph } from "../market-graph/graph.ts";
import { findPair, levelOf, pricesAt } from "../market-graph/pair-index.ts";
import { coreOf, listAround, sweepAround, tokensAround } from "./labels/hub-sweep.ts";
import { type Sweep, sweepBack, sweepForward } from "./labels/sweep.ts";
import { beginRanking, lowerLeast, priceOfBest, type Ranked, rankEdges } from "./ranking.ts";
import type { ColumnWorkspace } from "./stopping.ts";

/** What the first problem is made of. */
type First = {
  /** Number of its edges: about `most`, and at least `fewest` if the graph has as many. */
  readonly most: number;
  readonly fewest: number;
  /** Paths that pay less than the best by more than this share are left for later. */
  readonly range: number;
};

/** For an order that moves the price of its best path: it needs many paths. */
const LARGE: First = { most: 50, fewest: 15, range: 1e-3 };
/** For a choice of few legs, which needs many candidates. */
const WIDE: First = { most: 200, fewest: 60, range: 1e-3 };
/** For an order that hardly moves the price of its best path. */
const SMALL: First = { most: 20, fewest: 6, range: 2e-4 };
/** Largest relative change of the price of the best path at which an order counts as small. */
const SMALL_FALL = 5e-4;
/** Share of the price range that is ranked first where that is cheap: often it holds enough edges. */
const NARROW = 1 / 16;
/** Lower limit of all price ranges, as a share of what the best path pays. */
const LOWEST = 0.1;
const LEAST = 1e-30;
const ROUNDS = 6;

/**
 * Puts the edges of the best paths for about the order's size into the problem, and prices its tokens by them.
 *
 * @returns false where no path joins the ends at any size
 */
export function startProblem(graph: Graph, workspace: ColumnWorkspace, demand: Demand): boolean {
  const { scratch, problem, ranked } = workspace;
  const first = rankPaths(graph, workspace, demand, { supply: problem.supply, keep: 1, firstOf });
  if (first === undefined) return false;
  const bar = priceOfBest(ranked, first.most);
  for (let k = 0; k < ranked.count; k++) {
    if (ranked.price[k]! < bar) continue;
    addEdgeWithEnds(problem, graph, scratch, { edge: ranked.edge[k]!, priceOf: unpriced });
  }
  for (let n = 0; n < problem.nodes; n++) problem.price[n] = scratch.back[problem.node[n]!]!;
  return true;
}

export type PathSize = {
  /** Value sold. */
  readonly supply: number;
  /** Share of the value that each hop leaves: less than 1 where hops cost gas. */
  readonly keep: number;
  /** Number of edges wanted, given the price of the best path; by default as many as a choice of few legs needs. */
  readonly firstOf?: undefined | ((graph: Graph, scratch: Scratch, demand: Demand) => First);
};

/**
 * Ranks the edges of the best paths at about the order's size, in `workspace.ranked`, or at smaller sizes if no path carries
 * that. Leaves the best price of every token towards the token bought at that size in `scratch.back`.
 *
 * @returns the number of edges that a first problem needs; undefined if no path joins the ends at any size
 */
export function rankPaths(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { supply, keep, firstOf }: PathSize,
): First | undefined {
  const { scratch } = workspace;
  const { from, to } = demand;
  // If a cycle of pools is profitable, prices in the core say nothing of the rest.
  const { isArbitrageFree } = graph.roundTrips;
  const around = isArbitrageFree
    ? rankAround(graph, workspace, demand, { supply, keep, firstOf })
    : undefined;
  if (around !== undefined) return around;
  for (let level = levelOf(supply / 3); level >= -1; level--) {
    const sweep: Sweep = {
      from,
      to,
      prices: pricesAt(graph.pairs, level),
      keep,
      least: LEAST,
      rounds: ROUNDS,
    };
    sweepBack(graph, scratch, sweep);
    const first = widen(graph, workspace, demand, {
      sweep,
      level,
      firstOf,
      rank: rankWithin,
      narrow: 1,
    });
    if (first !== undefined) return first;
  }
  return undefined;
}

type Widening = Pick<PathSize, "firstOf"> & {
  readonly sweep: Sweep;
  readonly level: number;
  readonly rank: typeof rankWithin;
  /** The first price range, as a share of `First.range`. */
  readonly narrow: number;
};

/** Ranks edges within a price range that widens until there are enough; undefined if no path leads to the token bought. */
function widen(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { sweep, level, firstOf, rank, narrow }: Widening,
): First | undefined {
  const { scratch, ranked } = workspace;
  const best = scratch.back[demand.from]!;
  ranked.count = 0;
  if (!(best > 0)) return undefined;
  const first = firstOf?.(graph, scratch, demand) ?? WIDE;
  beginRanking(ranked, graph.pairs.count, { most: first.most, floor: LOWEST * best });
  const enough = (width: number) => ranked.good >= (width < first.range ? first.most : first.fewest);
  for (let width = narrow * first.range; width < 1 - LOWEST && !enough(width / 4); width *= 4) {
    lowerLeast(ranked, (1 - width) * best);
    rank(graph, workspace, demand, { ...sweep, least: ranked.least, level });
  }
  return ranked.good > 0 ? first : undefined;
}

/** Ranks edges over the core and the ends' neighbours only; undefined if no path joins the ends there at the order's size. */
function rankAround(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { supply, keep, firstOf }: PathSize,
): First | undefined {
  if (coreOf(graph) === undefined) return undefined;
  const { scratch } = workspace;
  const { from, to } = demand;
  const level = levelOf(supply / 3);
  const sweep = { from, to, prices: pricesAt(graph.pairs, level), keep, least: LEAST, rounds: ROUNDS };
  listAround(graph, scratch, tokensAround(graph, [from, to]));
  sweepAround(graph, scratch, sweep);
  return widen(graph, workspace, demand, {
    sweep,
    level,
    firstOf,
    rank: rankListed,
    narrow: NARROW,
  });
}

/** Ranks the edges of the listed pairs that lie on paths which reach the least price of the range. */
function rankListed(
  graph: Graph,
  { scratch: { fore, back, listed, listings }, ranked }: ColumnWorkspace,
  { from, to, allowed }: Demand,
  range: PriceRange,
): void {
  const { tail } = graph.pairs;
  for (let k = 0; k < 2 * listings; k++) {
    const pair = listed[k >> 1]! ^ (k & 1);
    const u = tail[pair]!;
    const v = tail[pair ^ 1]!;
    const through = u === to || v === from ? 0 : fore[u]! * range.keep * back[v]!;
    if (through * range.prices[pair]! >= ranked.least)
      rankEdges(graph, pair, ranked, { through, level: range.level, allowed });
  }
}

/**
 * Chooses the size of the first problem by how much less the best path pays at the order's size than the path over
 * the native coin at spot.
 */
function firstOf(graph: Graph, scratch: Scratch, { from, to }: Demand): First {
  const { isArbitrageFree, bestSell, bestBuy } = graph.roundTrips;
  const fall = 1 - scratch.back[from]! / (bestSell[from]! * bestBuy[to]!);
  return isArbitrageFree && Math.abs(fall) <= SMALL_FALL ? SMALL : LARGE;
}

type PriceRange = Sweep & { readonly level: number };

/** Ranks the edges of all paths that reach the least price of the range. */
function rankWithin(
  graph: Graph,
  { scratch, ranked }: ColumnWorkspace,
  demand: Demand,
  range: PriceRange,
): void {
  sweepForward(graph, scratch, range);
  for (let n = 0; n < scratch.reached; n++) {
    rankFrom(graph, scratch, ranked, { node: scratch.visited[n]!, range, allowed: demand.allowed });
  }
}

/** Ranks the edges that leave a node on paths within the price range. */
function rankFrom(
  graph: Graph,
  { fore, back }: Scratch,
  ranked: Ranked,
  { node, range, allowed }: { node: number; range: PriceRange; allowed: Demand["allowed"] },
): void {
  const { pairs } = graph;
  const { start, length, data } = pairs.onward;
  const here = fore[node]! * range.keep;
  const bar = range.least / here;
  const last = start[node]! + length[node]!;
  for (let k = start[node]!; k < last; k += 2) {
    const pair = data[k]!;
    const head = data[k + 1]!;
    if (range.prices[pair]! * back[head]! < bar || head === range.from) continue;
    rankEdges(graph, pair, ranked, { through: here * back[head]!, level: range.level, allowed });
  }
  const direct = pairs.degree[range.to] === 1 ? findPair(pairs, node, range.to) : -1;
  if (direct >= 0 && range.prices[direct]! >= bar)
    rankEdges(graph, direct, ranked, { through: here, level: range.level, allowed });
}

/** A placeholder price: tokens are priced once all edges are in. */
const unpriced = () => 1;
