import { solveLinear } from "./linear.ts";

/**
 * Bounds the gain of any trades with a pool whose balances stay in a convex set.
 *
 * Trades keep the balances x on a level of one function F, or above it if fees stay in the pool, and the set above a
 * level is convex. This holds for Curve's crypto pools, and for stableswap pools that trade their own shares.
 *
 * Let ν be coin prices, and q prices that differ from ν by at most the fees, so that no trade gains more at ν with
 * fees than at q without. Let y be the point of the level with the least q·y. The plane through y with normal q
 * supports the set, so
 *
 *   gain ≤ Σ_k q_k·(x_k - y_k)
 *
 * for the balances x before the trades. Any such q gives a valid bound; the tightest lies between the pool's own
 * marginal prices and ν. `cheapestOn` finds y by Newton's method: up to 30 steps of O(n³) for each part of the way.
 */
export type Level = {
  /** Present balances, smallest units, > 0. */
  readonly held: Float64Array;
  /** F(balances) less the level, in any unit; negative below the level. */
  readonly excess: (balances: Float64Array) => number;
  /** Writes the gradient of F per smallest unit of each coin into `to`, up to a common factor; > 0. */
  readonly slopes: (balances: Float64Array, to: Float64Array) => void;
  /** The cheapest point of the level at prices, for designs with a direct solution. */
  readonly cheapest?: (prices: Float64Array) => Float64Array;
};

/** The cheapest point of a level, and a bound on the relative error of its worth. */
export type Cheapest = { readonly balances: Float64Array; readonly off: number };

const MOST_STEPS = 30;
/** The largest step of the logarithm of a balance, and how often a step that does not reduce the residual is halved. */
const MOST_STEP = 0.5;
const MOST_HALVINGS = 12;
/** Step of the finite differences, in the logarithm of a balance. */
const NUDGE = 1e-7;
/** Largest residual at which a point is accepted, and the residual below which iteration stops; both relative. */
const MOST_OFF = 1e-9;
const SETTLED = 1e-13;

/**
 * Balances, and the residuals there: per coin the logarithm of gradient over price, and last F relative to the level.
 */
type Place = { readonly balances: Float64Array; readonly misses: Float64Array };

/** Most parts of the way from the prices at the start to those asked, and the least length of a part. */
const MOST_PARTS = 16;
const LEAST_PART = 2 ** -8;

/**
 * The balances on the level that are worth least at `prices`. If these are far from the prices at `start`, the
 * solution follows them in several parts, since a level may be flat at one end and steep at the other.
 *
 * @returns undefined if Newton's method does not converge
 */
export function cheapestOn(level: Level, prices: Float64Array, start: Float64Array): Cheapest | undefined {
  if (level.cheapest !== undefined) return foundAt(placeAt(level, prices, level.cheapest(prices)));
  const from = new Float64Array(prices.length);
  level.slopes(start, from);
  let [found, part, done]: [Cheapest | undefined, number, number] = [undefined, 1, 0];
  for (let k = 0; k < MOST_PARTS && part >= LEAST_PART; k++) {
    const to = Math.min(1, done + part);
    const between = prices.map((price, n) => from[n]! * (price / from[n]!) ** to);
    const next = settled(level, between, found?.balances ?? start);
    if (next !== undefined && to === 1) return next;
    if (next === undefined) part /= 4;
    else [found, done, part] = [next, to, part * 2];
  }
  return undefined;
}

/** Newton's method from `start`, in logarithms of balances; undefined if it does not converge. */
function settled(level: Level, prices: Float64Array, start: Float64Array): Cheapest | undefined {
  let at = placeAt(level, prices, start);
  for (let step = 0; step < MOST_STEPS; step++) {
    const off = farthest(at);
    const next = off > SETTLED ? nextPlace(level, prices, at, off) : undefined;
    if (next === undefined) return foundAt(at);
    at = next;
  }
  return undefined;
}

function foundAt(at: Place): Cheapest | undefined {
  const off = farthest(at);
  return off <= MOST_OFF ? { balances: at.balances, off } : undefined;
}

function farthest({ misses }: Place): number {
  return misses.reduce((most, miss) => Math.max(most, Math.abs(miss)), 0);
}

function placeAt({ excess, slopes }: Level, prices: Float64Array, balances: Float64Array): Place {
  const n = prices.length;
  const misses = new Float64Array(n + 1);
  slopes(balances, misses);
  let grows = 0;
  let mean = 0;
  for (let k = 0; k < n; k++) {
    grows += misses[k]! * balances[k]!;
    misses[k] = Math.log(misses[k]! / prices[k]!);
    mean += misses[k]! / n;
  }
  // The gradient is known up to a common factor only.
  for (let k = 0; k < n; k++) misses[k]! -= mean;
  misses[n] = excess(balances) / grows;
  return { balances, misses };
}

/** The point one damped Newton step further; undefined if no step reduces the residual. */
function nextPlace(level: Level, prices: Float64Array, at: Place, off: number): Place | undefined {
  const moves = solveLinear(equations(level, prices, at));
  if (moves === undefined) return undefined;
  let share = moves.reduce((least, move) => Math.min(least, MOST_STEP / Math.abs(move)), 1);
  for (let halving = 0; halving < MOST_HALVINGS; halving++, share /= 2) {
    const balances = at.balances.map((balance, k) => balance * Math.exp(-share * moves[k]!));
    const next = placeAt(level, prices, balances);
    if (farthest(next) < off) return next;
  }
  return undefined;
}

/**
 * The linear equations of a Newton step, with derivatives by finite differences. Unknowns are steps of logarithms;
 * rows are the gradients of all coins but the first, and the level.
 */
function equations(level: Level, prices: Float64Array, { balances, misses }: Place): Float64Array[] {
  const n = prices.length;
  const rows = Array.from({ length: n }, () => new Float64Array(n + 1));
  for (let k = 0; k < n; k++) {
    const nudged = placeAt(level, prices, balances.with(k, balances[k]! * Math.exp(NUDGE)));
    for (let row = 0; row < n; row++) rows[row]![k] = (nudged.misses[row + 1]! - misses[row + 1]!) / NUDGE;
  }
  for (let row = 0; row < n; row++) rows[row]![n] = misses[row + 1]!;
  return rows;
}
