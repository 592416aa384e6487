import type { Address } from "../types.ts";
import { gasCost, type Hurried, type Judged, settleTimed, type Trial } from "./settlement/evaluate.ts";

/** Rounds of aiming: each searches anew at the amount that the last route calls for. */
const AIMS = 8;
const START = 2n ** 10n;
const LARGEST = 2 ** 255;
/** Times by which a first route may pay more or less than is wanted. */
const FAR = 4n;

/**
 * The least that must be sold to buy `request.amount`: aims with searches that sell, then fixes the plan and
 * halves the amount sold, to the unit, on the exact judge. What comes out is at least what was asked; the
 * smallest excess that whole units allow.
 *
 * @param solveIn the best route that sells an amount
 */
export function findExactOut<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
): J | undefined {
  const wanted = trial.request.amount;
  let best: J | undefined;
  let found = first(trial, solveIn);
  for (let round = 0; round < AIMS && found !== undefined; ) {
    const exact: J | undefined = leastIn(trial, found, wanted);
    const improved = isCheaper(trial, exact, best);
    // Where cycles pay, each route may need a small part of what the one before did.
    if (!isHalf(exact, best)) round++;
    // Of equals the later one: it was searched for at the very amount that it sells, whatever the first aim was.
    if (improved || isEqual(trial, exact, best)) best = exact;
    if (best !== undefined && (!improved || trial.late())) break;
    found = solveIn(trial, exact?.route.amountIn ?? beyond(found, wanted));
  }
  return best;
}

/** A route that pays about what is wanted: by the tokens' reference values, or by a small sale where these lead nowhere. */
function first<T extends Hurried, J extends Judged>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => J | undefined,
): J | undefined {
  const wanted = trial.request.amount;
  let aim = byValue(trial);
  for (let round = 0; round < AIMS && aim !== undefined; round++) {
    const found = solveIn(trial, aim);
    if (found === undefined) break;
    const { amountIn, amountOut } = found.route;
    const isNear = amountOut < FAR * wanted && wanted < FAR * amountOut;
    if (isNear || trial.late()) return found;
    aim = (amountIn * wanted) / amountOut + 1n;
  }
  aim = firstAim(trial, solveIn);
  return aim === undefined ? undefined : solveIn(trial, aim);
}

/** What is worth as much as what is wanted, in units sold; undefined where a token has no value. */
function byValue({ graph, request, ends }: Trial): bigint | undefined {
  const refOf = (token: Address) => graph.values.ref[graph.nodeOf.get(token)!]!;
  const amount = (Number(request.amount) * refOf(ends.tokenOut)) / refOf(ends.tokenIn);
  return amount >= 1 && amount < LARGEST ? BigInt(Math.round(amount)) : undefined;
}

function isCheaper(trial: Trial, one: Judged | undefined, than: Judged | undefined): boolean {
  return one !== undefined && (than === undefined || cost(trial, one) < cost(trial, than));
}

function isEqual(trial: Trial, one: Judged | undefined, other: Judged | undefined): boolean {
  return one !== undefined && other !== undefined && cost(trial, one) === cost(trial, other);
}

function isHalf(one: Judged | undefined, than: Judged | undefined): boolean {
  return one !== undefined && than !== undefined && 2n * one.route.amountIn <= than.route.amountIn;
}

/** What a route costs in units sold, gas included at the route's own price. */
function cost(trial: Trial, { route, gas }: Judged): bigint {
  return route.amountIn + (gasCost(trial, gas) * route.amountIn) / route.amountOut;
}

/** The next amount to try when a whole route falls short: in proportion, at least twice as much. */
function beyond({ route }: Judged, wanted: bigint): bigint {
  const { amountIn, amountOut } = route;
  const scaled = (amountIn * wanted) / amountOut + 1n;
  const least = 2n * amountIn;
  return scaled > least ? scaled : least;
}

/** An amount near the answer: grows from a small sale until the price of a sale is known. */
function firstAim<T extends Trial>(
  trial: T,
  solveIn: (trial: T, amount: bigint) => Judged | undefined,
): bigint | undefined {
  for (let amount = START; amount < 2n ** 256n; amount *= START) {
    const found = solveIn(trial, amount);
    if (found === undefined) continue;
    const aim = (amount * trial.request.amount) / found.route.amountOut + 1n;
    return aim > 0n ? aim : 1n;
  }
  return undefined;
}

/** The same plan for the least amount that still pays `wanted`. */
function leastIn<J extends Judged>(trial: Trial, found: J, wanted: bigint): J | undefined {
  const run = (amount: bigint) => {
    const settled = settleTimed(trial, found.plan, amount);
    return settled.kind === "settled" && settled.amountOut >= wanted ? settled : undefined;
  };
  const high = enough(found, wanted, run);
  if (high === undefined) return undefined;
  let low = 0n;
  let least = high;
  for (let width = least / 1024n + 1n; width < least; width *= 16n) {
    if (run(least - width) === undefined) {
      low = least - width;
      break;
    }
    least -= width;
  }
  while (least - low > 1n) {
    const middle = (low + least) / 2n;
    if (run(middle) === undefined) low = middle;
    else least = middle;
  }
  const settled = run(least);
  if (settled === undefined) return undefined;
  const { steps, amountOut, gas } = settled;
  return { ...found, route: { ...found.route, amountIn: least, amountOut, steps }, gas, net: -least };
}

/** An amount that pays for `wanted` with this plan, if a somewhat larger one than the plan's does. */
function enough(found: Judged, wanted: bigint, run: (amount: bigint) => unknown): bigint | undefined {
  const { amountIn, amountOut } = found.route;
  if (amountOut >= wanted) return amountIn;
  const limit = amountIn * 64n;
  for (let amount = (amountIn * wanted) / amountOut + 1n; amount < limit; amount += amount / 4n + 1n) {
    if (run(amount) !== undefined) return amount;
  }
  return undefined;
}
