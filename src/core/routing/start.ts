import { outputAt, slopeAt } from "./curves.ts";
import { fillGreedily, priceAll, priceFill, switchUnused } from "./fill.ts";
import type { Graph } from "./graph.ts";
import { levelOf, sizeOfLevel } from "./pairs.ts";
import { addProblemEdge, addProblemNode, type Problem } from "./problem.ts";
import type { Scratch } from "./scratch.ts";
import { forEachOnward, type Sweep, sweepBack, sweepForward } from "./sweep.ts";
import type { Workshop } from "./workshop.ts";

export type Demand = {
  readonly from: number;
  readonly to: number;
  /** Smallest units sold. */
  readonly amount: number;
  readonly allowed: (edge: number) => boolean;
};

/** Edges that the first problem is chosen from, pieces that the amount is cut into, and pools that a piece crosses. */
const FIRST_EDGES = Number(process.env.FE ?? 300);
const CHUNKS = 8;
const HOPS = 4;

/**
 * Puts the edges of the best paths for about the order's size into the problem and fills them greedily; edges that
 * the fill leaves unused are switched off. Looks at smaller sizes where nothing carries the order's.
 *
 * @returns false where no path joins the ends at any size
 */
export function startProblem(graph: Graph, shop: Workshop, demand: Demand): boolean {
  const { scratch, problem } = shop;
  for (let level = levelOf(problem.supply / 3); level >= -1; level--) {
    const prices = level < 0 ? graph.pairs.spot : graph.pairs.levels[level]!;
    const sweep: Sweep = { from: demand.from, to: demand.to, prices, least: 1e-6, rounds: 6 };
    if (!reachBack(graph, scratch, sweep)) continue;
    const least = 0.95 * Math.min(scratch.back[demand.from]!, pathPrice(graph, scratch, demand));
    gather(graph, shop, demand, { ...sweep, least, size: sizeOfLevel(level) });
    if (problem.edges === 0) continue;
    for (let n = 0; n < problem.nodes; n++) problem.price[n] = scratch.back[problem.node[n]!]!;
    if (fillGreedily(problem, graph, shop.labels, { chunks: CHUNKS, hops: HOPS }) > 0) {
      priceFill(problem, graph, HOPS);
      if (process.env.SW) switchUnused(problem, 1);
      else priceAll(problem, graph, Number(process.env.TRI ?? 0));
    }
    return true;
  }
  return false;
}

function reachBack(graph: Graph, scratch: Scratch, sweep: Sweep): boolean {
  scratch.back.fill(0);
  scratch.back[sweep.to] = 1;
  scratch.fixed[sweep.to] = 1;
  scratch.queue[0] = sweep.to;
  sweepBack(graph, scratch, sweep, 1);
  scratch.fixed[sweep.to] = 0;
  return scratch.back[sweep.from]! > 0;
}

/** Marginal price of the swept path once it has taken the whole amount; 0 where it cannot. */
function pathPrice(graph: Graph, { next }: Scratch, { from, to, amount }: Demand): number {
  const { pairs, curves, values } = graph;
  let node = from;
  let flowing = amount;
  let price = values.ref[to]! / values.ref[from]!;
  for (let hop = 0; node !== to && hop < 8; hop++) {
    const pair = next[node]!;
    const best = bestEdge(graph, pair, flowing);
    if (best < 0) return 0;
    price *= slopeAt(curves, best, flowing);
    flowing = outputAt(curves, best, flowing);
    node = pairs.head[pair]!;
  }
  return node === to ? price : 0;
}

/** The edge of a pair that pays most for `amount`, or -1. */
function bestEdge({ pairs, curves }: Graph, pair: number, amount: number): number {
  const { start, length, data } = pairs.edges;
  let best = -1;
  let most = 0;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const out = outputAt(curves, data[k]!, amount);
    if (out > most) [best, most] = [data[k]!, out];
  }
  return best;
}

type Ranked = { readonly edge: number; readonly price: number };

/** Puts the edges of the best paths at the sweep's prices into the problem, ranked at the value `size`. */
function gather(graph: Graph, { scratch, problem }: Workshop, demand: Demand, sweep: Sweep & { size: number }): void {
  scratch.fore.fill(0);
  scratch.fore[demand.from] = 1;
  scratch.queue[0] = scratch.visited[0] = demand.from;
  const visited = sweepForward(graph, scratch, sweep, 1);
  const found: Ranked[] = [];
  const { pairs } = graph;
  for (let n = 0; n < visited; n++) {
    const node = scratch.visited[n]!;
    forEachOnward(graph, node, demand.to, (pair) => {
      const head = pairs.head[pair]!;
      const through = scratch.fore[node]! * scratch.back[head]!;
      if (through * sweep.prices[pair]! < sweep.least || head === demand.from) return;
      rankEdges(graph, pair, { through, least: sweep.least, size: sweep.size, found });
    });
  }
  found.sort((a, b) => b.price - a.price || a.edge - b.edge);
  let left = FIRST_EDGES;
  for (const { edge } of found) {
    if (left === 0) break;
    if (demand.allowed(edge) && admit(problem, graph, scratch, edge)) left--;
  }
}

type Ranking = { readonly through: number; readonly least: number; readonly size: number; readonly found: Ranked[] };

function rankEdges({ pairs, curves, values }: Graph, pair: number, ranking: Ranking): void {
  const value = values.ref[pairs.tail[pair]!]!;
  const scale = (ranking.through * values.ref[pairs.head[pair]!]!) / value;
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]!; k++) {
    const price = slopeAt(curves, data[k]!, ranking.size / value) * scale;
    if (price >= ranking.least) ranking.found.push({ edge: data[k]!, price });
  }
}

/** Adds an edge to the problem; tokens that are new to it come without a price. */
function admit(problem: Problem, graph: Graph, scratch: Scratch, edge: number): boolean {
  addProblemNode(problem, graph, scratch, { node: graph.tail[edge]!, price: 1 });
  addProblemNode(problem, graph, scratch, { node: graph.head[edge]!, price: 1 });
  return addProblemEdge(problem, graph, scratch, edge);
}
