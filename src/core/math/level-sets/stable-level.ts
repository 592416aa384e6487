import type { StableFloat } from "../curve/stable-float.ts";
import type { Level } from "./level.ts";

/**
 * Cap on Newton steps, half the width of the initial bracket around the guess, and the relative step that ends the
 * iteration.
 */
const MOST_STEPS = 80;
const FARTHEST = 60;
const SETTLED = 1e-15;

/**
 * The level of a stableswap pool: A·n^n·Σx - G, G = D^(n+1) / (n^n·Πx), with D fixed.
 *
 * Its slopes are A·n^n + G/x. At the cheapest point for prices q = μ·(A·n^n + G/x) all balances follow from one
 * unknown, which `heldAt` finds by Newton's method in at most 80 steps of O(n).
 *
 * @param scale 18-digit units of `x` per smallest unit
 */
export function stableLevel(pool: StableLevel, scale: ArrayLike<number>): Level {
  const { x, ann, g } = pool;
  const held = x.map((balance, k) => balance / scale[k]!);
  // The growth factor of Πx, which divides G.
  const grown = (balances: Float64Array) => {
    let product = 1;
    for (let k = 0; k < balances.length; k++) product *= balances[k]! / held[k]!;
    return product;
  };
  const excess = (balances: Float64Array) => {
    let more = 0;
    for (let k = 0; k < balances.length; k++) more += (balances[k]! - held[k]!) * scale[k]!;
    return ann * more - g * Math.expm1(-Math.log(grown(balances)));
  };
  return {
    held,
    excess,
    slopes: (balances, to) => {
      const now = g / grown(balances);
      for (let k = 0; k < balances.length; k++) to[k] = scale[k]! * ann + now / balances[k]!;
    },
    cheapest: (prices) => {
      const units = new Float64Array(prices.length);
      for (let k = 0; k < units.length; k++) units[k] = prices[k]! / scale[k]!;
      const found = heldAt(pool, units);
      for (let k = 0; k < found.length; k++) found[k]! /= scale[k]!;
      return found;
    },
  };
}

export type StableLevel = Pick<StableFloat, "x" | "ann" | "g">;

/** The level's excess, and its derivative with respect to `bend`. */
type Place = { readonly excess: number; readonly slope: number };

/**
 * Writes into `to` the balances at which slopes are proportional to prices and exp(bend) is G over the balance of the
 * coin with the lowest price. Then G over each balance is known, and G follows from all of them since D is fixed.
 *
 * @param ratios prices over the lowest of them
 */
function placeAt({ x, ann, g }: StableLevel, ratios: Float64Array, bend: number, to: Float64Array): Place {
  const n = x.length;
  const flat = Math.exp(bend);
  // The change of ln G per change of `bend`.
  let product = 1;
  let turn = 0;
  for (let k = 0; k < n; k++) {
    const over = (ratios[k]! - 1) * (ann + flat) + flat;
    product *= (over * x[k]!) / g;
    turn += (flat * ratios[k]!) / over / (n + 1);
    to[k] = over;
  }
  const logs = Math.log(product) / (n + 1);
  const all = g * Math.exp(logs);
  let more = 0;
  let slope = -all * turn;
  for (let k = 0; k < n; k++) {
    const over = to[k]!;
    const held = all / over;
    more += held - x[k]!;
    slope -= ann * held * ((flat * ratios[k]!) / over - turn);
    to[k] = held;
  }
  return { excess: ann * more - g * Math.expm1(logs), slope };
}

/**
 * The balances on the level at which slopes are proportional to prices, by Newton's method in `bend`; a step that
 * leaves the bracket is replaced by a bisection.
 */
function heldAt(pool: StableLevel, units: Float64Array): Float64Array {
  let cheapest = 0;
  for (let k = 1; k < units.length; k++) if (units[k]! < units[cheapest]!) cheapest = k;
  const ratios = new Float64Array(units.length);
  for (let k = 0; k < units.length; k++) ratios[k] = units[k]! / units[cheapest]!;
  const held = new Float64Array(units.length);
  const guess = Math.log(pool.g / pool.x[cheapest]!);
  let low = guess - FARTHEST;
  let high = guess + FARTHEST;
  let bend = guess;
  for (let step = 0; step < MOST_STEPS; step++) {
    const { excess, slope } = placeAt(pool, ratios, bend, held);
    if (excess > 0) low = bend;
    else high = bend;
    const next = bend - excess / slope;
    const last = bend;
    bend = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(bend - last) <= SETTLED * Math.max(1, Math.abs(bend))) break;
  }
  placeAt(pool, ratios, bend, held);
  return held;
}
