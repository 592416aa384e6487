import { grown } from "../../math/rows.ts";
import type { Problem } from "./problem.ts";

/**
 * The Hessian of a problem as a symmetric matrix whose rows are stored from their first entry to the diagonal.
 * Nodes with few neighbours come first and hubs last, so that rows stay short. The sink is left out: its price is 1.
 */
export type Skyline = {
  size: number;
  /** Row of each node; -1 for the sink. */
  row: Int32Array;
  /** First column of each row, and where it is stored. */
  first: Int32Array;
  offset: Int32Array;
  cells: Float64Array;
  pivot: Float64Array;
  /** Where each edge of the problem adds its weight: at its ends, and between; -1 for what the sink has part in. */
  tailCell: Int32Array;
  headCell: Int32Array;
  cell: Int32Array;
  /** The answer by row, the prices before the step, and the step by node. */
  solved: Float64Array;
  base: Float64Array;
  step: Float64Array;
};

export function emptySkyline(): Skyline {
  return {
    size: 0,
    row: new Int32Array(64),
    first: new Int32Array(64),
    offset: new Int32Array(64),
    cells: new Float64Array(1024),
    pivot: new Float64Array(64),
    tailCell: new Int32Array(256),
    headCell: new Int32Array(256),
    cell: new Int32Array(256),
    base: new Float64Array(64),
    solved: new Float64Array(64),
    step: new Float64Array(64),
  };
}

/** Lays the matrix out for the edges of a problem. */
export function layMatrix(matrix: Skyline, problem: Problem): void {
  const { nodes, edges, tail, head } = problem;
  matrix.row = grown(matrix.row, nodes);
  matrix.first = grown(matrix.first, nodes);
  matrix.offset = grown(matrix.offset, nodes + 1);
  matrix.pivot = grown(matrix.pivot, nodes);
  matrix.solved = grown(matrix.solved, nodes);
  matrix.step = grown(matrix.step, nodes);
  orderNodes(matrix, problem);
  const { row, first, offset } = matrix;
  for (let r = 0; r < matrix.size; r++) first[r] = r;
  for (let e = 0; e < edges; e++) {
    const a = row[tail[e]!]!;
    const b = row[head[e]!]!;
    if (a < 0 || b < 0) continue;
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    if (low < first[high]!) first[high] = low;
  }
  let cells = 0;
  for (let r = 0; r < matrix.size; r++) {
    offset[r] = cells - first[r]!;
    cells += r - first[r]! + 1;
  }
  matrix.cells = grown(matrix.cells, cells);
  offset[matrix.size] = cells;
  placeWeights(matrix, problem);
}

function placeWeights(matrix: Skyline, { edges, tail, head }: Problem): void {
  for (const key of ["cell", "tailCell", "headCell"] as const) matrix[key] = grown(matrix[key], edges);
  const { row, offset, cell, tailCell, headCell } = matrix;
  for (let e = 0; e < edges; e++) {
    const a = row[tail[e]!]!;
    const b = row[head[e]!]!;
    tailCell[e] = a < 0 ? -1 : offset[a]! + a;
    headCell[e] = b < 0 ? -1 : offset[b]! + b;
    cell[e] = a < 0 || b < 0 ? -1 : offset[Math.max(a, b)]! + Math.min(a, b);
  }
}

/** Nodes by the number of their edges: few first. */
function orderNodes(matrix: Skyline, { nodes, edges, tail, head, sink }: Problem): void {
  const degree = new Int32Array(nodes);
  for (let e = 0; e < edges; e++) {
    degree[tail[e]!]!++;
    degree[head[e]!]!++;
  }
  const order = Array.from({ length: nodes }, (_, n) => n).filter((n) => n !== sink);
  order.sort((a, b) => degree[a]! - degree[b]! || a - b);
  matrix.row[sink] = -1;
  for (let r = 0; r < order.length; r++) matrix.row[order[r]!] = r;
  matrix.size = order.length;
}

/** Empties the matrix. */
export function clearMatrix({ size, offset, cells }: Skyline): void {
  cells.fill(0, 0, offset[size]!);
}

/**
 * Adds ease·(slope·head - tail)(slope·head - tail)ᵀ for every edge of the problem.
 *
 * @param ease  by edge, > 0
 * @param slope by edge: units of the head's value for one of the tail's
 */
export function addWeights(
  { size, offset, cells, cell, tailCell, headCell }: Skyline,
  { edges }: Problem,
  ease: Float64Array,
  slope: Float64Array,
): void {
  for (let e = 0; e < edges; e++) {
    const w = ease[e]!;
    const s = slope[e]!;
    if (tailCell[e]! >= 0) cells[tailCell[e]!]! += w;
    if (headCell[e]! >= 0) cells[headCell[e]!]! += w * s * s;
    if (cell[e]! >= 0) cells[cell[e]!]! -= w * s;
  }
  for (let r = 0; r < size; r++) {
    const diagonal = cells[offset[r]! + r]!;
    cells[offset[r]! + r] = diagonal > 0 ? diagonal * (1 + 1e-14) : 1;
  }
}

/** L·D·Lᵀ in place: the lower cells become L, `pivot` becomes D. */
export function factor({ size, first, offset, cells, pivot }: Skyline): void {
  for (let r = 0; r < size; r++) {
    const own = offset[r]!;
    const start = first[r]!;
    for (let c = start; c < r; c++) {
      const other = offset[c]!;
      let sum = cells[own + c]!;
      for (let k = Math.max(start, first[c]!); k < c; k++) sum -= cells[own + k]! * cells[other + k]!;
      cells[own + c] = sum;
    }
    let diagonal = cells[own + r]!;
    const floor = diagonal * 1e-14;
    for (let c = start; c < r; c++) {
      const scaled = cells[own + c]! / pivot[c]!;
      diagonal -= scaled * cells[own + c]!;
      cells[own + c] = scaled;
    }
    pivot[r] = diagonal > floor ? diagonal : floor;
  }
}

/** Solves the factored system for `rhs` by node into `answer` by node; 0 for the sink. */
export function solveMatrix(matrix: Skyline, rhs: Float64Array, answer: Float64Array, nodes: number): void {
  const { size, row, solved, pivot } = matrix;
  for (let n = 0; n < nodes; n++) if (row[n]! >= 0) solved[row[n]!] = rhs[n]!;
  forward(matrix);
  for (let r = 0; r < size; r++) solved[r]! /= pivot[r]!;
  backward(matrix);
  for (let n = 0; n < nodes; n++) answer[n] = row[n]! < 0 ? 0 : solved[row[n]!]!;
}

function forward({ size, first, offset, cells, solved }: Skyline): void {
  for (let r = 0; r < size; r++) {
    let sum = solved[r]!;
    for (let c = first[r]!; c < r; c++) sum -= cells[offset[r]! + c]! * solved[c]!;
    solved[r] = sum;
  }
}

function backward({ size, first, offset, cells, solved }: Skyline): void {
  for (let r = size - 1; r >= 0; r--) {
    for (let c = first[r]!; c < r; c++) solved[c]! -= cells[offset[r]! + c]! * solved[r]!;
  }
}
