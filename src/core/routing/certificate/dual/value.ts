import { type BentResponse, conjugateAt } from "../../curves/response.ts";
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

export type DualPoint = {
  readonly value: number;
  readonly gradient: Float64Array;
  /** Row by row. */
  readonly hessian: Float64Array;
  /** s: the price of a crossing beyond its gas. */
  readonly shadow: number;
};

/** The edges that earn: place, value that goes into the pool and comes out of it, stiffness, and earning less cost. */
type Earning = {
  count: number;
  readonly index: Int32Array;
  readonly sold: Float64Array;
  readonly bought: Float64Array;
  readonly stiff: Float64Array;
  readonly left: Float64Array;
};

const response: BentResponse = { sold: 0, bought: 0, bend: 0 };

function earningAt(graph: Graph, { edges }: DualProblem, price: ArrayLike<number>): Earning {
  const list = () => new Float64Array(edges.length);
  const index = new Int32Array(edges.length);
  const earning: Earning = { count: 0, index, sold: list(), bought: list(), stiff: list(), left: list() };
  for (const [e, { edge, tail, head, tailScale, headScale, cost }] of edges.entries()) {
    const [paid, worth] = [price[tail]! * tailScale, price[head]! * headScale];
    conjugateAt(graph.curves, edge, paid / worth, response);
    if (!(response.sold > 0)) continue;
    const k = earning.count++;
    index[k] = e;
    earning.sold[k] = paid * response.sold;
    earning.bought[k] = worth * response.bought;
    earning.stiff[k] = paid * response.bend;
    earning.left[k] = earning.bought[k]! - earning.sold[k]! - cost;
  }
  return earning;
}

/** The value alone. */
export function dualValue(graph: Graph, problem: DualProblem, terms: DualTerms, at: DualArgument): number {
  const earning = earningAt(graph, problem, at.price);
  return valueAt(earning, terms, { ...at, shadow: shadowPrice(earning, terms, at.mu) });
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

const BISECTIONS = 60;
/** How near s is found, as a share of μ. */
const NEAR = 1e-3;

/** s: 0 where between d and K crossings pay, above 0 where more would, below 0 where fewer do. */
function shadowPrice(earning: Earning, { fewest, most, leastCost }: DualTerms, mu: number): number {
  const { count, left } = earning;
  const paying = (s: number) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += sigmoid((left[k]! - s) / mu);
    return sum;
  };
  const now = paying(0);
  let [low, high, wanted] = [0, 0, most];
  if (now > most) for (let k = 0; k < count; k++) high = Math.max(high, left[k]! + FAR * mu);
  else if (now < fewest) [low, wanted] = [-leastCost, fewest];
  if (low < 0 && paying(low) < fewest) return low;
  for (let k = 0; k < BISECTIONS && high - low > NEAR * mu; k++) {
    const middle = (low + high) / 2;
    if (paying(middle) > wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Value and derivatives. */
export function dualPoint(graph: Graph, problem: DualProblem, terms: DualTerms, at: DualArgument): DualPoint {
  const n = problem.nodes.length;
  const earning = earningAt(graph, problem, at.price);
  const shadow = shadowPrice(earning, terms, at.mu);
  const [gradient, coupled, hessian] = [new Float64Array(n), new Float64Array(n), new Float64Array(n * n)];
  gradient[terms.from]! += at.price[terms.from]! * terms.amount;
  let coupling = 0;
  for (let k = 0; k < earning.count; k++) {
    const { tail, head } = problem.edges[earning.index[k]!]!;
    const weight = sigmoid((earning.left[k]! - shadow) / at.mu);
    const [sold, bought] = [earning.sold[k]!, earning.bought[k]!];
    const slope = (weight * (1 - weight)) / at.mu;
    const stiff = weight * earning.stiff[k]!;
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
  const value = valueAt(earning, terms, { ...at, shadow });
  return { value, gradient, hessian, shadow };
}

/** H - ccᵀ/w */
function takeOuter(hessian: Float64Array, coupled: Float64Array, weight: number): void {
  const n = coupled.length;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n && coupled[i] !== 0; j++)
      hessian[i * n + j]! -= (coupled[i]! * coupled[j]!) / weight;
}
