import { solveLinear } from "./linear.ts";

/**
 * Pools of several coins whose trades keep them on a level of one function of their balances, or above it where fees stay in
 * them: Curve's crypto pools, stableswap pools that trade their own shares. Above the level lies a convex set.
 *
 * The most that trades with such a pool gain at coin prices ν, over any of its pairs: let q be prices that differ from ν by no
 * more than the fees, so that with ν and fees no trade gains more than with q and none. If y is where the level is cheapest at
 * q, a plane through y bounds the set, so
 *
 *   gain ≤ Σ_k q_k·(x_k - y_k)
 *
 * for balances x before the trades. Any q will do; the best lies between what the pool itself says its coins are worth and ν.
 */
export type Level = {
  /** Balances now, smallest units, > 0. */
  readonly held: Float64Array;
  /** How far balances are above the level, in any unit; below zero under it. */
  readonly excess: (balances: Float64Array) => number;
  /** Into `to`: by how much that rises with a smallest unit of each coin, up to a factor that all share; > 0. */
  readonly slopes: (balances: Float64Array, to: Float64Array) => void;
  /** Where the level is cheapest at prices, for designs whose equations say so. */
  readonly cheapest?: (prices: Float64Array) => Float64Array;
};

/** Where a level is cheapest: what the pool holds there, and how far that may be off the true place, as a share of its worth. */
export type Cheapest = { readonly balances: Float64Array; readonly off: number };

const MOST_STEPS = 30;
/** The largest step of a balance's logarithm, and how often a step that leads no nearer is halved. */
const MOST_STEP = 0.5;
const MOST_HALVINGS = 12;
/** The step by which derivatives are taken. */
const NUDGE = 1e-7;
/** How far the slopes may be off the prices where the search has settled, and below what more steps gain nothing. */
const MOST_OFF = 1e-9;
const SETTLED = 1e-13;

/** Balances, and how far the slopes there are off the prices, as logarithms; last the level itself, as a share. */
type Place = { readonly balances: Float64Array; readonly misses: Float64Array };

/** Parts of the way to prices at most, and the least of them. */
const MOST_PARTS = 16;
const LEAST_PART = 2 ** -8;

/**
 * The balances on the level that are worth least at `prices`: in parts of the way from the prices at `start` where they lie far
 * from each other, since a level may be flat here and steep there.
 *
 * @returns undefined where they are not found
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

/** Newton's method from `start`, in logarithms; undefined where it does not settle. */
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
  let [grows, mean] = [0, 0];
  for (let k = 0; k < n; k++) {
    grows += misses[k]! * balances[k]!;
    misses[k] = Math.log(misses[k]! / prices[k]!);
    mean += misses[k]! / n;
  }
  // Slopes have a factor in common.
  for (let k = 0; k < n; k++) misses[k]! -= mean;
  misses[n] = excess(balances) / grows;
  return { balances, misses };
}

/** The place a step on that is nearer; undefined where none is. */
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

/** The linear equations of a step, derivatives by differences: slopes of all coins but one, and the level. */
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
