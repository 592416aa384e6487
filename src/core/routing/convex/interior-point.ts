import { grown } from "../../math/rows.ts";
import type { Graph } from "../market-graph/graph.ts";
import { layMatrix, type Skyline } from "./cholesky.ts";
import { look, move, type Point } from "./interior-step.ts";
import type { Problem } from "./problem.ts";

export type Until = {
  /** Gap between dual value and delivery, and whatever is out of balance, as a share of the supply. */
  readonly gap: number;
  readonly most: number;
  /** The problem is the one before with edges added: goes on from the inside of that one's path. */
  readonly again?: boolean;
  /** Whether the time is up; asked in every iteration. */
  readonly late?: () => boolean;
};

export type Solved = { readonly converged: boolean; readonly iterations: number };

/** No edge of a best route takes more than this many times the supply. */
const MOST_TAKEN = 3;
/** Share of the supply that each edge is taken to sell at least at first, and the complementarity of each edge then. */
const FIRST_FLOW = 0.01;
const FIRST_MU = 1e-4;
/** Share of the supply that all edges added to a solved problem are taken to sell together at most. */
const ALL_ENTERING = 0.3;
/** Multipliers of an edge at first: prices are near 1, and small pools would begin far off. */
const MOST_LOW = 0.05;
/** Share by which a first flow lets the price of its pool fall at most. */
const FIRST_FALL = 0.02;
/** Gap at which the point for a restart is kept. */
const INSIDE = 3e-3;
/** A flow is none where this many times its value is below what using the edge would lose. */
const NOTHING = 1;

/**
 * Solves the problem by a primal-dual interior-point method with predictor and corrector (Mehrotra 1992), one
 * factorisation an iteration. Leaves prices in `problem.price` and flows in `problem.sold`, smallest units; edges
 * that carry nothing in the limit sell 0.
 */
export function solveInterior(
  problem: Problem,
  graph: Graph,
  { matrix, point }: { readonly matrix: Skyline; readonly point: Point },
  until: Until,
): Solved {
  growPoint(point, problem);
  layMatrix(matrix, problem);
  const old = begin(point, problem, graph, until);
  let iterations = 0;
  let converged = false;
  for (; iterations < until.most && !converged && !until.late?.(); iterations++) {
    const { gap, surplus, slack } = look(point, problem, graph);
    if (!(gap < Infinity)) break;
    if (Math.max(gap, surplus) < INSIDE && point.inside.edges <= old) keep(point, problem, gap);
    converged = Math.max(gap, surplus, slack) < until.gap;
    if (!converged) move(point, problem, { graph, matrix }, gap);
  }
  readFlows(point, problem);
  return { converged, iterations };
}

/** Goes on from the point kept, if any, with all edges that are not in it. @returns how many are */
function begin(point: Point, problem: Problem, graph: Graph, { again }: Until): number {
  const old = restore(point, problem);
  const mu = old > 0 ? point.mu : 0;
  const share = (ALL_ENTERING * problem.supply) / (problem.edges - old);
  const least = again ? share : FIRST_FLOW * problem.supply;
  for (let e = old; e < problem.edges; e++) enter(point, problem, graph, { e, mu, share, least });
  return old;
}

const EDGE_LANES = [
  ...(["x", "room", "low", "high", "out", "slope", "bend", "ease", "gain", "dx"] as const),
  ...(["perX", "perRoom"] as const),
];

function growPoint(point: Point, { edges, nodes }: Problem): void {
  for (const key of EDGE_LANES) point[key] = grown(point[key], edges);
  for (const key of ["excess", "rhs", "dy"] as const) point[key] = grown(point[key], nodes);
}

type Entry = {
  readonly e: number;
  readonly mu: number;
  /** Value that it may sell where it joins a solved problem. */
  readonly share: number;
  /** The same where nothing was solved before. */
  readonly least: number;
};

/** Puts an edge into the inside: it sells little, and its multipliers balance that at `mu` (0: at the first one). */
function enter(point: Point, problem: Problem, { curves }: Graph, { e, mu, share, least }: Entry): void {
  const { supply, sold, tail, head, ref, price, edge } = problem;
  const refIn = ref[tail[e]!]!;
  const most = Math.min(curves.end[edge[e]!]! * refIn, MOST_TAKEN * supply);
  const lane = curves.at[edge[e]!]!;
  problem.lane[e] = lane;
  let x = Math.max(sold[e]! * refIn, least);
  let weight = FIRST_MU * supply;
  if (mu > 0) {
    const spot = (curves.lanes[lane + 2]! * ref[head[e]!]!) / refIn;
    const loss = price[tail[e]!]! - price[head[e]!]! * spot;
    weight = mu;
    x = Math.min(mu / Math.max(loss, 1e-4), share);
  }
  const bend = curves.lanes[lane + 3]!;
  x = Math.min(x, most / 2, (FIRST_FALL * refIn) / bend);
  point.x[e] = x;
  point.room[e] = most - x;
  point.low[e] = Math.min(weight / x, MOST_LOW);
  point.high[e] = Math.min(weight / point.room[e]!, MOST_LOW);
}

/** Keeps the point as it is for the next problem. */
function keep(point: Point, { edges, nodes, price, supply }: Problem, gap: number): void {
  const { inside } = point;
  inside.edges = edges;
  inside.nodes = nodes;
  point.mu = (gap * supply) / (2 * edges);
  for (const key of ["x", "room", "low", "high"] as const) {
    inside[key] = grown(inside[key], edges);
    inside[key].set(point[key].subarray(0, edges));
  }
  inside.price = grown(inside.price, nodes);
  inside.price.set(price.subarray(0, nodes));
}

/** Goes back to the point kept. @returns how many edges it has */
function restore(point: Point, { price }: Problem): number {
  const { inside } = point;
  for (const key of ["x", "room", "low", "high"] as const)
    point[key].set(inside[key].subarray(0, inside.edges));
  price.set(inside.price.subarray(0, inside.nodes));
  return inside.edges;
}

function readFlows({ x, low }: Point, { edges, tail, ref, sold, supply }: Problem): void {
  for (let e = 0; e < edges; e++) {
    sold[e] = x[e]! > NOTHING * low[e]! * supply ? x[e]! / ref[tail[e]!]! : 0;
  }
}
