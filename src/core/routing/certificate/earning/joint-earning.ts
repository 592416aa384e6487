import type { Curve, Joint } from "../../../protocol.ts";
import type { PoolEntry } from "../../market-graph/graph.ts";

/**
 * The most that a pool of several coins gains over all its pairs together.
 *
 * In: the pool as one node (`Protocol.joint`): coins are sold for units of its invariant and bought with them, with φ
 * units free. Out: a value that no trade with the pool exceeds at coin prices ν. For any price p ≥ 0 of a unit,
 *
 *   gain ≤ p·φ + Σ_k max_x (p·in_k(x) - ν_k·x) + Σ_k max_u (ν_k·out_k(u) - p·u)
 *
 * by weak duality; it is convex in p, whose best value is found by bisection of the derivative. Where the node is a
 * tangent (stableswap), it is linearised again where the flows at that price leave the pool, and the least value counts.
 */

const TANGENTS = 3;
const HALVINGS = 32;
/** The price of a unit is looked for between the least and the largest that a coin gives it, times and over this. */
const BEYOND = 4;

/**
 * The share by which the curve of a coin that is bought may lie below the pool between its nodes: at most the first,
 * and in a pool whose price hardly moves (stableswap near balance) this part of the fall of the price that the coin's
 * intake shows.
 */
const MOST_BELOW = 5e-6;
const BELOW = 1e-3;

/** Coin prices, and the gain below which it need not be known any better. */
export type Asked = { readonly prices: readonly number[]; readonly enough: number };

/** A gain in value of the coin prices, and whether more of some coin would be traded than the node takes or pays. */
export type JointGain = { readonly gain: number; readonly isExhausted: boolean };

/** @param untouched the node before any trade; @param limited whether it is the node of single swaps */
export function jointEarning(
  entry: PoolEntry,
  untouched: Joint,
  { prices, enough }: Asked,
  limited: boolean,
): JointGain {
  const traded = new Float64Array(prices.length);
  let [least, joint]: [number, Joint | undefined] = [Infinity, untouched];
  let isExhausted = false;
  for (let round = 1; joint !== undefined; round++) {
    const at = gainAt(joint, { prices, unit: unitPrice(joint, prices) }, traded);
    least = Math.min(least, at.gain);
    isExhausted ||= at.isExhausted;
    if (!(least > enough) || round === TANGENTS) break;
    joint = entry.protocol.joint(entry.mirror, traded, limited);
    // A node that gives nothing for free at any point of linearisation is no tangent: linearised again it is the same.
    if (joint?.free === 0) break;
  }
  return { gain: Math.max(0, least), isExhausted };
}

/** The price of a unit at which as many are bought with coins as are spent on coins. */
function unitPrice(joint: Joint, prices: readonly number[]): number {
  let [low, high] = [Infinity, 0];
  for (const [k, price] of prices.entries()) {
    if (!(price > 0)) continue;
    low = Math.min(low, price / joint.into[k]!.m[0]!, price * joint.outOf[k]!.m[0]!);
    high = Math.max(high, price / joint.into[k]!.m[0]!, price * joint.outOf[k]!.m[0]!);
  }
  let [from, to] = [Math.log(low / BEYOND), Math.log(high * BEYOND)];
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (from + to) / 2;
    if (excessUnits(joint, prices, Math.exp(middle)) < 0) from = middle;
    else to = middle;
  }
  return Math.exp(to);
}

/** Units that come in, with those that are free, less those that are spent. */
function excessUnits({ into, outOf, free }: Joint, prices: readonly number[], unit: number): number {
  let excess = free;
  for (const [k, price] of prices.entries()) {
    excess += conjugate(into[k]!, price / unit).bought;
    if (price > 0) excess -= conjugate(outOf[k]!, unit / (price * (1 + below(into[k]!)))).sold;
  }
  return excess;
}

/** The value of the bound where a unit costs `unit`. Leaves in `traded` what the pool is given there, by coin. */
function gainAt(
  { into, outOf, free }: Joint,
  { prices, unit }: { readonly prices: readonly number[]; readonly unit: number },
  traded: Float64Array,
): JointGain {
  let gain = unit * free;
  let isExhausted = false;
  for (const [k, price] of prices.entries()) {
    const worth = price * (1 + below(into[k]!));
    const given = conjugate(into[k]!, price / unit);
    const taken = price > 0 ? conjugate(outOf[k]!, unit / worth) : NOTHING;
    gain += unit * given.bought - price * given.sold + worth * taken.bought - unit * taken.sold;
    traded[k] = given.sold - taken.bought;
    isExhausted ||= given.sold >= into[k]!.end || taken.sold >= outOf[k]!.end;
  }
  return { gain, isExhausted };
}

function below({ m }: Curve): number {
  return Math.min(MOST_BELOW, BELOW * (m[0]! / m[m.length - 1]! - 1));
}

type Trade = { readonly sold: number; readonly bought: number };

const NOTHING: Trade = { sold: 0, bought: 0 };

/** The trade with a curve that gains most where a unit sold costs `least` units bought. */
function conjugate({ x, y, m, c, end }: Curve, least: number): Trade {
  if (!(m[0]! > least)) return NOTHING;
  let k = 0;
  while (k + 1 < x.length && m[k + 1]! > least) k++;
  const width = (k + 1 < x.length ? x[k + 1]! : end) - x[k]!;
  const h = Math.min(width, (Math.sqrt(m[k]! / least) - 1) / c[k]!);
  return { sold: x[k]! + h, bought: y[k]! + (m[k]! * h) / (1 + c[k]! * h) };
}
