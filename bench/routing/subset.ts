import { type Response, respond, type Segments } from "./segments.ts";

/** A few edges between nodes 0 … nodes-1; 0 sells `amount`, 1 is bought. */
export type SmallProblem = {
  readonly nodes: number;
  readonly amount: number;
  readonly edges: readonly { readonly tail: number; readonly head: number; readonly curve: Segments }[];
  /** Starting prices in units of the token bought. */
  readonly prices: readonly number[];
};

export type Solved = {
  /** What the edges deliver at the optimum, by strong duality. */
  readonly value: number;
  /** What is sold to each edge. */
  readonly sold: readonly number[];
};

const STEPS = 60;
const GAP = 1e-10;

/**
 * The convex optimum over the edges of `mask`: Newton's method on the dual in the logarithms of the prices, with a
 * ridge and a line search. Few nodes, so the matrix is dense.
 */
export function solveSubset(problem: SmallProblem, mask: number): Solved {
  const { nodes, prices } = problem;
  const used = problem.edges.flatMap((_, e) => (mask & (1 << e) ? [e] : []));
  const log = prices.map(Math.log);
  const state = newState(problem);
  let value = evaluate(problem, used, log, state);
  let ridge = 1e-9;
  for (let step = 0; step < STEPS && state.imbalance > GAP * value; step++) {
    const move = direction(state, nodes, ridge * value);
    let taken = false;
    for (let share = 1; share > 1e-3 && !taken; share /= 3) {
      const trial = log.map((l, n) => (n === 1 ? 0 : l + Math.max(-2, Math.min(2, share * (move[n] ?? 0)))));
      const next = evaluate(problem, used, trial, state);
      if (next <= value * (1 + 1e-15)) {
        taken = next < value * (1 - 1e-15) || state.imbalance <= GAP * value;
        value = next;
        for (let n = 0; n < nodes; n++) log[n] = trial[n]!;
        if (!taken) share = 0;
      }
    }
    ridge = taken ? Math.max(ridge / 10, 1e-12) : ridge * 100;
    evaluate(problem, used, log, state);
    if (ridge > 1e3) break;
  }
  const sold = problem.edges.map(() => 0);
  for (const e of used) sold[e] = state.sold[e]!;
  return { value, sold };
}

type State = {
  /** Worth that flows into each node less what flows out. */
  readonly excess: Float64Array;
  readonly matrix: Float64Array;
  readonly sold: Float64Array;
  readonly response: Response;
  imbalance: number;
};

function newState({ nodes, edges }: SmallProblem): State {
  return {
    excess: new Float64Array(nodes),
    matrix: new Float64Array(nodes * nodes),
    sold: new Float64Array(edges.length),
    response: { sold: 0, bought: 0, feel: 0 },
    imbalance: 0,
  };
}

/** The dual value; leaves gradient and matrix, both in worth, in the state. */
function evaluate(
  { nodes, amount, edges }: SmallProblem,
  used: readonly number[],
  log: readonly number[],
  state: State,
): number {
  const { excess, matrix, sold, response } = state;
  excess.fill(0);
  matrix.fill(0);
  const supply = Math.exp(log[0]!) * amount;
  excess[0] = supply;
  matrix[0] = supply;
  let value = supply;
  for (const e of used) {
    const { tail, head, curve } = edges[e]!;
    const cost = Math.exp(log[tail]!);
    const worth = Math.exp(log[head]!);
    respond(curve, cost / worth, response);
    sold[e] = response.sold;
    const [given, taken, feel] = [response.sold * cost, response.bought * worth, response.feel * cost];
    value += taken - given;
    excess[tail]! -= given;
    excess[head]! += taken;
    matrix[tail * nodes + tail]! += feel - given;
    matrix[head * nodes + head]! += feel + taken;
    matrix[tail * nodes + head]! -= feel;
    matrix[head * nodes + tail]! -= feel;
  }
  state.imbalance = 0;
  for (let n = 0; n < nodes; n++) if (n !== 1) state.imbalance += Math.abs(excess[n]!);
  return value;
}

/** Solves (matrix + ridge)·move = -excess by Cholesky without the node bought, whose price is 1. */
function direction({ excess, matrix }: State, nodes: number, ridge: number): number[] {
  const free = Array.from({ length: nodes }, (_, n) => n).filter((n) => n !== 1);
  const size = free.length;
  const lower = new Float64Array(size * size);
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) {
      const isDiagonal = r === c;
      const own = matrix[free[r]! * nodes + free[c]!]!;
      let sum = isDiagonal ? Math.max(own - excess[free[r]!]!, 0) + Math.abs(excess[free[r]!]!) + ridge : own;
      for (let k = 0; k < c; k++) sum -= lower[r * size + k]! * lower[c * size + k]!;
      lower[r * size + c] = isDiagonal ? Math.sqrt(Math.max(sum, ridge * 1e-3)) : sum / lower[c * size + c]!;
    }
  }
  const move = free.map((n) => -excess[n]!);
  for (let r = 0; r < size; r++) {
    for (let k = 0; k < r; k++) move[r]! -= lower[r * size + k]! * move[k]!;
    move[r]! /= lower[r * size + r]!;
  }
  for (let r = size - 1; r >= 0; r--) {
    for (let k = r + 1; k < size; k++) move[r]! -= lower[k * size + r]! * move[k]!;
    move[r]! /= lower[r * size + r]!;
  }
  const all = new Array<number>(nodes).fill(0);
  free.forEach((n, r) => {
    all[n] = move[r]!;
  });
  return all;
}
