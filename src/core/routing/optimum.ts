import { outputAt, slopeAt } from "./curves.ts";
import { emptyLabels, fillGreedily, type Labels, priceFill, switchUnused } from "./fill.ts";
import { emptyField, type Field, fillField } from "./field.ts";
import type { Graph } from "./graph.ts";
import { type Solved, solveProblem } from "./newton.ts";
import { type Delivery, emptyDelivery } from "./primal.ts";
import { type Column, priceOutside } from "./outside.ts";
import { levelOf } from "./pairs.ts";
import { addProblemEdge, addProblemNode, beginProblem, emptyProblem, type Problem } from "./problem.ts";
import { grown } from "./rows.ts";
import { emptyScratch, resetScratch, type Scratch } from "./scratch.ts";
import { emptySkyline, type Skyline } from "./skyline.ts";
import { forEachOnward, type Sweep, sweepBack, sweepForward } from "./sweep.ts";

/** Everything a search works in; owned by the engine, reused by every search. */
export type Workshop = {
  readonly scratch: Scratch;
  readonly problem: Problem;
  readonly matrix: Skyline;
  readonly field: Field;
  readonly labels: Labels;
  readonly delivery: Delivery;
};

export function emptyWorkshop(): Workshop {
  return { scratch: emptyScratch(), problem: emptyProblem(), matrix: emptySkyline(), field: emptyField(), labels: emptyLabels(), delivery: emptyDelivery() };
}

export type Demand = {
  readonly from: number;
  readonly to: number;
  /** Smallest units sold. */
  readonly amount: number;
  readonly allowed: (edge: number) => boolean;
};

/** The convex optimum, its prices and flows left in the workshop's problem. */
export type Optimum = {
  readonly converged: boolean;
  /** No flow delivers more, in value; undefined where cycles pay and no bound holds. */
  readonly bound: number | undefined;
  readonly rounds: number;
  readonly iterations: number;
  readonly fineIts: number;
  readonly paid: number;
};

const FIRST_EDGES = Number(process.env.FE ?? 300);
const COLUMNS_A_ROUND = Number(process.env.CA ?? 400);
const LB1 = Number(process.env.LB1 ?? 3e-5);
const LB2 = Number(process.env.LB2 ?? 1e-6);
const RM = Number(process.env.RM ?? 12);
const CHUNKS = Number(process.env.CH ?? 8);
const MOST_ROUNDS = Number(process.env.MR ?? 60);
const PP = Number(process.env.PP ?? 2);
const GAP = Number(process.env.GAP ?? 4e-6);
const REST_ROUNDS = 24;

/** Solves the order over the whole graph. @returns undefined where no path joins the ends */
export function findOptimum(graph: Graph, shop: Workshop, demand: Demand): Optimum | undefined {
  const { from, to, amount } = demand;
  resetScratch(shop.scratch, graph);
  const supply = amount * graph.values.ref[from]!;
  beginProblem(shop.problem, graph, shop.scratch, { from, to, supply });
  if (!startProblem(graph, shop, demand, supply)) return undefined;
  const { problem } = shop;
  problem.bend = LB1 / supply;
  let solved = solveProblem(problem, graph, shop, { gap: 1e-4, most: RM });
  let iterations = solved.iterations;
  let fineIts = 0;
  compact(shop);
  const atRest = surveyField(graph, shop, demand);
  let outside = 0;
  let rounds = 0;
  for (; rounds < MOST_ROUNDS; rounds++) {
    const { gain, columns } = priceOutside(shop.field, graph, shop.scratch, problem);
    outside = gain;
    const fine = gain <= 10 * GAP * solved.value;
    if (gain <= GAP * solved.value && problem.bend === LB2 / supply && solved.converged) break;
    admitBest(graph, shop, columns);
    if (process.env.RST && gain > Number(process.env.RST) * solved.value) restart(graph, shop);
    problem.bend = (fine ? LB2 : LB1) / supply;
    solved = solveProblem(problem, graph, shop, { gap: fine ? GAP : Math.min(1e-4, (0.1 * gain) / solved.value), most: fine ? 40 : RM });
    if (fine) fineIts += solved.iterations;
    iterations += solved.iterations;
  }
  return { converged: solved.converged, bound: atRest ? solved.value + outside : undefined, rounds, iterations, fineIts, paid: shop.delivery.most };
}

