import { slopeAt } from "./curves.ts";
import type { Graph } from "./graph.ts";
import { grown } from "./rows.ts";
import { solveProblem } from "./newton.ts";
import { type Column, type Outside, priceOutside } from "./outside.ts";
import { addProblemEdge, evaluate, addProblemNode, beginProblem } from "./problem.ts";
import { levelOf } from "./pairs.ts";
import { sweepBack } from "./sweep.ts";
import { resetScratch } from "./scratch.ts";
import { type Demand, startProblem } from "./start.ts";
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
const GAP = Number(process.env.GAP ?? 5e-6);
const ROUGH_GAP = 1e-4;
const MOST_ROUNDS = 40;
const ROUGH_ITERATIONS = 25;
const FINE_ITERATIONS = 40;
/** Columns added in a round: so many, or as many as edges are in use, but no more than earn this share of the gain. */
const FEWEST_COLUMNS = 32;
const SHARE_OF_GAIN = Number(process.env.CUM ?? 0.95);
const COLUMNS_A_PAIR = 4;
const MOST_BACKBONE = 64;
const REPAIR = Number(process.env.REP ?? 0.02);
const REPL = Number(process.env.REPL ?? 1e-3);

/** Solves the order over the whole graph. @returns undefined where no path joins the ends */
export function findOptimum(graph: Graph, shop: Workshop, demand: Demand): Optimum | undefined {
  const { problem, scratch, delivery } = shop;
  const { from, to } = demand;
  resetScratch(scratch, graph);
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * graph.values.ref[from]! });
  if (!startProblem(graph, shop, demand)) return undefined;
  takeFill(shop);
  if (!process.env.NOREP1) repairPrices(graph, shop, demand);
  let solved = solveProblem(problem, graph, shop, { gap: ROUGH_GAP, most: ROUGH_ITERATIONS });
  let iterations = solved.iterations;
  let outside: Outside = { gain: Infinity, columns: [], atRest: false };
  let rounds = 0;
  let fine = false;
  for (; rounds < MOST_ROUNDS; rounds++) {
    outside = priceOutside(graph, scratch, problem, demand.allowed);
    let share = outside.gain / solved.value;
    if (share > REPAIR) {
      const before = share;
      admitBackbone(graph, shop, outside);
      repairPrices(graph, shop, demand);
      const value = evaluate(problem, graph);
      outside = priceOutside(graph, scratch, problem, demand.allowed);
      share = (value - delivery.most + outside.gain) / value;
      if ((globalThis as any).TRACE) console.log('REPAIR', before, '->', share);
    }
    if ((globalThis as any).TRACE) console.log('ROUND', rounds, 'share', share, 'cols', outside.columns.length, 'top', outside.columns.slice(0,3).map(c=>[c.edge, graph.tail[c.edge], graph.head[c.edge], c.gain/solved.value, c.rank/solved.value]), 'nodes', problem.nodes, 'edges', problem.edges, 'price', problem.price[0], solved);
    if (fine && share <= GAP) break;
    admitBest(graph, shop, outside);
    fine = share <= 10 * GAP;
    const gap = fine ? GAP / 4 : Math.min(ROUGH_GAP, share / 10);
    solved = solveProblem(problem, graph, shop, { gap, most: fine ? FINE_ITERATIONS : ROUGH_ITERATIONS });
    iterations += solved.iterations;
  }
  const bound = outside.atRest && outside.gain < Infinity ? solved.value + outside.gain : undefined;
  return { converged: solved.converged && rounds < MOST_ROUNDS, bound, delivered: delivery.most, rounds, iterations };
}

/** Puts the deepest pool of each pair of tokens in use that the prices contradict into the problem. */
function admitBackbone(graph: Graph, { problem, scratch }: Workshop, { columns }: Outside): void {
  const seen = new Set<number>();
  for (const column of columns) {
    const pair = graph.pair[column.edge]!;
    if (!column.direct || seen.has(pair)) continue;
    seen.add(pair);
    admit(graph, problem, scratch, column);
    if (seen.size === MOST_BACKBONE) return;
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

function admit(graph: Graph, problem: Workshop["problem"], scratch: Workshop["scratch"], { edge }: Column): void {
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
}

/**
 * Sets the problem's prices to those that the whole market implies: from the token bought back, over marginal
 * prices after the trades so far where something is traded, and after a small trade elsewhere.
 */
function repairPrices(graph: Graph, { problem, scratch, delivery }: Workshop, { from, to }: Demand): void {
  const { pairs, curves, values } = graph;
  const prices = pairs.levels[levelOf(problem.supply * REPL)]!;
  const touched: number[] = [];
  const old: number[] = [];
  for (let e = 0; e < delivery.laid; e++) {
    if (!(delivery.best[e]! > 0)) continue;
    const pair = graph.pair[problem.edge[e]!]!;
    const price = slopeAt(curves, problem.edge[e]!, delivery.best[e]!) * (values.ref[pairs.head[pair]!]! / values.ref[pairs.tail[pair]!]!);
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
  for (let n = 0; n < problem.nodes; n++) if (scratch.back[problem.node[n]!]! > 0) problem.price[n] = scratch.back[problem.node[n]!]!;
}
