import type { Address, Route, Step } from "../../core/types.ts";

/** Shares of the amount by the number of pool crossings made so far (or still to be made); index = crossings. */
type Mass = number[];

/** The shares held in each token's register; all arrays have the same length. */
type Registers = Map<Address, Mass>;

function registerOf(registers: Registers, token: Address, length: number): Mass {
  const known = registers.get(token);
  if (known !== undefined) return known;
  const empty = Array<number>(length).fill(0);
  registers.set(token, empty);
  return empty;
}

/** For each step, the share 0 … 1 that it takes of what is left in the register of its token at that point. */
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
 * equally among its hops. The number of paths grows exponentially with splits, so they are summed without being listed.
 * A forward pass gives the shares that arrive at each step by hops made, a backward pass those that leave it by hops to
 * come.
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
  const length = route.steps.length + 1;
  const registers: Registers = new Map();
  registerOf(registers, route.tokenIn, length)[0] = 1;
  return route.steps.map((step, index) => {
    const [sold, bought] = tokensOf(step);
    const before = registerOf(registers, sold, length);
    const after = registerOf(registers, bought, length);
    const fraction = fractions[index]!;
    const hop = hops[index]!;
    const mass = before.map((value) => value * fraction);
    for (let k = 0; k < length; k++) before[k]! *= 1 - fraction;
    // A path crosses at most as many pools as the route has steps, so nothing is lost at the end of the array.
    for (let k = 0; k + hop < length; k++) after[k + hop]! += mass[k]!;
    return mass;
  });
}

function backward(
  route: Route,
  fractions: readonly number[],
  hops: readonly number[],
  moved: readonly Mass[],
): number[] {
  const length = route.steps.length + 1;
  const registers: Registers = new Map();
  registerOf(registers, route.tokenOut, length)[0] = 1;
  const weights = route.steps.map(() => 0);
  for (let index = route.steps.length - 1; index >= 0; index--) {
    const [sold, bought] = tokensOf(route.steps[index]!);
    const after = registerOf(registers, bought, length);
    const before = registerOf(registers, sold, length);
    const hop = hops[index]!;
    const fraction = fractions[index]!;
    if (hop === 1) weights[index] = meeting(moved[index]!, after);
    for (let k = 0; k < length; k++) before[k]! *= 1 - fraction;
    for (let k = 0; k + hop < length; k++) before[k + hop]! += after[k]! * fraction;
  }
  return weights;
}

/** Σ made[k]·left[m] / (k + 1 + m): the sum, over all paths through a step, of the path's share divided by its hops. */
function meeting(made: Mass, left: Mass): number {
  let sum = 0;
  for (let k = 0; k < made.length; k++) {
    if (made[k] === 0) continue;
    for (let m = 0; m < left.length; m++) sum += (made[k]! * left[m]!) / (k + 1 + m);
  }
  return sum;
}