function admitBest(graph: Graph, shop: Workshop, columns: readonly Column[]): void {
    let used = 0;
    for (let e = 0; e < shop.problem.edges; e++) if (shop.problem.sold[e]! > 0) used++;
    const perPair = new Map<number, number>();
    let left = Math.max(COLUMNS_A_ROUND, used);
    for (const { edge } of columns) {
      const pair = graph.pair[edge]!;
      const n = perPair.get(pair) ?? 0;
      if (n >= PP) continue;
      perPair.set(pair, n + 1);
      admit(graph, shop, edge);
      if (--left === 0) break;
    }
}

function boundOf(solved: Solved, outside: number): number {
  return solved.value + outside;
}

/** Adds an edge to the problem; tokens that are new to it come at their worth. */
function admit(graph: Graph, { problem, scratch }: Workshop, edge: number): void {
  for (const node of [graph.tail[edge]!, graph.head[edge]!]) {
    addProblemNode(problem, graph, scratch, { node, price: scratch.worth[node]! });
  }
  addProblemEdge(problem, graph, scratch, edge);
}

/** Puts the most promising edges at about the order's size into the problem, with starting prices. */
function startProblem(graph: Graph, shop: Workshop, demand: Demand, supply: number): boolean {
  const { scratch, problem } = shop;
  for (let level = levelOf(supply / 3); level >= -1; level--) {
    const prices = level < 0 ? graph.pairs.spot : graph.pairs.levels[level]!;
    const sweep = { from: demand.from, to: demand.to, prices, least: 1e-6, rounds: 6 };
    sweepBack(graph, scratch, sweep);
    if (!(scratch.back[demand.from]! > 0)) continue;
    const least = 0.95 * Math.min(scratch.back[demand.from]!, pathPrice(graph, scratch, demand));
    gather(graph, shop, demand, { ...sweep, least }, level < 0 ? 0 : 1e13 * 10 ** level);
    if (problem.edges === 0) continue;
    for (let n = 0; n < problem.nodes; n++) {
      problem.price[n] = scratch.back[problem.node[n]!]!;
    }
    const filled = fillGreedily(problem, graph, shop.labels, { chunks: CHUNKS, hops: 5 });
    if (filled > 0) {
      priceFill(problem, graph, 6);
      switchUnused(problem, 1);
    }
    return true;
  }
  return false;
}

/** Marginal price of the swept path after it has taken the whole amount: below every price of the optimum. */
function pathPrice(graph: Graph, { next }: Scratch, { from, to, amount }: Demand): number {
  const { pairs, curves, values } = graph;
  let node = from;
  let flowing = amount;
  let price = 1;
  for (let hop = 0; node !== to && hop < 8; hop++) {
    const pair = next[node]!;
    let best = -1;
    let most = 0;
    for (let k = 0; k < pairs.edges.length[pair]!; k++) {
      const edge = pairs.edges.data[pairs.edges.start[pair]! + k]!;
      const out = outputAt(curves, edge, flowing);
      if (out > most) [best, most] = [edge, out];
    }
    if (best < 0) return 0;
    price *= slopeAt(curves, best, flowing);
    flowing = most;
    node = pairs.head[pair]!;
  }
  return (price * values.ref[to]!) / values.ref[from]!;
}

type Ranked = { readonly edge: number; readonly price: number };

