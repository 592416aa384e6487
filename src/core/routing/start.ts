import { slopeAt } from "./curves.ts";
import { fillGreedily } from "./fill.ts";
import type { Graph } from "./graph.ts";
import { findPair, levelOf, sizeOfLevel } from "./pairs.ts";
import { addProblemEdge, addProblemNode, type Problem } from "./problem.ts";
import type { Ranked } from "./ranked.ts";
import { grown } from "./rows.ts";
import type { Scratch } from "./scratch.ts";
import { type Sweep, sweepBack, sweepForward } from "./sweep.ts";
import type { Workshop } from "./workshop.ts";

export type Demand = {
  readonly from: number;
  readonly to: number;
  /** Smallest units sold. */
  readonly amount: number;
  readonly allowed: (edge: number) => boolean;
  /** Whether the time is up. */
  readonly late: () => boolean;
};

/** Edges that the first problem is chosen from, pieces that the amount is cut into, and pools that a piece crosses. */
const FIRST_EDGES = 300;
const FEWEST_EDGES = 40;
/** Paths that pay less than the best by more than this share are left for later. */
const WINDOW = 0.01;
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
    const size = sizeOfLevel(level);
    for (let width = WINDOW; problem.edges < FEWEST_EDGES && width < 1; width *= 3) {
      gather(graph, shop, demand, { ...sweep, least: (1 - width) * scratch.back[demand.from]!, size });
    }
    if (problem.edges === 0) continue;
    for (let n = 0; n < problem.nodes; n++) problem.price[n] = scratch.back[problem.node[n]!]!;
    fillGreedily(problem, graph, shop.labels, { chunks: CHUNKS, hops: HOPS });
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

type Window = Sweep & { readonly size: number };

/** Puts the edges of the best paths at the sweep's prices into the problem, ranked at the value `size`. */
function gather(graph: Graph, { scratch, problem, ranked }: Workshop, demand: Demand, window: Window): void {
  scratch.fore.fill(0);
  scratch.fore[demand.from] = 1;
  scratch.queue[0] = scratch.visited[0] = demand.from;
  const visited = sweepForward(graph, scratch, window, 1);
  ranked.count = 0;
  for (let n = 0; n < visited; n++) rankFrom(graph, scratch, ranked, { node: scratch.visited[n]!, window });
  const bar = barFor(ranked, FIRST_EDGES);
  for (let k = 0; k < ranked.count; k++) {
    if (ranked.price[k]! >= bar && demand.allowed(ranked.edge[k]!))
      admit(problem, graph, scratch, ranked.edge[k]!);
  }
}

/** The price that about `most` candidates reach. */
function barFor({ count, price }: Ranked, most: number): number {
  if (count <= most) return 0;
  return price.slice(0, count).sort()[count - most]!;
}

/** Ranks the edges that leave a node on paths within the window. */
function rankFrom(
  graph: Graph,
  { fore, back }: Scratch,
  ranked: Ranked,
  { node, window }: { node: number; window: Window },
): void {
  const { pairs } = graph;
  const { start, length, data } = pairs.onward;
  const here = fore[node]!;
  const bar = window.least / here;
  const last = start[node]! + length[node]!;
  for (let k = start[node]!; k < last; k++) {
    const pair = data[k]!;
    const head = pairs.head[pair]!;
    if (window.prices[pair]! * back[head]! < bar || head === window.from) continue;
    rankEdges(graph, pair, ranked, { through: here * back[head]!, window });
  }
  const direct = pairs.degree[window.to] === 1 ? findPair(pairs, node, window.to) : -1;
  if (direct >= 0 && window.prices[direct]! >= bar)
    rankEdges(graph, direct, ranked, { through: here, window });
}

function rankEdges(
  { pairs, curves, values }: Graph,
  pair: number,
  ranked: Ranked,
  { through, window }: { through: number; window: Window },
): void {
  const value = values.ref[pairs.tail[pair]!]!;
  const scale = (through * values.ref[pairs.head[pair]!]!) / value;
  const { start, length, data } = pairs.edges;
  const last = start[pair]! + length[pair]!;
  for (let k = start[pair]!; k < last; k++) {
    const price = slopeAt(curves, data[k]!, window.size / value) * scale;
    if (price < window.least) continue;
    const at = ranked.count++;
    ranked.edge = grown(ranked.edge, at + 1);
    ranked.price = grown(ranked.price, at + 1);
    ranked.edge[at] = data[k]!;
    ranked.price[at] = price;
  }
}

/** Adds an edge to the problem; tokens that are new to it come without a price. */
function admit(problem: Problem, graph: Graph, scratch: Scratch, edge: number): boolean {
  addProblemNode(problem, graph, scratch, { node: graph.tail[edge]!, price: 1 });
  addProblemNode(problem, graph, scratch, { node: graph.head[edge]!, price: 1 });
  return addProblemEdge(problem, graph, scratch, edge);
}
