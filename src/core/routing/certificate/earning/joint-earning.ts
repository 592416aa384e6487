import type { Curve, Joint } from "../../../protocol.ts";
import { soldWithin } from "../../curves/response.ts";
import type { PoolEntry } from "../../market-graph/graph.ts";

/**
 * The most that a pool of several coins gains over all its pairs together.
 *
 * In: the pool as one node (`Protocol.joint`): coins are sold for units of its invariant and bought with them, with φ
 * units free. Out: a value that no trade with the pool exceeds at coin prices ν. For any price p ≥ 0 of a unit,
 *
 *   gain ≤ p·φ + Σ_k max_x (p·in_k(x) - ν_k·x) + Σ_k max_u (ν_k·out_k(u) - p·u)
 *
 * by weak duality. The right side is convex in p, and its minimum is found by bisection of the derivative. If the node is a
 * linearisation (stableswap), it is linearised again at the flows of that price, and the least value counts.
 */

const TANGENTS = 3;
const HALVINGS = 32;
/** The price of a unit is searched between the least and the largest that a coin implies, widened by this factor. */
const BEYOND = 4;

/**
 * Share by which the sampled curve of a coin bought may lie below the pool between its nodes: at most `MOST_BELOW`, and in a
 * pool whose price hardly moves (stableswap near balance) a part of the fall in price that the coin's input curve shows.
 */
const MOST_BELOW = 5e-6;
const BELOW = 1e-3;

/** Coin prices, and the precision to which a gain is needed. */
export type Asked = { readonly prices: readonly number[]; readonly enough: number };

/** A gain at the coin prices, and whether more of some coin would be traded than the node allows. */
export type JointGain = { readonly gain: number; readonly isExhausted: boolean };

/**
 * The most that a pool gains over all its pairs.
 * @param untouched its node before any trade
 * @param limited whether that is the node with limits of single swaps
 */
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
    // A node without free units is exact and no linearisation, so it need not be linearised again.
    if (joint?.free === 0) break;
  }
  return { gain: Math.max(0, least), isExhausted };
}

/** The price of a unit of the node at which as many units are bought with coins as are sold for coins. */
function unitPrice(joint: Joint, prices: readonly number[]): number {
  let low = Infinity;
  let high = 0;
  for (let k = 0; k < prices.length; k++) {
    const price = prices[k]!;
    if (!(price > 0)) continue;
    low = Math.min(low, price / joint.into[k]!.m[0]!, price * joint.outOf[k]!.m[0]!);
    high = Math.max(high, price / joint.into[k]!.m[0]!, price * joint.outOf[k]!.m[0]!);
  }
  let from = Math.log(low / BEYOND);
  let to = Math.log(high * BEYOND);
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (from + to) / 2;
    if (excessUnits(joint, prices, Math.exp(middle)) < 0) from = middle;
    else to = middle;
  }
  return Math.exp(to);
}

/** Units bought with coins, plus free units, less units sold for coins, at a unit price. */
function excessUnits({ into, outOf, free }: Joint, prices: readonly number[], unit: number): number {
  let excess = free;
  for (let k = 0; k < prices.length; k++) {
    const price = prices[k]!;
    excess += conjugate(into[k]!, price / unit).bought;
    if (price > 0) excess -= conjugate(outOf[k]!, unit / (price * (1 + below(into[k]!)))).sold;
  }
  return excess;
}

/** The bound at a unit price. Leaves the amounts sold to the pool at it in `traded`, by coin. */
function gainAt(
  { into, outOf, free }: Joint,
  { prices, unit }: { readonly prices: readonly number[]; readonly unit: number },
  traded: Float64Array,
): JointGain {
  let gain = unit * free;
  let isExhausted = false;
  for (let k = 0; k < prices.length; k++) {
    const price = prices[k]!;
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

/** The trade with a curve that gains most if a unit sold costs `least` units bought. */
function conjugate({ x, y, m, c, end }: Curve, least: number): Trade {
  if (!(m[0]! > least)) return NOTHING;
  let k = 0;
  while (k + 1 < x.length && m[k + 1]! > least) k++;
  const width = (k + 1 < x.length ? x[k + 1]! : end) - x[k]!;
  const h = soldWithin(Math.sqrt(m[k]! / least), c[k]!, width);
  return { sold: x[k]! + h, bought: y[k]! + (m[k]! * h) / (1 + c[k]! * h) };
}
