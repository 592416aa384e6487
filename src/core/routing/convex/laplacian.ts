import { grown } from "../../math/rows.ts";
import type { Problem } from "./problem.ts";

/** Working memory of `solveLaplacian`. */
export type Laplacian = {
  /** By token: its row, or `STANDS` or `ALONE`; the edges that give way around it, and the weight of these. */
  row: Int32Array;
  degree: Int32Array;
  own: Float64Array;
  /** By token without a row: where the list of what it is tied to begins and ends; the rows on it and the weights. */
  from: Int32Array;
  upTo: Int32Array;
  reach: Int32Array;
  tie: Float64Array;
  /** By number of edges, the next row for a token of so many. */
  place: Int32Array;
  /** The lower half of the system, row by row; their number, first columns, weights at first, and the right-hand side. */
  matrix: Float64Array;
  size: number;
  first: Int32Array;
  stiff: Float64Array;
  rhs: Float64Array;
};

export function emptyLaplacian(): Laplacian {
  return {
    row: new Int32Array(32),
    degree: new Int32Array(32),
    own: new Float64Array(32),
    from: new Int32Array(32),
    upTo: new Int32Array(32),
    reach: new Int32Array(64),
    tie: new Float64Array(64),
    place: new Int32Array(MANY + 2),
    matrix: new Float64Array(1024),
    size: 0,
    first: new Int32Array(32),
    stiff: new Float64Array(32),
    rhs: new Float64Array(32),
  };
}

/** By edge the weight, by token what flows in less what flows out, and the step to be worked out. */
export type Forces = {
  readonly weight: Float64Array;
  readonly excess: Float64Array;
  readonly step: Float64Array;
};

/** Edges of a token from which on it does not matter how many there are. */
const MANY = 128;
/** Weight of a token whose edges all stand still, as a share of the supply. */
const LEAST_WEIGHT = 1e-9;
/**
 * Share of itself that elimination leaves of a token's weight at least. Where almost straight edges tie tokens together and
 * little ties them to others, what is left is a difference of doubles, and may be less than nothing.
 */
const LEAST_PIVOT = 1e-14;
/** A token that is out of balance by less than this share of the supply, and has no edge that gives way, stays as it is. */
const STILL = 1e-12;
/** Edges that a token may have to be eliminated by itself: what that costs grows with their square. */
const FEW = 16;
/** Tokens of a problem up to which none is. */
const SMALL = 48;

/** Rows of tokens that do not move, and of tokens that are eliminated by themselves. */
const STANDS = -1;
const ALONE = -2;

/**
 * Solves the Laplacian of the weights for the Newton step, over the tokens that can move; the sink's price stands. Most tokens
 * of a large problem have few edges, and these lead to a few hubs: they are eliminated one by one, and what is left is small.
 *
 * Leaves the step of the logarithm of each price in `forces.step`.
 */
export function solveLaplacian(system: Laplacian, problem: Problem, forces: Forces): void {
  makeRoom(system, problem);
  countEdges(system, problem, forces);
  setApart(system, problem, forces);
  placeRows(system, problem);
  layEdges(system, problem, forces);
  layRows(system, problem, forces);
  eliminate(system, problem, forces);
  factor(system);
  substitute(system);
  readSteps(system, problem, forces);
}

function makeRoom(system: Laplacian, { nodes, edges }: Problem): void {
  for (const key of ["row", "degree", "from", "upTo", "first"] as const)
    system[key] = grown(system[key], nodes);
  for (const key of ["own", "stiff", "rhs"] as const) system[key] = grown(system[key], nodes);
  system.reach = grown(system.reach, edges + nodes);
  system.tie = grown(system.tie, edges + nodes);
}

/** Counts the edges that give way around each token, one at least for a token that is out of balance. */
function countEdges(
  { degree }: Laplacian,
  { nodes, edges, tail, head, supply, sink }: Problem,
  { weight, excess }: Forces,
): void {
  for (let n = 0; n < nodes; n++) degree[n] = Math.abs(excess[n]!) > STILL * supply ? 1 : 0;
  for (let e = 0; e < edges; e++) {
    if (weight[e] === 0) continue;
    degree[tail[e]!]!++;
    degree[head[e]!]!++;
  }
  degree[sink] = 0;
}

/** Marks the tokens of few edges, of two that an edge joins the first only. */
function setApart(
  { degree, row }: Laplacian,
  { nodes, edges, tail, head }: Problem,
  { weight }: Forces,
): void {
  row.fill(STANDS, 0, nodes);
  if (nodes < SMALL) return;
  for (let n = 0; n < nodes; n++) if (degree[n]! > 0 && degree[n]! <= FEW) row[n] = ALONE;
  for (let e = 0; e < edges; e++) {
    if (weight[e] === 0) continue;
    const u = tail[e]!;
    const v = head[e]!;
    if (row[u] === ALONE && row[v] === ALONE) row[Math.max(u, v)] = STANDS;
  }
}

/**
 * Gives a row to each token that moves and is not eliminated by itself: those of few edges first, so that most of what is
 * left of the diagonal is empty; and room for its ties to each that is.
 */
