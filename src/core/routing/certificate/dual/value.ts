import { grown } from "../../../math/rows.ts";
import { type BentResponse, conjugateAt } from "../../curves/response.ts";
import { spotSlope } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import type { DualProblem } from "./problem.ts";

/**
 * The bound as a smooth function of prices, with its derivatives.
 *
 * In: prices ν of the variables, an order that sells A of token i, costs θ_e, d … K crossings, and a smoothing μ. Out: value,
 * gradient and Hessian, in relative changes of the prices, of
 *
 *   D_μ(ν) = ν_i·A + min over s ≥ -θ of  Σ_e μ·ln(1 + exp((E_e(ν) - θ_e - s)/μ)) + (s > 0 ? K·s : d·s)
 *
 * It is convex, lies above the bound over these edges by at most μ·ln 2 for each, and goes to it with μ. E_e is homogeneous in the two
 * prices of an edge, so that its Hessian is k·(1, -1)(1, -1)ᵀ with k = ν_tail·|dx/d ln p|; the smoothing adds a product of
 * gradients, and the choice of s takes from it what Schur's complement says. O(edges + variables²).
 */
export type DualTerms = {
  readonly amount: number;
  /** Place of the token sold. */
  readonly from: number;
  /** d and K. */
  readonly fewest: number;
  readonly most: number;
  /** Least gas of any crossing, in units of the token bought. */
  readonly leastCost: number;
};

/** Where the function is asked. */
export type DualArgument = { readonly price: ArrayLike<number>; readonly mu: number };

export type DualValue = {
  readonly value: number;
  /** s: the price of a crossing beyond its gas. */
  readonly shadow: number;
};

export type DualSlopes = {
  readonly gradient: Float64Array;
  /** Row by row. */
  readonly hessian: Float64Array;
};

/** The edges that earn: place, value that goes into the pool and comes out of it, stiffness, and earning less cost. */
type Earning = {
  count: number;
  index: Int32Array;
  sold: Float64Array;
  bought: Float64Array;
  stiff: Float64Array;
  left: Float64Array;
};

const response: BentResponse = { sold: 0, bought: 0, bend: 0 };

/** Written anew by every evaluation, read by its derivatives alone: a step evaluates some thousand edges several times. */
const earning: Earning = {
  count: 0,
  index: new Int32Array(256),
  sold: new Float64Array(256),
  bought: new Float64Array(256),
  stiff: new Float64Array(256),
  left: new Float64Array(256),
};

function earningAt({ curves }: Graph, { edges }: DualProblem, price: ArrayLike<number>): Earning {
  earning.index = grown(earning.index, edges.length);
  for (const key of ["sold", "bought", "stiff", "left"] as const)
    earning[key] = grown(earning[key], edges.length);
  earning.count = 0;
  for (let e = 0; e < edges.length; e++) {
    const { edge, tail, head, tailScale, headScale, cost } = edges[e]!;
    const [paid, worth] = [price[tail]! * tailScale, price[head]! * headScale];
    if (!(spotSlope(curves, edge) * worth > paid)) continue;
    conjugateAt(curves, edge, paid / worth, response);
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

/** The value without derivatives. */
export function dualValue(graph: Graph, problem: DualProblem, terms: DualTerms, at: DualArgument): DualValue {
  const earned = earningAt(graph, problem, at.price);
  const shadow = shadowPrice(earned, terms, at.mu);
  return { value: valueAt(earned, terms, { ...at, shadow }), shadow };
}

function valueAt(
  { count, left }: Earning,
  { amount, from, fewest, most }: DualTerms,
  { price, mu, shadow }: DualArgument & { readonly shadow: number },
): number {
  let value = price[from]! * amount;
  if (shadow !== 0) value += shadow * (shadow > 0 ? most : fewest);
  for (let k = 0; k < count; k++) value += softPlus((left[k]! - shadow) / mu) * mu;
  return value;
}

/** Beyond it e to the power of minus that is nothing beside 1 in doubles. */
const FAR = 36;

function softPlus(t: number): number {
  return t > FAR ? t : t < -FAR ? 0 : Math.log1p(Math.exp(t));
}

function sigmoid(t: number): number {
  return t > FAR ? 1 : t < -FAR ? 0 : 1 / (1 + Math.exp(-t));
}

const STEPS = 60;
/** How near s is found, as a share of μ. */
const NEAR = 1e-3;

/** s: 0 where between d and K crossings pay, above 0 where more would, below 0 where fewer do. */
function shadowPrice(earned: Earning, { fewest, most, leastCost }: DualTerms, mu: number): number {
  const { count, left } = earned;
  const now = crossingsAt(earned, 0, mu).count;
  let [low, high, wanted] = [0, 0, most];
  if (now > most) for (let k = 0; k < count; k++) high = Math.max(high, left[k]! + FAR * mu);
  else if (now < fewest) [low, wanted] = [-leastCost, fewest];
  if (low < 0 && crossingsAt(earned, low, mu).count < fewest) return low;
  return priceOf(earned, { low, high, wanted }, mu);
}

/** Where as many crossings pay as are wanted: Newton's method on a falling function, kept between two places that enclose it. */
function priceOf(
  earned: Earning,
  between: { readonly low: number; readonly high: number; readonly wanted: number },
  mu: number,
): number {
  let { low, high } = between;
  let s = (low + high) / 2;
  for (let k = 0; k < STEPS && high - low > NEAR * mu; k++) {
    const paying = crossingsAt(earned, s, mu);
    if (paying.count > between.wanted) low = s;
    else high = s;
    const next = s + (paying.count - between.wanted) / paying.slope;
    const isInside = next > low && next < high;
    if (isInside && Math.abs(next - s) < NEAR * mu) return next;
    s = isInside ? next : (low + high) / 2;
  }
  return s;
}

/** How many crossings pay where each costs s more, and how fast they fall with s. */
function crossingsAt(
  { count, left }: Earning,
  s: number,
  mu: number,
): { readonly count: number; readonly slope: number } {
  let [sum, slope] = [0, 0];
  for (let k = 0; k < count; k++) {
    const weight = sigmoid((left[k]! - s) / mu);
    sum += weight;
    slope += (weight * (1 - weight)) / mu;
  }
  return { count: sum, slope };
}

/**
 * The derivatives where the value was asked last: what every edge earns there is known, and is most of the work.
 *
 * @param shadow as that value came with it
 */
export function dualSlopes(
  problem: DualProblem,
  terms: DualTerms,
  at: DualArgument & { readonly shadow: number },
): DualSlopes {
  const n = problem.nodes.length;
  const earned = earning;
  const { shadow } = at;
  const [gradient, coupled, hessian] = [new Float64Array(n), new Float64Array(n), new Float64Array(n * n)];
  gradient[terms.from]! += at.price[terms.from]! * terms.amount;
  let coupling = 0;
  for (let k = 0; k < earned.count; k++) {
    const { tail, head } = problem.edges[earned.index[k]!]!;
    const weight = sigmoid((earned.left[k]! - shadow) / at.mu);
    const [sold, bought] = [earned.sold[k]!, earned.bought[k]!];
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
  const isFree = shadow > 0 || (shadow < 0 && shadow > -terms.leastCost);
  if (isFree && coupling > 0) takeOuter(hessian, coupled, coupling);
  return { gradient, hessian };
}

/** H - ccᵀ/w */
function takeOuter(hessian: Float64Array, coupled: Float64Array, weight: number): void {
  const n = coupled.length;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n && coupled[i] !== 0; j++)
      hessian[i * n + j]! -= (coupled[i]! * coupled[j]!) / weight;
}
