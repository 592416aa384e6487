import { slopeAt } from "./curves.ts";
import type { Graph } from "./graph.ts";
import { solveProblem } from "./newton.ts";
import { type Column, type Outside, priceOutside } from "./outside.ts";
import { levelOf } from "./pairs.ts";
import { keepBest } from "./primal.ts";
import { addProblemEdge, addProblemNode, beginProblem, dualBound, evaluate } from "./problem.ts";
import { grown } from "./rows.ts";
import { resetScratch } from "./scratch.ts";
import { type Demand, startProblem } from "./start.ts";
import { sweepBack } from "./sweep.ts";
import type { Workshop } from "./workshop.ts";

/** The convex optimum; its prices are left in the workshop's problem, its best flows in the delivery. */
export type Optimum = {
  /** Whether the gap between what is delivered and the bound was closed. */
  readonly converged: boolean;
  /** No flow delivers more, in value; undefined where cycles pay and no bound holds. */
  readonly bound: number | undefined;
  /** What the best flows deliver, in value. */
  readonly delivered: number;
  readonly rounds: number;
  readonly iterations: number;
};

/** Relative gap at which the search for more edges, and each solution, ends. */
const GAP = 5e-6;
/** Edges up to which that gap is asked for. */
const WIDE = 500;
const ROUGH_GAP = 1e-4;
const MOST_ROUNDS = 16;
/** Once little is left to find, straight pools are bent less by this factor each round, down to this share. */
const SHARPEN = 8;
const STRAIGHT = 1e-9;
/** Rounds without any improvement after which the search ends. */
const PATIENCE = 4;
const ROUGH_ITERATIONS = 25;
const FINE_ITERATIONS = 40;
/** Columns added in a round: so many, or as many as edges are in use, but no more than earn this share of the gain. */
const FEWEST_COLUMNS = 32;
const SHARE_OF_GAIN = 0.95;
const COLUMNS_A_PAIR = 4;
const MOST_BACKBONE = 24;
/** Prices are repaired where the edges outside promise more than this share of the value. */
const REPAIR = 0.02;
/** Share of the order that a pool not in use is taken to have traded where prices are repaired. */
const SMALL_TRADE = 1e-3;

/** Solves the order over the whole graph. @returns undefined where no path joins the ends */
export function findOptimum(graph: Graph, shop: Workshop, demand: Demand): Optimum | undefined {
  const { problem, scratch, delivery } = shop;
  const { from, to } = demand;
  resetScratch(scratch, graph);
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * graph.values.ref[from]! });
  if (!startProblem(graph, shop, demand)) return undefined;
  takeFill(shop);
  repairPrices(graph, shop, demand);
  const search: Search = { bound: Infinity, atRest: true, rounds: 0, iterations: 0, fine: false, idle: 0 };
  run(graph, shop, search, { gap: ROUGH_GAP, most: ROUGH_ITERATIONS });
  while (search.rounds < MOST_ROUNDS && search.idle < PATIENCE && !demand.late()) {
    const share = price(graph, shop, demand, search);
    if (closed(shop, search)) break;
    refine(graph, shop, search, share);
  }
  const bound = search.atRest && search.bound < Infinity ? search.bound : undefined;
  const converged = closed(shop, search);
  shop.counters.searches++;
  if (!converged) shop.counters.notConverged++;
  if (demand.late()) shop.counters.outOfTime++;
  return { ...search, converged, bound, delivered: delivery.kept };
}

/** Solves anew with the edges that were admitted, the more exactly the less they promise. */
function refine(graph: Graph, shop: Workshop, search: Search, share: number): void {
  const { problem } = shop;
  if (search.fine) problem.bend = Math.max(problem.bend / SHARPEN, STRAIGHT / problem.supply);
  search.fine = share <= 10 * GAP;
  const gap = search.fine ? GAP / 4 : Math.min(ROUGH_GAP, share / 10);
  run(graph, shop, search, { gap, most: search.fine ? FINE_ITERATIONS : ROUGH_ITERATIONS });
  search.rounds++;
}

type Search = {
  /** The lowest upper bound so far, in value. */
  bound: number;
  /** False once prices around the problem did not come to rest: then nothing is a bound. */
  atRest: boolean;
  rounds: number;
  iterations: number;
  fine: boolean;
  /** Rounds in a row that improved nothing. */
  idle: number;
};

/** The gap that is good enough: wider where only a great many small pools could close it. */
function closed({ problem, delivery }: Workshop, { bound }: Search): boolean {
  const size = Math.max(1, problem.edges / WIDE);
  return bound - delivery.kept <= GAP * size * size * bound;
}

/** Solves the problem from its prices and keeps the best flows of all rounds. */
function run(graph: Graph, shop: Workshop, search: Search, until: { gap: number; most: number }): void {
  const before = shop.delivery.kept;
  search.iterations += solveProblem(shop.problem, graph, shop, until).iterations;
  keepBest(shop.delivery, shop.problem);
  search.idle = shop.delivery.kept > before * (1 + GAP / 10) ? 0 : search.idle + 1;
}

/**
 * Prices the graph against the problem, lowers the bound, and admits the edges that promise most.
 *
 * @returns what the edges outside promise, as a share of the value
 */