function placeRows(system: Laplacian, { nodes }: Problem): void {
  const { row, degree, place, from, upTo } = system;
  place.fill(0);
  let ties = 0;
  for (let n = 0; n < nodes; n++) {
    from[n] = upTo[n] = ties;
    if (row[n] === ALONE) ties += degree[n]!;
    else place[Math.min(MANY, degree[n]!) + 1]!++;
  }
  place[1] = 0;
  for (let d = 1; d <= MANY; d++) place[d + 1]! += place[d]!;
  for (let n = 0; n < nodes; n++) {
    if (row[n] !== ALONE && degree[n]! > 0) row[n] = place[Math.min(MANY, degree[n]!)]!++;
  }
  system.size = place[MANY]!;
  system.matrix = grown(system.matrix, system.size ** 2);
  system.matrix.fill(0, 0, system.size ** 2);
  for (let r = 0; r < system.size; r++) system.first[r] = r;
}

/** Ties rows to each other, and tokens without one to rows. */
function layEdges(
  system: Laplacian,
  { edges, nodes, tail, head, supply }: Problem,
  { weight }: Forces,
): void {
  const { row, own } = system;
  own.fill(LEAST_WEIGHT * supply, 0, nodes);
  for (let e = 0; e < edges; e++) {
    const w = weight[e]!;
    if (w === 0) continue;
    const u = tail[e]!;
    const v = head[e]!;
    own[u]! += w;
    own[v]! += w;
    const a = row[u]!;
    const b = row[v]!;
    if (a === ALONE) tieTo(system, u, b, w);
    else if (b === ALONE) tieTo(system, v, a, w);
    else if (a >= 0 && b >= 0) add(system, a, b, -w);
  }
}

/** Ties a token without a row to one that may have one. */
function tieTo({ reach, tie, upTo }: Laplacian, n: number, to: number, weight: number): void {
  if (to < 0) return;
  const at = upTo[n]!++;
  reach[at] = to;
  tie[at] = weight;
}

function add({ matrix, first, size }: Laplacian, a: number, b: number, weight: number): void {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  matrix[high * size + low]! += weight;
  if (low < first[high]!) first[high] = low;
}

function layRows(system: Laplacian, { nodes, price }: Problem, { excess }: Forces): void {
  const { row, own, stiff, rhs, matrix, size } = system;
  for (let n = 0; n < nodes; n++) {
    const r = row[n]!;
    if (r < 0) continue;
    rhs[r] = -price[n]! * excess[n]!;
    stiff[r] = own[n]!;
    matrix[r * size + r]! += own[n]!;
  }
}

/** Takes tokens without a row out of the system: what they are tied to is tied to each other by them. */
function eliminate(system: Laplacian, { nodes, price }: Problem, { excess }: Forces): void {
  const { row, own } = system;
  for (let n = 0; n < nodes; n++)
    if (row[n] === ALONE) tieEachOther(system, n, (-price[n]! * excess[n]!) / own[n]!);
}

/** @param pull step of the token by itself */
function tieEachOther(system: Laplacian, n: number, pull: number): void {
  const { rhs, own, from, upTo, reach, tie } = system;
  for (let i = from[n]!; i < upTo[n]!; i++) {
    const a = reach[i]!;
    const share = tie[i]! / own[n]!;
    rhs[a]! += tie[i]! * pull;
    // Of what it is tied to twice, either way round is a part of the weight.
    for (let j = from[n]!; j < upTo[n]!; j++) if (reach[j]! <= a) add(system, a, reach[j]!, -share * tie[j]!);
  }
}

/** Cholesky's factor of the system, in place; rows begin at `first`. */
function factor({ matrix, first, stiff, size }: Laplacian): void {
  for (let i = 0; i < size; i++) {
    const own = i * size;
    const start = first[i]!;
    const least = LEAST_PIVOT * stiff[i]!;
    for (let j = start; j <= i; j++) {
      const other = j * size;
      let sum = matrix[own + j]!;
      for (let k = Math.max(start, first[j]!); k < j; k++) sum -= matrix[own + k]! * matrix[other + k]!;
      matrix[own + j] = i === j ? Math.sqrt(Math.max(sum, least)) : sum / matrix[other + j]!;
    }
  }
}

/** Solves the factored system for `rhs`, in place. */
function substitute({ matrix, rhs, first, size }: Laplacian): void {
  for (let i = 0; i < size; i++) {
    let sum = rhs[i]!;
    for (let k = first[i]!; k < i; k++) sum -= matrix[i * size + k]! * rhs[k]!;
    rhs[i] = sum / matrix[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    const solved = rhs[i]! / matrix[i * size + i]!;
    rhs[i] = solved;
    for (let k = first[i]!; k < i; k++) rhs[k]! -= matrix[i * size + k]! * solved;
  }
}

/** The step of every token, from those that have a row. */
function readSteps(system: Laplacian, { nodes, price }: Problem, { excess, step }: Forces): void {
  const { rhs, row, own, from, upTo, reach, tie } = system;
  for (let n = 0; n < nodes; n++) {
    if (row[n] === ALONE) {
      let pull = -price[n]! * excess[n]!;
      for (let i = from[n]!; i < upTo[n]!; i++) pull += tie[i]! * rhs[reach[i]!]!;
      step[n] = pull / own[n]!;
    } else step[n] = row[n] === STANDS ? 0 : rhs[row[n]!]!;
  }
}
