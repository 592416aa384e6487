import type { Address, Route, Step } from "../../core/types.ts";

/** Share of the amount by the number of crossings it has made (or has still to make); index = crossings. */
type Mass = readonly number[];

const NOTHING: Mass = [];

function add(left: Mass, right: Mass, factor: number): Mass {
  const sum = left.slice();
  for (const [index, value] of right.entries()) sum[index] = (sum[index] ?? 0) + value * factor;
  return sum;
}

const delay = (mass: Mass, crossings: number): Mass => (crossings === 0 ? mass : [0, ...mass]);

/** What each step takes of the register of its token at its turn, as a share of what is left there: 0 … 1. */
function taken(route: Route): number[] {
  const left = new Map<Address, bigint>([[route.tokenIn, route.amountIn]]);
  return route.steps.map((step) => {
    const [sold, bought] = tokensOf(step);
    const before = left.get(sold) ?? 0n;
    left.set(sold, before - step.amountIn);
    left.set(bought, (left.get(bought) ?? 0n) + step.amountOut);
    return before === 0n ? 0 : Math.min(1, Number(step.amountIn) / Number(before));
  });
}

/** The token that a step sells and the one it buys. */
export function tokensOf(step: Step): readonly [sold: Address, bought: Address] {
  return [step.pool.tokens[step.i]!, step.pool.tokens[step.j]!];
}

/**
 * The weight of each step when the route is decomposed into paths and each path's share of the amount is divided
 * equally among its hops. The number of paths grows exponentially with splits, so they are summed, not listed: one
 * pass forward counts what arrives by hops made, one pass backward what leaves by hops to come.
 *
 * @param counts whether a step counts as a hop; those that do not (wraps) weigh nothing
 * @returns a weight per step, in step order; they sum to 1 unless no step counts
 */
export function hopWeights(route: Route, counts: (step: Step) => boolean): number[] {
  const fractions = taken(route);
  const hops = route.steps.map((step) => (counts(step) ? 1 : 0));
  const moved = forward(route, fractions, hops);
  const weights = backward(route, fractions, hops, moved);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? weights.map((weight) => weight / sum) : weights;
}

function forward(route: Route, fractions: readonly number[], hops: readonly number[]): Mass[] {
  const registers = new Map<Address, Mass>([[route.tokenIn, [1]]]);
  return route.steps.map((step, index) => {
    const [sold, bought] = tokensOf(step);
    const before = registers.get(sold) ?? NOTHING;
    const fraction = fractions[index]!;
    const mass = before.map((value) => value * fraction);
    registers.set(
      sold,
      before.map((value) => value * (1 - fraction)),
    );
    registers.set(bought, add(registers.get(bought) ?? NOTHING, delay(mass, hops[index]!), 1));
    return mass;
  });
}

function backward(
  route: Route,
  fractions: readonly number[],
  hops: readonly number[],
  moved: readonly Mass[],
): number[] {
  const registers = new Map<Address, Mass>([[route.tokenOut, [1]]]);
  const weights = route.steps.map(() => 0);
  for (let index = route.steps.length - 1; index >= 0; index--) {
    const [sold, bought] = tokensOf(route.steps[index]!);
    const after = registers.get(bought) ?? NOTHING;
    const hop = hops[index]!;
    if (hop === 1) weights[index] = meeting(moved[index]!, after);
    const kept = (registers.get(sold) ?? NOTHING).map((value) => value * (1 - fractions[index]!));
    registers.set(sold, add(kept, delay(after, hop), fractions[index]!));
  }
  return weights;
}

/** Σ made[k]·left[m] / (k + 1 + m): the share of every path through a step, over that path's hops. */
function meeting(made: Mass, left: Mass): number {
  let sum = 0;
  for (const [k, arrived] of made.entries()) {
    for (const [m, leaving] of left.entries()) sum += (arrived * leaving) / (k + 1 + m);
  }
  return sum;
}