/** Puts the edges of the best paths at the sweep's prices into the problem. */
function gather(graph: Graph, { scratch, problem }: Workshop, demand: Demand, sweep: Sweep, size: number): void {
  const visited = Math.abs(sweepForward(graph, scratch, sweep));
  const found: Ranked[] = [];
  const { pairs, curves, values } = graph;
  for (let n = 0; n < visited; n++) {
    const node = scratch.visited[n]!;
    forEachOnward(graph, node, demand.to, (pair) => {
      const head = pairs.head[pair]!;
      const through = scratch.fore[node]! * scratch.back[head]!;
      if (through * sweep.prices[pair]! < sweep.least || head === demand.from) return;
      const scale = (through * values.ref[head]!) / values.ref[node]!;
      for (let k = 0; k < pairs.edges.length[pair]!; k++) {
        const edge = pairs.edges.data[pairs.edges.start[pair]! + k]!;
        const price = slopeAt(curves, edge, size / values.ref[node]!) * scale;
        if (price >= sweep.least && demand.allowed(edge)) found.push({ edge, price });
      }
    });
  }
  found.sort((a, b) => b.price - a.price || a.edge - b.edge);
  for (const { edge } of found.slice(0, FIRST_EDGES)) {
    for (const node of [graph.tail[edge]!, graph.head[edge]!]) {
      addProblemNode(problem, graph, scratch, { node, price: scratch.back[node]! });
    }
    addProblemEdge(problem, graph, scratch, edge);
  }
}

/** Fills the field with every edge that can matter at the problem's price. @returns whether the sweeps came to rest */
function surveyField(graph: Graph, { scratch, problem, field }: Workshop, demand: Demand): boolean {
  const { from, to, allowed } = demand;
  const least = problem.price[problem.source]! * (1 - 1e-4);
  const sweep = { from, to, prices: graph.pairs.spot, least: 1e-4 * least, rounds: REST_ROUNDS };
  const backAtRest = sweepBack(graph, scratch, sweep);
  const visited = sweepForward(graph, scratch, { ...sweep, least });
  fillField(field, graph, scratch, { ...sweep, least, visited: Math.abs(visited), allowed });
  return backAtRest && visited > 0;
}

function compact({ problem, scratch }: Workshop): void {
  let kept = 0;
  for (let e = 0; e < problem.edges; e++) {
    if (problem.off[e]) { scratch.inProblem[problem.edge[e]!] = 0; continue; }
    problem.edge[kept] = problem.edge[e]!;
    problem.tail[kept] = problem.tail[e]!;
    problem.head[kept] = problem.head[e]!;
    problem.lane[kept] = problem.lane[e]!;
    problem.sold[kept] = problem.sold[e]!;
    problem.bought[kept] = problem.bought[e]!;
    problem.off[kept] = 0;
    kept++;
  }
  problem.edges = kept;
  // nodes
  const usedNode = new Uint8Array(problem.nodes);
  usedNode[problem.source] = usedNode[problem.sink] = 1;
  for (let e = 0; e < kept; e++) usedNode[problem.tail[e]!] = usedNode[problem.head[e]!] = 1;
  const map = new Int32Array(problem.nodes);
  let n2 = 0;
  for (let n = 0; n < problem.nodes; n++) {
    if (!usedNode[n]) { scratch.local[problem.node[n]!] = 0; continue; }
    map[n] = n2;
    problem.node[n2] = problem.node[n]!;
    problem.ref[n2] = problem.ref[n]!;
    problem.price[n2] = problem.price[n]!;
    scratch.local[problem.node[n]!] = n2 + 1;
    n2++;
  }
  problem.nodes = n2;
  for (let e = 0; e < kept; e++) { problem.tail[e] = map[problem.tail[e]!]!; problem.head[e] = map[problem.head[e]!]!; }
}

function restart({ curves }: Graph, { problem, delivery }: Workshop): void {
  const { nodes, edges, edge, tail, head, ref, price, sink, source, supply } = problem;
  const implied = new Float64Array(nodes);
  implied[sink] = 1;
  delivery.best = grown(delivery.best, edges);
  for (let round = 0; round < 5; round++) {
    let changed = false;
    for (let e = 0; e < edges; e++) {
      if (tail[e] === sink || implied[head[e]!] === 0) continue;
      const sent = e < delivery.laid ? delivery.best[e]! : 0;
      const x = sent > 0 ? sent : Math.min(supply / 8 / ref[tail[e]!]!, curves.end[edge[e]!]! / 2);
      const value = slopeAt(curves, edge[e]!, x) * (ref[head[e]!]! / ref[tail[e]!]!) * implied[head[e]!]!;
      if (value > implied[tail[e]!]!) { implied[tail[e]!] = value; changed = true; }
    }
    if (!changed) break;
  }
  for (let n = 0; n < nodes; n++) if (implied[n]! > 0) price[n] = implied[n]!;
}
