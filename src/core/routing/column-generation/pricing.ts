import { grown } from "../../math/rows.ts";
import type { Demand, Problem } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import { profitAt, spotSlope } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Prices } from "../market-graph/pair-index.ts";
import { listAround, middleOf, settleMiddle } from "./labels/hub-sweep.ts";
import { BETWEEN_CLOCKS, beginWorth, forEachInside, MARGIN, type Worth } from "./labels/label-bounds.ts";
import { settleWorth } from "./labels/labels.ts";

/**
 * The pools outside a solved problem that would earn at its prices. Each token out of the problem costs something, by the
 * best way from a token in it, and fetches something, by the best way back. Only where it costs less than it fetches can
 * a pool around it earn, so nothing else is read, and the prices prove a bound for the whole graph.
 *
 * While much is left to find, pools are priced after a trade of some size instead: shallow ones, whose spot prices
 * promise what they cannot keep, do not show then.
 */
export type Candidates = {
  /** Edges outside the problem that would earn, what they would, in value, and the most that their detour would. */
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

/** What a candidates is priced on. */
type Desk = { readonly scratch: Scratch; readonly problem: Problem; readonly candidates: Candidates };

/** Share of the order that edges between the problem's own tokens may promise before its prices are taken to be off. */
const OFF = 0.001;
/** The same of all pools, and how many that would earn are enough to choose from then: half of a large market would. */
const FAR_OFF = 0.1;
const ENOUGH = 300;

type PricingStep = Worth & { readonly candidates: Candidates };

/**
 * Prices all pools against the solved problem. A token out of the problem is worth what it fetches from there; where
 * it costs less than that, the mean of both: any worth gives a valid bound. Leaves the edges that would earn.
 *
 * Where edges between the problem's own tokens promise much, its prices are off and say nothing of others: then those
 * edges are all that is left.
 *
 * @param prices of all pairs, at spot or at a trade size
 * @returns what all edges outside the problem would earn, in value, with which the problem's dual value is an upper bound
 *          where the prices are spot; Infinity where prices are off, or the worth of tokens does not come to rest
 */
export function priceCandidates(graph: Graph, desk: Desk, demand: Demand, prices: Prices): number {
  const { scratch, problem, candidates } = desk;
  const step: PricingStep = { graph, demand, prices, ...desk };
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

/** What the edges around tokens out of the problem would earn; Infinity where the time was up before all were read. */
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
 * The same for the pools between tokens of the problem and of the middle of the market only: a small part of all, and where
 * prices are off they are off there, so that all else would promise what it cannot keep.
 *
 * @returns what they would earn, in value; 0 where the middle is not much less than the whole
 */
export function priceMiddle(graph: Graph, desk: Desk, demand: Demand, prices: Prices): number {
  if (middleOf(graph) === undefined) return 0;
  const { scratch, problem, candidates } = desk;
  const step: PricingStep = { graph, demand, prices, ...desk };
  listAround(graph, scratch, problem.node.subarray(0, problem.nodes));
  beginWorth(step);
  candidates.count = 0;
  let total = scanInside(step);
  if (total <= OFF * problem.supply) {
    settleMiddle(step);
    for (let k = 0; k < scratch.listings; k++) total += scanBoth(step, scratch.listed[k]!);
  } else total = Infinity;
  rankEdges(graph, scratch, candidates);
  return total;
}

/** What the edges of a pair would earn, both ways, where it leads to a token out of the problem. */
function scanBoth(step: PricingStep, pair: number): number {
  const { local, buyPrices, sellPrices } = step.scratch;
  const { from, to } = step.demand;
  const { tail } = step.graph.pairs;
  const [u, v] = [tail[pair]!, tail[pair ^ 1]!];
  const isOpen = (n: number) => local[n] === 0 && buyPrices[n]! < sellPrices[n]!;
  if (!isOpen(u) && !isOpen(v)) return 0;
  const there = v !== from && u !== to ? tryPair(step, pair) : 0;
  return there + (u !== from && v !== to ? tryPair(step, pair ^ 1) : 0);
}

/** What the edges between the tokens of the problem would earn. */
function scanInside(step: PricingStep): number {
  const { from, to } = step.demand;
  const { tail } = step.graph.pairs;
  let total = 0;
  forEachInside(step, (pair) => {
    if (tail[pair ^ 1] !== from && tail[pair] !== to) total += tryPair(step, pair);
  });
  return total;
}

/** What the edges around a token out of the problem would earn. */
function scanAround(step: PricingStep, node: number): number {
  const { local, buyPrices, sellPrices, worth } = step.scratch;
  const { start, length, data } = step.graph.pairs.onward;
  const { from, to } = step.demand;
  const last = start[node]! + length[node]!;
  let total = 0;
  for (let k = start[node]!; k < last; k += 2) {
    const far = data[k + 1]!;
    const pair = data[k]!;
    // What was not reached has no price of its own because nothing with it earns.
    if (worth[far] === 0) continue;
    if (far !== from) total += tryPair(step, pair);
    // The way in is priced from its other end where that is a token like this one.
    if (far !== to && (local[far] !== 0 || !(buyPrices[far]! < sellPrices[far]!)))
      total += tryPair(step, pair ^ 1);
  }
  return total;
}

function isBetter({ prices, scratch: { worth } }: PricingStep, pair: number, u: number, v: number): boolean {
  return prices[pair]! * worth[v]! > worth[u]! * MARGIN;
}

/** Adds the edges of a pair that would earn. @returns what they would together */
function tryPair(step: PricingStep, pair: number): number {
  const { pairs, values } = step.graph;
  const { worth, group } = step.scratch;
  const u = pairs.tail[pair]!;
  const v = pairs.tail[pair ^ 1]!;
  if (!isBetter(step, pair, u, v)) return 0;
  const out = worth[v]! * values.ref[v]!;
  const earned = scanPair(step, pair, { out, least: (worth[u]! * values.ref[u]!) / out });
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
  if (at >= candidates.edge.length) {
    candidates.edge = grown(candidates.edge, at + 1);
    candidates.gain = grown(candidates.gain, at + 1);
    candidates.rank = grown(candidates.rank, at + 1);
  }
  candidates.edge[at] = edge;
  candidates.gain[at] = earned;
  candidates.rank[at] = earned;
}

/** Adds an edge of a joint node, where it would earn. @returns what, in value */
export function offer(
  { tail, head, values }: Graph,
  { scratch, problem, candidates }: Desk,
  edge: number,
): number {
  const { worth } = scratch;
  const { slotOf, curves, unitOf } = problem.joints;
  const [u, v] = [tail[edge]!, head[edge]!];
  const out = worth[v]! * (unitOf.get(v) ?? values.ref[v]!);
  if (!(out > 0) || !(worth[u]! > 0)) return 0;
  const cost = worth[u]! * (unitOf.get(u) ?? values.ref[u]!);
  const earned = profitAt(curves, slotOf.get(edge)!, cost / out) * out;
  if (earned > 0) addCandidate(candidates, edge, earned);
  return earned;
}

/** An edge ranks by the most that a token out of the problem at its end lets earn: such pools are of use together. */
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
