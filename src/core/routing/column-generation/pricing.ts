import { growAll } from "../../math/rows.ts";
import type { Demand, Problem } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import { profitAt, spotSlope } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Prices } from "../market-graph/pair-index.ts";
import { coreOf, listAround, settleCore } from "./labels/hub-sweep.ts";
import { BETWEEN_CLOCKS, beginWorth, forEachInside, MARGIN, type Worth } from "./labels/label-bounds.ts";
import { settleWorth } from "./labels/labels.ts";

/**
 * The pools outside a solved problem that would earn at its prices. A token outside the problem has a buy price, the least
 * that it costs by any path from a token of the problem, and a sell price, the most that it brings by any path back. Only
 * if its buy price is below its sell price can a pool around it earn, so no other pool is evaluated, and the prices still
 * prove a bound for the whole graph.
 *
 * While much is left to find, pools are priced after a trade of some size instead of at spot: shallow pools, whose spot
 * prices hold for tiny trades only, are not candidates then.
 */
export type Candidates = {
  /** Edges outside the problem that would earn; what each would, in value; and its rank, see `rankEdges`. */
  count: number;
  edge: Int32Array;
  gain: Float64Array;
  rank: Float64Array;
};

export function emptyCandidates(): Candidates {
  return {
    count: 0,
    edge: new Int32Array(1024),
    gain: new Float64Array(1024),
    rank: new Float64Array(1024),
  };
}

/** What candidates are priced with. */
type PricingWorkspace = {
  readonly scratch: Scratch;
  readonly problem: Problem;
  readonly candidates: Candidates;
};

/** Share of the order that edges between the problem's own tokens may earn before its prices count as wrong. */
const OFF = 0.001;
/**
 * Share of the order that all pools may earn before prices count as wrong, and the number of candidates that is enough
 * then: half of a large market would be candidates.
 */
const FAR_OFF = 0.1;
const ENOUGH = 300;

type PricingStep = Worth & { readonly candidates: Candidates };

/**
 * Prices all pools against the solved problem, and leaves the edges that would earn as candidates. A token outside the
 * problem is valued at its sell price, or at the geometric mean of buy and sell price if the buy price is lower; any
 * value gives a valid bound.
 *
 * If edges between the problem's own tokens would earn much, its prices are wrong and say nothing of other tokens: then
 * these edges are the only candidates.
 *
 * @param prices of all pairs, at spot or at a trade size
 * @returns what all edges outside the problem would earn, in value: at spot prices, the problem's dual value plus this is
 *          an upper bound. Infinity if prices are wrong, labels did not settle, or the deadline came first
 */
export function priceCandidates(
  graph: Graph,
  workspace: PricingWorkspace,
  demand: Demand,
  prices: Prices,
): number {
  const { scratch, problem, candidates } = workspace;
  const step: PricingStep = { graph, demand, prices, ...workspace };
  beginWorth(step);
  candidates.count = 0;
  let total = scanInside(step);
  if (total > OFF * problem.supply) {
    rankEdges(graph, scratch, candidates);
    return Infinity;
  }
  if (!settleWorth(step)) total = Infinity;
  total += scanOutside(step);
  rankEdges(graph, scratch, candidates);
  return total;
}

/**
 * What the edges around tokens outside the problem would earn; Infinity if the deadline came first, or if prices count
 * as wrong and candidates are enough.
 */
function scanOutside(step: PricingStep): number {
  const { visited, reached, buyPrices, sellPrices } = step.scratch;
  let total = 0;
  for (let n = 0; n < reached; n++) {
    if (n % BETWEEN_CLOCKS === 0 && step.demand.late()) return Infinity;
    if (buyPrices[visited[n]!]! < sellPrices[visited[n]!]!) total += scanAround(step, visited[n]!);
    if (step.candidates.count > ENOUGH && total > FAR_OFF * step.problem.supply) return Infinity;
  }
  return total;
}

/**
 * Prices the pools between tokens of the problem and of the core only. They are a small part of the market, and wrong prices
 * show there first: every other pool would then seem to earn what it cannot.
 *
 * @returns what these pools would earn, in value; 0 if there is no core, Infinity if prices are wrong
 */
export function priceCore(graph: Graph, workspace: PricingWorkspace, demand: Demand, prices: Prices): number {
  if (coreOf(graph) === undefined) return 0;
  const { scratch, problem, candidates } = workspace;
  const step: PricingStep = { graph, demand, prices, ...workspace };
  listAround(graph, scratch, problem.node.subarray(0, problem.nodes));
  beginWorth(step);
  candidates.count = 0;
  let total = scanInside(step);
  if (total <= OFF * problem.supply) {
    settleCore(step);
    for (let k = 0; k < scratch.listings; k++) total += scanBoth(step, scratch.listed[k]!);
  } else total = Infinity;
  rankEdges(graph, scratch, candidates);
  return total;
}

