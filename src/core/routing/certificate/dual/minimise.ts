import { profitAt } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import type { CertifiedOrder } from "../certify.ts";
import { distance } from "../distance.ts";
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
 * Prices at which an order's bound is low.
 *
 * In: prices to begin with. Out: prices of the tokens around the order near the minimum of the bound over them. Newton's method on
 * the smooth bound D_μ of `value.ts` while μ falls; then tokens whose pools earn more than they cost become variables, and
 * it goes on from there. Any prices prove a bound: where the method fails the bound is loose, never wrong.
 *
 * Boyd and Vandenberghe, "Convex Optimization" (2004), section 9.5 for Newton's method, 11.2 for a smoothing that falls.
 *
 * @param enough a bound below which nothing is gained
 * @returns undefined where a token has no price
 */
export function minimiseBound(
  graph: Graph,
  order: CertifiedOrder,
  start: DualStart,
  enough = 0,
): ReadonlyMap<number, number> | undefined {
  const problem = beginDual(graph, order, start);
  if (problem === undefined) return undefined;
  const terms = termsOf(graph, problem, order);
  const value = problem.price[terms.from]! * order.amount;
  const least = NEGLIGIBLE * value + NEGLIGIBLE_GAS * terms.leastCost;
  let { shadow } = start;
  for (let round = 0; round < ROUNDS; round++) {
    const all = { graph, problem, terms, listing: { order, least, shadow }, enough };
    listEdges(graph, problem, all.listing);
    const scale = Math.max(terms.leastCost + shadow, least);
    const found = smoothed(all, round === 0 ? FIRST_SMOOTHINGS : SMOOTHINGS, scale);
    shadow = Math.max(0, found.shadow);
    if (found.isEnough || !widen(graph, problem, { order, least, shadow })) break;
  }
  return new Map([...start.prices.keys(), ...problem.nodes].map((node) => [node, priceIn(problem, node)]));
}

/** Earnings that are of no account: as a share of the order, and of the gas of a crossing. */
const NEGLIGIBLE = 1e-7;
const NEGLIGIBLE_GAS = 1e-3;
/** Times that variables are added. */
const ROUNDS = 4;
/** Smoothing as a share of what a crossing costs. */
const FIRST_SMOOTHINGS = [0.2, 0.03, 0.004];
const SMOOTHINGS = [0.03, 0.004];
const STEPS = 12;
/** Relative change of a price in one step at most. */
const LONGEST = 0.1;
const HALVINGS = 12;
/** Share of the decrease that the gradient promises which a step has to bring (Armijo). */
const DECREASE = 1e-4;
/** A step that would lower the bound by less, as a share of it and of what is open, is the last one. */
const DONE = 1e-9;
const DONE_OF_OPEN = 0.01;

function termsOf(graph: Graph, { placeOf }: DualProblem, order: CertifiedOrder): DualTerms {
  const { from, to, amount, maxLegs, outPerGas, allowed } = order;
  const leastCost = outPerGas > 0 ? graph.leastGas * outPerGas : 0;
  return {
    amount,
    from: placeOf.get(from)!,
    fewest: leastCost > 0 && from !== to ? distance(graph, from, to, allowed) : 0,
    most: maxLegs > 0 ? maxLegs : Infinity,
    leastCost,
  };
}

type Minimising = {
  readonly graph: Graph;
  readonly problem: DualProblem;
  readonly terms: DualTerms;
  readonly listing: Listing;
  readonly enough: number;
};

/** The price of a crossing beyond its gas, and whether the bound is as low as it needs to be. */
type Found = { readonly shadow: number; readonly isEnough: boolean };

/** Newton's method while the smoothing falls. @param scale what shares of the smoothing are of */
function smoothed(all: Minimising, shares: readonly number[], scale: number): Found {
  let found: Found = { shadow: 0, isEnough: false };
  for (const share of shares) if (!found.isEnough) found = newton(all, share * scale);
  return found;
}

function newton(all: Minimising, mu: number): Found {
  const { graph, problem, terms } = all;
  const valueHere = () => dualValue(graph, problem, terms, { price: problem.price, mu });
  let found: Found = { shadow: 0, isEnough: false };
  let at = valueHere();
  for (let step = 0; step < STEPS; step++) {
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

/** Of a gradient and a step, which leaves the first price as it is. */
function dot(one: Float64Array, other: Float64Array): number {
  return one.reduce((sum, number, k) => sum + (k === 0 ? 0 : number * other[k]!), 0);
}

type Line = {
  readonly mu: number;
  readonly value: number;
  readonly direction: Float64Array;
  readonly promised: number;
};

/** Halves a step until the value falls. @returns what it fell to; undefined where it does not fall */
function descend(
  { graph, problem, terms }: Minimising,
  { mu, value, direction, promised }: Line,
): DualValue | undefined {
  const longest = direction.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  let length = Math.min(1, LONGEST / longest);
  for (let k = 0; k < HALVINGS; k++, length /= 2) {
    const price = problem.price.map((one, place) => one * (1 + length * direction[place]!));
    const found = dualValue(graph, problem, terms, { price, mu });
    if (!(found.value < value - DECREASE * length * promised)) continue;
    for (const [place, one] of price.entries()) problem.price[place] = one;
    return found;
  }
  return undefined;
}

/** Share of a diagonal number that is added to it, so that a token that nothing holds does not move without end. */
const DAMPING = 1e-6;
/** The same where the function is straight, as a share of its gradient: such a step is cut to the longest one. */
const FLAT = 1e-9;

/** Minus the inverse of the Hessian times the gradient, by elimination without the first variable, whose price is fixed. */
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

/** Takes variable `j` out of the equations after it. */
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

/** Share of what a crossing costs that a pool must earn beyond it for its tokens to become variables. */
const EARNS = 0.02;

/** Makes variables of the tokens outside whose pools earn more than they cost. @returns whether there are any */
function widen({ curves, tail, head }: Graph, problem: DualProblem, { least, shadow }: Listing): boolean {
  const before = problem.nodes.length;
  for (const { edge, cost } of problem.edges) {
    const [sold, bought] = [priceIn(problem, tail[edge]!), priceIn(problem, head[edge]!)];
    if (!(bought * profitAt(curves, edge, sold / bought) > (cost + shadow) * (1 + EARNS) + least)) continue;
    addVariable(problem, tail[edge]!);
    addVariable(problem, head[edge]!);
  }
  return problem.nodes.length > before;
}
