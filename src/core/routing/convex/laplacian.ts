/**
 * The linear system of a Newton step. With weights w_e ≥ 0 of the edges it is L·Δ = -ν·(excess), where L is the
 * weighted graph Laplacian over the tokens that can move, and Δ the step of the logarithm of each price.
 *
 * L = U·D·Uᵀ, with U unit lower triangular, is factored sparsely, a row at a time, along the elimination tree. Most
 * tokens of a large problem have few edges, which lead to a few hubs, so tokens are eliminated in the order of their
 * number of edges, with little fill. O(edges + Σ fill²).
 * Reference: Davis, "Algorithm 849: A Concise Sparse Cholesky Factorization Package", ACM TOMS 31 (2005).
 */
import { growAll, grown } from "../../math/rows.ts";
import type { Problem } from "./problem.ts";

/** Working memory of `solveLaplacian`. */
export type Laplacian = {
  /** By token: its row, or `STANDS`; the number of its edges that respond to prices, and their total weight. */
  row: Int32Array;
  degree: Int32Array;
  own: Float64Array;
  /** By number of edges, the next free row for a token with as many (counting sort). */
  place: Int32Array;
  /** Number of rows; by row, the diagonal and the right-hand side. */
  size: number;
  stiff: Float64Array;
  rhs: Float64Array;
  /** By row, where its entries left of the diagonal begin; the columns and weights of these, one entry an edge. */
  start: Int32Array;
  tied: Int32Array;
  tie: Float64Array;
  /** By row: its parent in the elimination tree, the last row whose pattern contained it, and a stack for the pattern of one row. */
  parent: Int32Array;
  passed: Int32Array;
  path: Int32Array;
  /** The factor: by column its start and present length; rows and entries; pivots; and a dense row of working memory. */
  first: Int32Array;
  length: Int32Array;
  below: Int32Array;
  entry: Float64Array;
  pivot: Float64Array;
  work: Float64Array;
};

export function emptyLaplacian(): Laplacian {
  const whole = () => new Int32Array(32);
  const doubles = () => new Float64Array(32);
  return {
    ...{ row: whole(), degree: whole(), own: doubles(), place: new Int32Array(MANY + 2) },
    ...{ size: 0, stiff: doubles(), rhs: doubles() },
    ...{ start: whole(), tied: new Int32Array(64), tie: new Float64Array(64) },
    ...{ parent: whole(), passed: whole(), path: whole() },
    ...{ first: whole(), length: whole(), below: new Int32Array(128), entry: new Float64Array(128) },
    ...{ pivot: doubles(), work: doubles() },
  };
}

/** The weight of each edge, the inflow less outflow of each token, and the step to be computed. */
export type Forces = {
  readonly weight: Float64Array;
  readonly excess: Float64Array;
  readonly step: Float64Array;
};

/** Number of edges from which on tokens are not ordered any further. */
const MANY = 32;
/**
 * Weight that is added to the diagonal of every token, as a share of the supply. It is all of the diagonal if no edge
 * of the token responds to prices.
 */
const LEAST_WEIGHT = 1e-9;
/**
 * Least pivot, as a share of the diagonal weight. If almost straight edges connect tokens with each other and hardly anything
 * connects them with the rest, the pivot is a small difference of large doubles and may come out negative.
 */
const LEAST_PIVOT = 1e-14;
/** A token whose edges do not respond keeps its price if it is out of balance by less than this share of the supply. */
const STILL = 1e-12;

/** Row number of a token whose price is fixed. */
const STANDS = -1;

/** Solves for the Newton step over all tokens whose price can move; the price of the sink is fixed. Leaves it in `forces.step`. */
export function solveLaplacian(system: Laplacian, problem: Problem, forces: Forces): void {
  makeRoom(system, problem);
  countEdges(system, problem, forces);
  placeRows(system, problem);
  layEdges(system, problem, forces);
  layRows(system, problem, forces);
  analyse(system);
  factor(system);
  substitute(system);
  for (let n = 0; n < problem.nodes; n++) {
    const row = system.row[n]!;
    forces.step[n] = row === STANDS ? 0 : system.rhs[row]!;
  }
}

const ROWS = [
  ...(["row", "degree", "start", "parent", "passed", "path", "first", "length"] as const),
  ...(["own", "stiff", "rhs", "pivot", "work"] as const),
];

function makeRoom(system: Laplacian, { nodes, edges }: Problem): void {
  if (system.tie.length < edges) growAll(system, ["tied", "tie"], edges);
  if (system.start.length < nodes + 2) growAll(system, ROWS, nodes + 2);
}

/**
 * Counts the responding edges of each token, and one more for a token that is out of balance, so that it gets a row.
 */
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

