import { growAll } from "../../../math/rows.ts";
import { emptyResponse, respondAt } from "../../curves/response.ts";
import { spotSlope } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import type { DualProblem } from "./problem.ts";

/**
 * The bound as a smooth function of prices, with its derivatives.
 *
 * In: prices ν of the variables, an order that sells A of token i, costs θ_e of a crossing, at most K crossings, and a
 * smoothing μ. Out: value, gradient and Hessian, in relative changes of the prices, of
 *
 *   D_μ(ν) = ν_i·A + min over s ≥ 0 of  Σ_e μ·ln(1 + exp((E_e(ν) - θ_e - s)/μ)) + K·s
 *
 * D_μ is convex, exceeds the bound over these edges by at most μ·ln 2 per edge, and converges to it as μ falls to 0, but
 * for the loss along a path (`market-graph/least-path.ts`), which is left out.
 * E_e is homogeneous of degree 1 in the two prices of an edge, so that its Hessian in relative changes is k·(1, -1)(1,
 * -1)ᵀ with k = ν_tail·|dx/d ln p|. The smoothing adds an outer product of the gradient of E_e; eliminating s, the
 * price of a crossing, subtracts its Schur complement term. O(edges + variables²).
 */
export type DualTerms = {
  readonly amount: number;
  /** Place of the token sold among the variables. */
  readonly from: number;
  /** K: the largest number of crossings. */
  readonly most: number;
};

/** The argument of D_μ: a price for each variable, and μ in units of the token bought. */
export type DualArgument = { readonly price: ArrayLike<number>; readonly mu: number };

export type DualValue = {
  readonly value: number;
  /** s: the shadow price of a crossing, beyond its gas. */
  readonly shadow: number;
};

export type DualSlopes = {
  readonly gradient: Float64Array;
  /** In row-major order. */
  readonly hessian: Float64Array;
};

/**
 * Of each edge that earns: its place among the problem's edges, the values sold to it and bought from it at their
 * optimum, the coefficient k of its Hessian (`stiff`), and its earning less its cost (`left`); values in units of the
 * token bought.
 */
type Earning = {
  count: number;
  index: Int32Array;
  sold: Float64Array;
  bought: Float64Array;
  stiff: Float64Array;
  left: Float64Array;
};

const response = emptyResponse();

/**
 * Overwritten by each evaluation and read only by `dualSlopes` for the last one. It is allocated once, as a Newton step
 * evaluates some thousand edges several times.
 */
const earning: Earning = {
  count: 0,
  index: new Int32Array(256),
  sold: new Float64Array(256),
  bought: new Float64Array(256),
  stiff: new Float64Array(256),
  left: new Float64Array(256),
};

/** Evaluates all edges at given prices; O(edges · segments). */
function earningAt({ curves }: Graph, { edges }: DualProblem, price: ArrayLike<number>): Earning {
  growAll(earning, ["index", "sold", "bought", "stiff", "left"], edges.length);
  earning.count = 0;
  for (let e = 0; e < edges.length; e++) {
    const { edge, tail, head, tailScale, headScale, cost } = edges[e]!;
    const paid = price[tail]! * tailScale;
    const worth = price[head]! * headScale;
    if (!(spotSlope(curves, edge) * worth > paid)) continue;
    respondAt(curves, edge, paid / worth, response);
    if (!(response.sold > 0)) continue;
    const k = earning.count++;
    earning.index[k] = e;
    earning.sold[k] = paid * response.sold;
    earning.bought[k] = worth * response.bought;
    earning.stiff[k] = paid * response.bend;
    earning.left[k] = earning.bought[k]! - earning.sold[k]! - cost;
  }
  return earning;
}

/** D_μ and the s that attains it, without derivatives. */
export function dualValue(graph: Graph, problem: DualProblem, terms: DualTerms, at: DualArgument): DualValue {
  const earned = earningAt(graph, problem, at.price);
  const shadow = shadowPrice(earned, terms, at.mu);
  return { value: valueAt(earned, terms, { ...at, shadow }), shadow };
}

function valueAt(
  { count, left }: Earning,
  { amount, from, most }: DualTerms,
  { price, mu, shadow }: DualArgument & { readonly shadow: number },
): number {
  let value = price[from]! * amount;
  if (shadow > 0) value += shadow * most;
  for (let k = 0; k < count; k++) value += softPlus((left[k]! - shadow) / mu) * mu;
  return value;
}

