import { profitAt } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { isFollower } from "../../market-graph/prices/roots.ts";
import type { CertifiedOrder } from "../certify.ts";
import {
  addVariable,
  beginDual,
  type DualProblem,
  type DualStart,
  isFarFromListed,
  type Listing,
  listEdges,
  priceIn,
} from "./problem.ts";
import { type DualSlopes, type DualTerms, type DualValue, dualSlopes, dualValue } from "./value.ts";

/**
 * Prices at which an order's net bound is low.
 *
 * In: initial prices. Out: prices of the tokens around the order near the minimum of the bound over them. Newton's
 * method minimises the smooth bound D_μ of `value.ts` for falling μ; then the tokens of pools that earn more than a
 * crossing costs become variables, and the minimisation goes on from the prices found. Any prices prove a bound: where
 * the method fails, the bound is loose, never wrong.
 *
 * Boyd and Vandenberghe, "Convex Optimization" (2004), section 9.5 for Newton's method, 11.2 for a smoothing that
 * falls.
 *
 * @returns by node, in units of the token bought; undefined where a token has no price
 */
export function minimiseBound(
  graph: Graph,
  order: CertifiedOrder,
  start: DualStart,
  { enough, late }: Until = { enough: 0, late: () => false },
): ReadonlyMap<number, number> | undefined {
  const problem = beginDual(graph, order, start);
  if (problem === undefined) return undefined;
  const terms = termsOf(problem, order);
  const value = problem.price[terms.from]! * order.amount;
  const leastCost = order.outPerGas > 0 ? graph.leastGas * order.outPerGas : 0;
  const least = NEGLIGIBLE * value + NEGLIGIBLE_GAS * leastCost;
  let { shadow } = start;
  for (let round = 0; round < ROUNDS; round++) {
    const halvings = leastCost + shadow > least ? HALVINGS : HALVINGS_FREE;
    const all = { graph, problem, terms, listing: { order, least, shadow }, halvings, enough, late };
    listEdges(graph, problem, all.listing);
    const scale = Math.max(leastCost + shadow, least);
    const found = smoothed(all, round === 0 ? FIRST_SMOOTHINGS : SMOOTHINGS, scale);
    shadow = Math.max(0, found.shadow);
    if (found.isEnough || late() || !widen(graph, problem, { order, least, shadow })) break;
  }
  // A token of a single neighbour goes with that one when the bound is computed: a price of its own would hold it back.
  const others = [...start.prices.keys()].filter((node) => !isFollower(graph, node));
  return new Map([...others, ...problem.nodes].map((node) => [node, priceIn(problem, node)]));
}

/** When the method ends: the smooth bound is below `enough`, or it is late. */
type Until = { readonly enough: number; readonly late: () => boolean };

/** Earnings that are negligible: as a share of the order, plus a share of the least gas of a crossing. */
const NEGLIGIBLE = 1e-7;
const NEGLIGIBLE_GAS = 1e-3;
/** Cap on the number of rounds, after each of which variables are added. */
const ROUNDS = 4;
/** Values of μ in the first round and in later ones, as shares of what a crossing costs with its shadow price. */
const FIRST_SMOOTHINGS = [0.2, 0.03, 0.004];
const SMOOTHINGS = [0.03, 0.004];
/** Cap on the number of Newton steps for one μ. */
const STEPS = 12;
/** Cap on the relative change of a price in one step. */
const LONGEST = 0.1;
/**
 * Cap on the halvings of a step; a larger one where a crossing costs nothing. A price that no pool holds moves there until a pool
 * begins to earn, and deep pools let it move by a millionth only.
 */
const HALVINGS = 12;
const HALVINGS_FREE = 40;
/** Share of the decrease predicted by the gradient that a step must attain (Armijo's condition). */
const DECREASE = 1e-4;
/**
 * Newton's method stops where the decrease predicted by the gradient is less than this share of the value, or less than
 * this share of what lies between the value and `enough`.
 */
const DONE = 1e-9;
const DONE_OF_OPEN = 0.01;

function termsOf({ placeOf }: DualProblem, { from, amount, maxLegs }: CertifiedOrder): DualTerms {
  return { amount, from: placeOf[from]! - 1, most: maxLegs > 0 ? maxLegs : Infinity };
}

type Minimising = {
  readonly graph: Graph;
  readonly problem: DualProblem;
  readonly terms: DualTerms;
  readonly listing: Listing;
  readonly halvings: number;
} & Until;

/** The shadow price of a crossing at the prices found, and whether the smooth bound is below `enough`. */
type Found = { readonly shadow: number; readonly isEnough: boolean };

/** Minimises for each μ in turn until the bound is low enough. @param scale the cost that `shares` are shares of */
function smoothed(all: Minimising, shares: readonly number[], scale: number): Found {
  let found: Found = { shadow: 0, isEnough: false };
  for (const share of shares) if (!found.isEnough && !all.late()) found = newton(all, share * scale);
  return found;
}

