import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import type { Graph } from "../market-graph/graph.ts";
import { findPair, levelOf, pricesAt } from "../market-graph/pair-index.ts";
import { listAround, middleOf, sweepAround, tokensAround } from "./hub-sweep.ts";
import { beginRanking, lowerLeast, priceOfBest, type Ranked, rankEdges } from "./ranking.ts";
import type { ColumnWorkspace } from "./stopping.ts";
import { type Sweep, sweepBack, sweepForward } from "./sweep.ts";

/** What the first problem is made of. */
type First = {
  /** Its edges: at most about, and at least where the graph has so many. */
  readonly most: number;
  readonly fewest: number;
  /** Paths that pay less than the best by more than this share are left for later. */
  readonly window: number;
};

/** An order that moves the price of its best path needs many paths, and one that does not few. */
const LARGE: First = { most: 50, fewest: 15, window: 1e-3 };
/** What a choice of few legs is made from. */
const WIDE: First = { most: 200, fewest: 60, window: 1e-3 };
const SMALL: First = { most: 20, fewest: 6, window: 2e-4 };
/** Share by which the price of the best path falls for a small order at most. */
const SMALL_FALL = 5e-4;
/** Where a look at a narrower window is cheap, the share of the window that comes first: often it holds as many as are wanted. */
const NARROW = 1 / 16;
/** Share of what the best path pays that no window goes below. */
const LOWEST = 0.1;
const LEAST = 1e-30;
const ROUNDS = 6;

/**
 * Puts the edges of the best paths for about the order's size into the problem, and prices its tokens by them.
 *
 * @returns false where no path joins the ends at any size
 */
export function startProblem(graph: Graph, shop: ColumnWorkspace, demand: Demand): boolean {
  const { scratch, problem, ranked } = shop;
  const first = rankPaths(graph, shop, demand, { supply: problem.supply, keep: 1, firstOf });
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
  /** How many edges are wanted, once what the best path fetches is known; as many as a choice needs without. */
  readonly firstOf?: undefined | ((graph: Graph, scratch: Scratch, demand: Demand) => First);
};

/**
 * Ranks the edges of the best paths at about the order's size, in `shop.ranked`; looks at smaller sizes where nothing
 * carries the order's. Leaves in `scratch.back` what every token fetches at that size.
 *
 * @returns how many of them a first problem needs; undefined where no path joins the ends at any size
 */
export function rankPaths(
  graph: Graph,
  shop: ColumnWorkspace,
  demand: Demand,
  { supply, keep, firstOf }: PathSize,
): First | undefined {
  const { scratch } = shop;
  const { from, to } = demand;
  // Where cycles pay, the middle of the market says nothing of the rest.
  const { atRest } = graph.calm;
  const around = atRest ? rankAround(graph, shop, demand, { supply, keep, firstOf }) : undefined;
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
    const first = widen(graph, shop, demand, {
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
  /** The first window as a share of that whose edges are all asked for. */
  readonly narrow: number;
};

/** Ranks edges within a window that widens until there are enough; undefined where nothing leads to the token bought. */
function widen(
  graph: Graph,
  shop: ColumnWorkspace,
  demand: Demand,
  { sweep, level, firstOf, rank, narrow }: Widening,
): First | undefined {
  const { scratch, ranked } = shop;
  const best = scratch.back[demand.from]!;
  ranked.count = 0;
  if (!(best > 0)) return undefined;
  const first = firstOf?.(graph, scratch, demand) ?? WIDE;
  beginRanking(ranked, graph.pairs.count, { most: first.most, floor: LOWEST * best });
  const enough = (width: number) => ranked.good >= (width < first.window ? first.most : first.fewest);
  for (let width = narrow * first.window; width < 1 - LOWEST && !enough(width / 4); width *= 4) {
    lowerLeast(ranked, (1 - width) * best);
    rank(graph, shop, demand, { ...sweep, least: ranked.least, level });
  }
  return ranked.good > 0 ? first : undefined;
}

/** The same over the middle of the market and the ends' neighbours; undefined where they join nothing at the order's size. */
function rankAround(
  graph: Graph,
  shop: ColumnWorkspace,
  demand: Demand,
  { supply, keep, firstOf }: PathSize,
): First | undefined {
  if (middleOf(graph) === undefined) return undefined;
  const { scratch } = shop;
  const { from, to } = demand;
  const level = levelOf(supply / 3);
  const sweep = { from, to, prices: pricesAt(graph.pairs, level), keep, least: LEAST, rounds: ROUNDS };
  listAround(graph, scratch, tokensAround(graph, [from, to]));
  sweepAround(graph, scratch, sweep);
  return widen(graph, shop, demand, {
    sweep,
    level,
    firstOf,
    rank: rankListed,
    narrow: NARROW,
  });
}

/** Ranks the edges of the pairs around that lie on paths which reach the window's least price. */
function rankListed(
  graph: Graph,
  { scratch: { fore, back, listed, listings }, ranked }: ColumnWorkspace,
  { from, to, allowed }: Demand,
  window: Window,
): void {
  const { tail } = graph.pairs;
  for (let k = 0; k < 2 * listings; k++) {
    const pair = listed[k >> 1]! ^ (k & 1);
    const [u, v] = [tail[pair]!, tail[pair ^ 1]!];
    const through = u === to || v === from ? 0 : fore[u]! * window.keep * back[v]!;
    if (through * window.prices[pair]! >= ranked.least)
      rankEdges(graph, pair, ranked, { through, level: window.level, allowed });
  }
}

/** By how far the best path at the order's size pays less than the way over the native coin does at spot, where known. */
function firstOf(graph: Graph, scratch: Scratch, { from, to }: Demand): First {
  const { atRest, fetched, bought } = graph.calm;
  const fall = 1 - scratch.back[from]! / (fetched[from]! * bought[to]!);
  return atRest && Math.abs(fall) <= SMALL_FALL ? SMALL : LARGE;
}

type Window = Sweep & { readonly level: number };

/** Ranks the edges of paths that reach the window's least price. */
function rankWithin(
  graph: Graph,
  { scratch, ranked }: ColumnWorkspace,
  demand: Demand,
  window: Window,
): void {
  sweepForward(graph, scratch, window);
  for (let n = 0; n < scratch.reached; n++) {
    rankFrom(graph, scratch, ranked, { node: scratch.visited[n]!, window, allowed: demand.allowed });
  }
}

/** Ranks the edges that leave a node on paths within the window. */
function rankFrom(
  graph: Graph,
  { fore, back }: Scratch,
  ranked: Ranked,
  { node, window, allowed }: { node: number; window: Window; allowed: Demand["allowed"] },
): void {
  const { pairs } = graph;
  const { start, length, data } = pairs.onward;
  const here = fore[node]! * window.keep;
  const bar = window.least / here;
  const last = start[node]! + length[node]!;
  for (let k = start[node]!; k < last; k += 2) {
    const pair = data[k]!;
    const head = data[k + 1]!;
    if (window.prices[pair]! * back[head]! < bar || head === window.from) continue;
    rankEdges(graph, pair, ranked, { through: here * back[head]!, level: window.level, allowed });
  }
  const direct = pairs.degree[window.to] === 1 ? findPair(pairs, node, window.to) : -1;
  if (direct >= 0 && window.prices[direct]! >= bar)
    rankEdges(graph, direct, ranked, { through: here, level: window.level, allowed });
}

/** Tokens are priced once all are in. */
const unpriced = () => 1;