/** Numbers the tokens whose price can move, those with few edges first. */
function placeRows(system: Laplacian, { nodes }: Problem): void {
  const { row, degree, place } = system;
  place.fill(0);
  for (let n = 0; n < nodes; n++) place[Math.min(MANY, degree[n]!) + 1]!++;
  place[1] = 0;
  for (let d = 1; d <= MANY; d++) place[d + 1]! += place[d]!;
  for (let n = 0; n < nodes; n++) row[n] = degree[n]! > 0 ? place[Math.min(MANY, degree[n]!)]!++ : STANDS;
  system.size = place[MANY]!;
}

/** Lists each edge with the later of its two rows, and sums the weights of each token. */
function layEdges(
  { row, own, start, tied, tie, size }: Laplacian,
  { edges, nodes, tail, head, supply }: Problem,
  { weight }: Forces,
): void {
  own.fill(LEAST_WEIGHT * supply, 0, nodes);
  start.fill(0, 0, size + 2);
  for (let e = 0; e < edges; e++) {
    if (weight[e] === 0) continue;
    own[tail[e]!]! += weight[e]!;
    own[head[e]!]! += weight[e]!;
    const a = row[tail[e]!]!;
    const b = row[head[e]!]!;
    if (a >= 0 && b >= 0) start[Math.max(a, b) + 2]!++;
  }
  for (let r = 2; r < size + 2; r++) start[r]! += start[r - 1]!;
  for (let e = 0; e < edges; e++) {
    const a = row[tail[e]!]!;
    const b = row[head[e]!]!;
    if (weight[e] === 0 || a < 0 || b < 0) continue;
    const at = start[Math.max(a, b) + 1]!++;
    tied[at] = Math.min(a, b);
    tie[at] = -weight[e]!;
  }
}

function layRows({ row, own, stiff, rhs }: Laplacian, { nodes, price }: Problem, { excess }: Forces): void {
  for (let n = 0; n < nodes; n++) {
    const r = row[n]!;
    if (r < 0) continue;
    rhs[r] = -price[n]! * excess[n]!;
    stiff[r] = own[n]!;
  }
}

/** Computes the elimination tree and the lengths of the factor's columns. */
function analyse(system: Laplacian): void {
  const { size, start, tied, parent, passed, length, first } = system;
  for (let k = 0; k < size; k++) {
    parent[k] = -1;
    passed[k] = k;
    length[k] = 0;
    for (let p = start[k]!; p < start[k + 1]!; p++) {
      for (let i = tied[p]!; passed[i] !== k; i = parent[i]!) {
        if (parent[i] === -1) parent[i] = k;
        length[i]!++;
        passed[i] = k;
      }
    }
  }
  first[0] = 0;
  for (let k = 0; k < size; k++) first[k + 1] = first[k]! + length[k]!;
  system.below = grown(system.below, first[size]!);
  system.entry = grown(system.entry, first[size]!);
}

/** Computes the factor row by row, each by a sparse triangular solve with those before it. */
function factor(system: Laplacian): void {
  const { size, stiff, first, length, below, entry, pivot, path, work } = system;
  for (let k = 0; k < size; k++) {
    let left = stiff[k]!;
    length[k] = 0;
    for (let at = gather(system, k); at < size; at++) {
      const i = path[at]!;
      const value = work[i]!;
      work[i] = 0;
      const end = first[i]! + length[i]!++;
      for (let p = first[i]!; p < end; p++) work[below[p]!]! -= entry[p]! * value;
      const share = value / pivot[i]!;
      left -= share * value;
      below[end] = k;
      entry[end] = share;
    }
    work[k] = 0;
    pivot[k] = Math.max(left, LEAST_PIVOT * stiff[k]!);
  }
}

/**
 * Scatters a row into `work`, and puts the pattern of its factor at the end of `path` in topological order.
 * @returns where the pattern begins
 */
function gather({ size, start, tied, tie, parent, passed, path, work }: Laplacian, k: number): number {
  let top = size;
  passed[k] = k;
  for (let p = start[k]!; p < start[k + 1]!; p++) {
    work[tied[p]!]! += tie[p]!;
    let many = 0;
    for (let i = tied[p]!; passed[i] !== k; i = parent[i]!) {
      path[many++] = i;
      passed[i] = k;
    }
    while (many > 0) path[--top] = path[--many]!;
  }
  return top;
}

/** Solves the factored system for `rhs`, in place. */
function substitute({ size, rhs, first, below, entry, pivot }: Laplacian): void {
  for (let k = 0; k < size; k++)
    for (let p = first[k]!; p < first[k + 1]!; p++) rhs[below[p]!]! -= entry[p]! * rhs[k]!;
  for (let k = size - 1; k >= 0; k--) {
    let solved = rhs[k]! / pivot[k]!;
    for (let p = first[k]!; p < first[k + 1]!; p++) solved -= entry[p]! * rhs[below[p]!]!;
    rhs[k] = solved;
  }
}