/** What the edges of a pair would earn in both directions, if it leads to a token outside the problem that may earn. */
function scanBoth(step: PricingStep, pair: number): number {
  const { local, buyPrices, sellPrices } = step.scratch;
  const { from, to } = step.demand;
  const { tail } = step.graph.pairs;
  const u = tail[pair]!;
  const v = tail[pair ^ 1]!;
  const isOpen = (n: number) => local[n] === 0 && buyPrices[n]! < sellPrices[n]!;
  if (!isOpen(u) && !isOpen(v)) return 0;
  const there = v !== from && u !== to ? tryPair(step, pair, u, v) : 0;
  return there + (u !== from && v !== to ? tryPair(step, pair ^ 1, v, u) : 0);
}

/** What the edges between the tokens of the problem would earn. */
function scanInside(step: PricingStep): number {
  const { from, to } = step.demand;
  const { tail } = step.graph.pairs;
  let total = 0;
  forEachInside(step, (pair) => {
    const u = tail[pair]!;
    const v = tail[pair ^ 1]!;
    if (v !== from && u !== to) total += tryPair(step, pair, u, v);
  });
  return total;
}

/** What the edges around a token outside the problem would earn. */
function scanAround(step: PricingStep, node: number): number {
  const { local, buyPrices, sellPrices, worth } = step.scratch;
  const { start, length, data } = step.graph.pairs.onward;
  const { from, to } = step.demand;
  const last = start[node]! + length[node]!;
  let total = 0;
  for (let k = start[node]!; k < last; k += 2) {
    const far = data[k + 1]!;
    const pair = data[k]!;
    // A token without a value has no buy price below its sell price, so no pool around it earns.
    if (worth[far] === 0) continue;
    if (far !== from) total += tryPair(step, pair, node, far);
    // If the other token is scanned too, the edges from there are priced then.
    if (far !== to && (local[far] !== 0 || !(buyPrices[far]! < sellPrices[far]!)))
      total += tryPair(step, pair ^ 1, far, node);
  }
  return total;
}

/** Adds the edges of a pair from `u` to `v` that would earn to the candidates. @returns what they would earn together, in value */
function tryPair(step: PricingStep, pair: number, u: number, v: number): number {
  const { ref } = step.graph.values;
  const { worth, group } = step.scratch;
  if (!(step.prices[pair]! * worth[v]! > worth[u]! * MARGIN)) return 0;
  const out = worth[v]! * ref[v]!;
  const earned = scanPair(step, pair, { out, least: (worth[u]! * ref[u]!) / out });
  group[u]! += earned;
  group[v]! += earned;
  return earned;
}

type Scan = {
  /** Value of a unit bought, and units that a unit sold must bring. */
  readonly out: number;
  readonly least: number;
};

function scanPair(
  { graph, candidates, scratch, demand }: PricingStep,
  pair: number,
  { out, least }: Scan,
): number {
  const { pairs, curves } = graph;
  const { start, length, data } = pairs.edges;
  const last = start[pair]! + length[pair]!;
  let total = 0;
  for (let k = start[pair]!; k < last; k++) {
    const edge = data[k]!;
    if (!(spotSlope(curves, edge) > least)) break;
    if (scratch.inProblem[edge] !== 0) continue;
    const earned = profitAt(curves, edge, least) * out;
    if (!(earned > 0) || !demand.allowed(edge)) continue;
    addCandidate(candidates, edge, earned);
    total += earned;
  }
  return total;
}

function addCandidate(candidates: Candidates, edge: number, earned: number): void {
  const at = candidates.count++;
  if (at >= candidates.edge.length) growAll(candidates, ["edge", "gain", "rank"], at + 1);
  candidates.edge[at] = edge;
  candidates.gain[at] = earned;
  candidates.rank[at] = earned;
}

/** Adds an edge of a joint node to the candidates if it would earn. @returns what it would earn, in value */
export function offer(
  { tail, head, values }: Graph,
  { scratch, problem, candidates }: PricingWorkspace,
  edge: number,
): number {
  const { worth } = scratch;
  const { slotOf, curves, unitOf } = problem.joints;
  const u = tail[edge]!;
  const v = head[edge]!;
  const out = worth[v]! * (unitOf.get(v) ?? values.ref[v]!);
  if (!(out > 0) || !(worth[u]! > 0)) return 0;
  const cost = worth[u]! * (unitOf.get(u) ?? values.ref[u]!);
  const earned = profitAt(curves, slotOf.get(edge)!, cost / out) * out;
  if (earned > 0) addCandidate(candidates, edge, earned);
  return earned;
}

/**
 * Ranks each candidate by the most that all pools around one of its tokens outside the problem would earn: such pools
 * are useful only together.
 */
function rankEdges(
  { tail, head }: Graph,
  { group, local }: Scratch,
  { count, edge, gain, rank }: Candidates,
): void {
  for (let k = 0; k < count; k++) {
    const u = tail[edge[k]!]!;
    const v = head[edge[k]!]!;
    let most = gain[k]!;
    if (local[u] === 0 && group[u]! > most) most = group[u]!;
    if (local[v] === 0 && group[v]! > most) most = group[v]!;
    rank[k] = most;
  }
}