function price(graph: Graph, shop: Workshop, demand: Demand, search: Search): number {
  const { problem, scratch, delivery } = shop;
  let value = evaluate(problem, graph);
  let outside = priceOutside(graph, scratch, problem, demand.allowed);
  note(shop, search, dualBound(problem, graph), outside);
  let share = outside.gain / value;
  if (share > REPAIR) {
    admitBackbone(graph, shop, outside);
    repairPrices(graph, shop, demand);
    value = evaluate(problem, graph);
    outside = priceOutside(graph, scratch, problem, demand.allowed);
    note(shop, search, dualBound(problem, graph), outside);
    share = (value - delivery.kept + outside.gain) / value;
  }
  admitBest(graph, shop, outside);
  return share;
}

function note({ problem, proof }: Workshop, search: Search, value: number, { gain, atRest }: Outside): void {
  if (!atRest) search.atRest = false;
  if (!(value + gain < search.bound)) return;
  search.bound = value + gain;
  proof.count = problem.nodes;
  proof.node = grown(proof.node, problem.nodes);
  proof.price = grown(proof.price, problem.nodes);
  proof.node.set(problem.node.subarray(0, problem.nodes));
  proof.price.set(problem.price.subarray(0, problem.nodes));
}

/** Puts the deepest pools that contradict the prices into the problem: one a pair, one each way a token not in use. */
function admitBackbone(graph: Graph, { problem, scratch }: Workshop, { columns }: Outside): void {
  const seen = new Set<number>();
  let left = MOST_BACKBONE;
  for (const column of columns) {
    if (left === 0) return;
    const tail = graph.tail[column.edge]!;
    const head = graph.head[column.edge]!;
    const key = column.direct ? graph.pair[column.edge]! : column.inward ? -1 - head * 2 : -2 - tail * 2;
    if (seen.has(key)) continue;
    seen.add(key);
    admit(graph, problem, scratch, column);
    left--;
  }
}

/** Puts the columns that earn most into the problem, not too many parallel ones at once. */
function admitBest(graph: Graph, { problem, scratch }: Workshop, { columns, gain }: Outside): void {
  let left = Math.max(FEWEST_COLUMNS, countUsed(problem));
  let earned = 0;
  const ofPair = new Map<number, number>();
  for (const column of columns) {
    if (left === 0 || earned > SHARE_OF_GAIN * gain) return;
    earned += column.gain;
    const pair = graph.pair[column.edge]!;
    const before = ofPair.get(pair) ?? 0;
    if (before >= COLUMNS_A_PAIR) continue;
    ofPair.set(pair, before + 1);
    admit(graph, problem, scratch, column);
    left--;
  }
}

function countUsed({ edges, sold }: Workshop["problem"]): number {
  let used = 0;
  for (let e = 0; e < edges; e++) if (sold[e]! > 0) used++;
  return used;
}

function admit(
  graph: Graph,
  problem: Workshop["problem"],
  scratch: Workshop["scratch"],
  { edge }: Column,
): void {
  for (const node of [graph.tail[edge]!, graph.head[edge]!]) {
    addProblemNode(problem, graph, scratch, { node, price: scratch.worth[node]! });
  }
  addProblemEdge(problem, graph, scratch, edge);
}

/** Takes the greedy fill for the flows so far. */
function takeFill({ problem, delivery }: Workshop): void {
  delivery.best = grown(delivery.best, problem.edges);
  delivery.best.set(problem.sold.subarray(0, problem.edges));
  delivery.laid = problem.edges;
  delivery.kept = -1;
}

/**
 * Sets the problem's prices to those that the whole market implies: from the token bought back, over marginal
 * prices after the trades so far where something is traded, and after a small trade elsewhere.
 */
function repairPrices(graph: Graph, { problem, scratch, delivery }: Workshop, { from, to }: Demand): void {
  const { pairs, curves, values } = graph;
  const prices = pairs.levels[levelOf(problem.supply * SMALL_TRADE)]!;
  const touched: number[] = [];
  const old: number[] = [];
  for (let e = 0; e < delivery.laid; e++) {
    if (!(delivery.best[e]! > 0)) continue;
    const pair = graph.pair[problem.edge[e]!]!;
    const price =
      slopeAt(curves, problem.edge[e]!, delivery.best[e]!) *
      (values.ref[pairs.head[pair]!]! / values.ref[pairs.tail[pair]!]!);
    if (!touched.includes(pair)) {
      touched.push(pair);
      old.push(prices[pair]!);
      prices[pair] = price;
    } else if (price > prices[pair]!) prices[pair] = price;
  }
  scratch.back.fill(0);
  scratch.back[to] = 1;
  scratch.fixed[to] = 1;
  scratch.queue[0] = to;
  sweepBack(graph, scratch, { from, to, prices, least: 1e-9, rounds: 12 }, 1);
  scratch.fixed[to] = 0;
  for (let k = touched.length - 1; k >= 0; k--) prices[touched[k]!] = old[k]!;
  for (let n = 0; n < problem.nodes; n++)
    if (scratch.back[problem.node[n]!]! > 0) problem.price[n] = scratch.back[problem.node[n]!]!;
}