/** Newton's method for one μ. Moves the problem's prices, and lists edges again where prices have moved far. */
function newton(all: Minimising, mu: number): Found {
  const { graph, problem, terms } = all;
  const valueHere = () => dualValue(graph, problem, terms, { price: problem.price, mu });
  let found: Found = { shadow: 0, isEnough: false };
  let at = valueHere();
  for (let step = 0; step < STEPS && !all.late(); step++) {
    const { value, shadow } = at;
    found = { shadow, isEnough: value < all.enough };
    if (found.isEnough) return found;
    const slopes = dualSlopes(problem, terms, { price: problem.price, mu, shadow });
    const direction = newtonStep(slopes);
    const promised = -dot(slopes.gradient, direction);
    const open = all.enough > 0 ? value - all.enough : 0;
    if (!(promised > Math.max(DONE * Math.abs(value), DONE_OF_OPEN * open))) break;
    const lower = descend(all, { mu, value, direction, promised });
    if (lower === undefined) break;
    at = lower;
    if (!isFarFromListed(graph, problem)) continue;
    listEdges(graph, problem, all.listing);
    at = valueHere();
  }
  return found;
}

/** The scalar product without the first entry, whose price is fixed. */
function dot(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, number, k) => sum + (k === 0 ? 0 : number * other[k]!), 0);
}

type Line = {
  readonly mu: number;
  readonly value: number;
  readonly direction: Float64Array;
  readonly promised: number;
};

/**
 * Backtracking line search: halves a step until the value falls enough, and moves the problem's prices there.
 *
 * @returns the value there; undefined where no step lowers it enough
 */
function descend(
  { graph, problem, terms, halvings }: Minimising,
  { mu, value, direction, promised }: Line,
): DualValue | undefined {
  const longest = direction.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  let length = Math.min(1, LONGEST / longest);
  for (let k = 0; k < halvings; k++, length /= 2) {
    const price = problem.price.map((one, place) => one * (1 + length * direction[place]!));
    const found = dualValue(graph, problem, terms, { price, mu });
    if (!(found.value < value - DECREASE * length * promised)) continue;
    for (const [place, one] of price.entries()) problem.price[place] = one;
    return found;
  }
  return undefined;
}

/**
 * Share of each diagonal entry that is added to it, and whose square times the mean entry is added to all: the price of
 * a token that no edge holds would move without limit otherwise.
 */
const DAMPING = 1e-6;
/**
 * Share of the largest gradient entry that is added to each diagonal entry, for directions in which the function is
 * linear and the Hessian is 0; the step is then cut to `LONGEST`.
 */
const FLAT = 1e-9;

/**
 * The Newton step -H⁻¹g with a damped diagonal, by Gaussian elimination without the first variable, whose price is
 * fixed. Overwrites the Hessian. O(variables³).
 */
function newtonStep({ gradient, hessian }: DualSlopes): Float64Array {
  const n = gradient.length;
  let trace = 0;
  for (let i = 1; i < n; i++) trace += hessian[i * n + i]!;
  const steepest = gradient.reduce((most, slope) => Math.max(most, Math.abs(slope)), 0);
  const floor = (trace / n) * DAMPING ** 2 + steepest * FLAT;
  const step = gradient.map((slope, i) => (i === 0 ? 0 : -slope));
  for (let i = 1; i < n; i++) hessian[i * n + i]! += DAMPING * hessian[i * n + i]! + floor;
  for (let j = 1; j < n; j++) eliminate(hessian, step, j);
  for (let i = n - 1; i >= 1; i--) {
    for (let k = i + 1; k < n; k++) step[i]! -= hessian[i * n + k]! * step[k]!;
    step[i] = hessian[i * n + i]! > 0 ? step[i]! / hessian[i * n + i]! : 0;
  }
  return step;
}

/** Eliminates variable `j` from the equations after it. */
function eliminate(matrix: Float64Array, right: Float64Array, j: number): void {
  const n = right.length;
  const pivot = matrix[j * n + j]!;
  if (!(pivot > 0)) return;
  for (let i = j + 1; i < n; i++) {
    const factor = matrix[i * n + j]! / pivot;
    if (factor === 0) continue;
    for (let k = j; k < n; k++) matrix[i * n + k]! -= factor * matrix[j * n + k]!;
    right[i]! -= factor * right[j]!;
  }
}

/** Share by which a pool's earning must exceed what a crossing costs for its tokens to become variables. */
const EARNS = 0.02;
/** Share of what is negligible otherwise that it must earn where a crossing costs nothing: deep pools hold a price and earn next to nothing. */
const HOLDS = 0.01;

/**
 * Makes variables of the tokens of listed edges that earn more than a crossing costs, its shadow price included.
 *
 * @returns whether there are new variables
 */
function widen({ curves, tail, head }: Graph, problem: DualProblem, { least, shadow }: Listing): boolean {
  const asked = (cost: number) => {
    const paid = cost + shadow;
    return paid * (1 + EARNS) + (paid > least ? least : HOLDS * least);
  };
  const before = problem.nodes.length;
  for (const { edge, cost } of problem.edges) {
    const sold = priceIn(problem, tail[edge]!);
    const bought = priceIn(problem, head[edge]!);
    if (!(bought * profitAt(curves, edge, sold / bought) > asked(cost))) continue;
    addVariable(problem, tail[edge]!);
    addVariable(problem, head[edge]!);
  }
  return problem.nodes.length > before;
}