/** exp(-36) is about the relative precision of doubles: further from 0 both functions below equal their limits. */
const FAR = 36;

function softPlus(t: number): number {
  return t > FAR ? t : t < -FAR ? 0 : Math.log1p(Math.exp(t));
}

function sigmoid(t: number): number {
  return t > FAR ? 1 : t < -FAR ? 0 : 1 / (1 + Math.exp(-t));
}

/** Cap on the number of iterations for s. */
const STEPS = 60;
/** Tolerance of s, as a share of μ. */
const NEAR = 1e-3;

/**
 * The s that attains the minimum: 0 where at most K crossings pay, otherwise that at which K do, their number smoothed by
 * μ. Newton's method on a decreasing function, safeguarded by bisection of a bracket.
 */
function shadowPrice(earned: Earning, { most }: DualTerms, mu: number): number {
  const { count, left } = earned;
  if (crossingsAt(earned, 0, mu).count <= most) return 0;
  let low = 0;
  let high = 0;
  for (let k = 0; k < count; k++) high = Math.max(high, left[k]! + FAR * mu);
  let s = high / 2;
  for (let k = 0; k < STEPS && high - low > NEAR * mu; k++) {
    const paying = crossingsAt(earned, s, mu);
    if (paying.count > most) low = s;
    else high = s;
    const next = s + (paying.count - most) / paying.slope;
    const isInside = next > low && next < high;
    if (isInside && Math.abs(next - s) < NEAR * mu) return next;
    s = isInside ? next : (low + high) / 2;
  }
  return s;
}

/** The smoothed number of crossings that pay where each costs s more, and the rate at which it falls with s. */
function crossingsAt(
  { count, left }: Earning,
  s: number,
  mu: number,
): { readonly count: number; readonly slope: number } {
  let sum = 0;
  let slope = 0;
  for (let k = 0; k < count; k++) {
    const weight = sigmoid((left[k]! - s) / mu);
    sum += weight;
    slope += (weight * (1 - weight)) / mu;
  }
  return { count: sum, slope };
}

/**
 * Gradient and Hessian of D_μ at the point of the last evaluation. The responses of the edges, which are most of the
 * work, are reused from it, so `at` must be that point. O(edges + variables²).
 *
 * @param at the prices and μ of the last evaluation, and the s that it returned
 */
export function dualSlopes(
  problem: DualProblem,
  terms: DualTerms,
  at: DualArgument & { readonly shadow: number },
): DualSlopes {
  const n = problem.nodes.length;
  const earned = earning;
  const { shadow } = at;
  const gradient = new Float64Array(n);
  const coupled = new Float64Array(n);
  const hessian = new Float64Array(n * n);
  gradient[terms.from]! += at.price[terms.from]! * terms.amount;
  let coupling = 0;
  for (let k = 0; k < earned.count; k++) {
    const { tail, head } = problem.edges[earned.index[k]!]!;
    const weight = sigmoid((earned.left[k]! - shadow) / at.mu);
    const sold = earned.sold[k]!;
    const bought = earned.bought[k]!;
    const slope = (weight * (1 - weight)) / at.mu;
    const stiff = weight * earned.stiff[k]!;
    gradient[tail]! -= weight * sold;
    gradient[head]! += weight * bought;
    hessian[tail * n + tail]! += stiff + slope * sold * sold;
    hessian[head * n + head]! += stiff + slope * bought * bought;
    hessian[tail * n + head]! -= stiff + slope * sold * bought;
    hessian[head * n + tail]! -= stiff + slope * sold * bought;
    coupled[tail]! -= slope * sold;
    coupled[head]! += slope * bought;
    coupling += slope;
  }
  if (shadow > 0 && coupling > 0) takeOuter(hessian, coupled, coupling);
  return { gradient, hessian };
}

/** Replaces H by H - ccᵀ/w. */
function takeOuter(hessian: Float64Array, coupled: Float64Array, weight: number): void {
  const n = coupled.length;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n && coupled[i] !== 0; j++)
      hessian[i * n + j]! -= (coupled[i]! * coupled[j]!) / weight;
}
