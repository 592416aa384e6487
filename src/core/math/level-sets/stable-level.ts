import type { StableFloat } from "../curve/stable-float.ts";
import type { Level } from "./level.ts";

/** Newton's steps at most, how far from its guess the number that they look for is taken to lie, and the step that is the last. */
const MOST_STEPS = 80;
const FARTHEST = 60;
const SETTLED = 1e-15;

/**
 * The level of a stableswap pool: A·n^n·Σx - G, G = D^(n+1) / (n^n·Πx), D as it is.
 *
 * Its slopes are A·n^n + G/x, so where the level is cheapest at prices q = μ·(A·n^n + G/x) all balances follow from one number.
 *
 * @param scale units of `x` per smallest unit
 */
export function stableLevel(pool: StableLevel, scale: ArrayLike<number>): Level {
  const { x, ann, g } = pool;
  const held = x.map((balance, k) => balance / scale[k]!);
  const grown = (balances: Float64Array) => {
    let sum = 0;
    for (const [k, balance] of balances.entries()) sum += Math.log(balance / held[k]!);
    return sum;
  };
  let bend = Number.NaN;
  const excess = (balances: Float64Array) => {
    let more = 0;
    for (const [k, balance] of balances.entries()) more += (balance - held[k]!) * scale[k]!;
    return ann * more - g * Math.expm1(-grown(balances));
  };
  return {
    held,
    excess,
    slopes: (balances, to) => {
      const now = g * Math.exp(-grown(balances));
      for (const [k, balance] of balances.entries()) to[k] = scale[k]! * ann + now / balance;
    },
    cheapest: (prices) => {
      const units = prices.map((price, k) => price / scale[k]!);
      bend = bendAt(
        pool,
        units,
        Number.isNaN(bend) ? Math.log(g / x[units.indexOf(Math.min(...units))]!) : bend,
      );
      return placeAt(pool, units, bend).held.map((balance, k) => balance / scale[k]!);
    },
  };
}

export type StableLevel = Pick<StableFloat, "x" | "ann" | "g">;

/** Balances, the level's excess there, and how that changes with the bend. */
type Place = { readonly held: Float64Array; readonly excess: number; readonly slope: number };

/**
 * The place where slopes are as prices, and G over the balance of the coin of least price is exp(bend): so G over each balance is known,
 * and G from all of them, as D is.
 */
function placeAt({ x, ann, g }: StableLevel, units: Float64Array, bend: number): Place {
  const n = x.length;
  const flat = Math.exp(bend);
  const least = Math.min(...units);
  const bends = units.map((unit) => (unit / least - 1) * (ann + flat) + flat);
  // By what share G over each balance changes with the bend, and by what share G does.
  const turns = bends.map((one, k) => (flat * units[k]!) / least / one);
  let [logs, turn] = [0, 0];
  for (let k = 0; k < n; k++) {
    logs += Math.log((bends[k]! * x[k]!) / g) / (n + 1);
    turn += turns[k]! / (n + 1);
  }
  const all = g * Math.exp(logs);
  const held = bends.map((one) => all / one);
  let [more, slope] = [0, -all * turn];
  for (let k = 0; k < n; k++) {
    more += held[k]! - x[k]!;
    slope -= ann * held[k]! * (turns[k]! - turn);
  }
  return { held, excess: ann * more - g * Math.expm1(logs), slope };
}

/** The bend at which the level is met, by Newton's method; where a step leads too far the middle is taken. */
function bendAt(pool: StableLevel, units: Float64Array, guess: number): number {
  let [low, high, bend] = [guess - FARTHEST, guess + FARTHEST, guess];
  for (let step = 0; step < MOST_STEPS; step++) {
    const { excess, slope } = placeAt(pool, units, bend);
    if (excess > 0) low = bend;
    else high = bend;
    const next = bend - excess / slope;
    const to = next > low && next < high ? next : (low + high) / 2;
    if (Math.abs(to - bend) <= SETTLED * Math.max(1, Math.abs(bend))) return to;
    bend = to;
  }
  return bend;
}
