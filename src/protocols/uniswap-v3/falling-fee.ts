import {
  type ConcentratedMirror,
  concentratedCurve,
} from "../../core/math/concentrated/concentrated-mirror.ts";
import type { Curve } from "../../core/protocol.ts";
import { distanceAt, type MovingFee } from "./moving-fee.ts";

/**
 * How a fee that follows the price falls within a route. Each swap pays the fee of the tick at which it begins, so that several small
 * swaps towards the average price pay less than one.
 */
export type FallingFee = {
  /** Index of the token whose sale moves the price towards its average; undefined if the next fee is not that of the present tick. */
  readonly towards: number | undefined;
  /** Relative growth of 1 - fee over that of the price: it grows at most as the price^-bend. */
  readonly bend: number;
  /** Largest factor by which 1 - fee may grow. */
  readonly most: number;
};

const PPM = 1e6;
/** Logarithm of the price over one tick. */
const TICK = Math.log(1.0001);

/** @param feePpm the fee at the present tick; @returns undefined if no swap of the block pays a lower fee than the first */
export function fallingFee(
  fee: MovingFee,
  feePpm: number,
  { tick, time }: { readonly tick: number; readonly time: number },
): FallingFee | undefined {
  if (feePpm <= fee.basePpm) return undefined;
  const keep = 1 - feePpm / PPM;
  const most = (1 - fee.basePpm / PPM) / keep;
  const distance = distanceAt(fee, tick, time);
  const isOpening = fee.openingPpm !== undefined && fee.ring.newest !== time;
  if (isOpening || distance === undefined) return { towards: undefined, bend: 1, most };
  const bend = Number(fee.scaling) / PPM / PPM / keep / TICK;
  return { towards: distance > 0 ? 0 : 1, bend, most };
}

/**
 * Upper bound on what sales of one token, however many, gain in units of the other, if a unit sold costs `least`.
 *
 * Let f be the output of one sale, m its marginal price at the start, and p ≤ 1 the present price over that at the start. A sale
 * that begins there pays at most m·g·p^(1 - bend) at the margin, where g is the growth of 1 - fee over the one tick that less than a
 * tick may cross. It gains as long as that is above `least`, so down to a price p*, and until then 1 - fee has grown at most by
 * G = g·p*^-bend. So all sales together gain at most what G·f(x) - least·x is at its maximum.
 */
function gainOf(curve: Curve, least: number, { bend, most }: FallingFee): number {
  const first = Math.exp(bend * TICK);
  const last = (least / (first * curve.m[0]!)) ** (1 / (1 - bend));
  const grown = bend < 1 ? Math.min(most, first * Math.max(1, last ** -bend)) : most;
  return grown * mostGain(curve, least / grown);
}

/** The maximum of f(x) - least·x. */
function mostGain({ x, y, m, c, end }: Curve, least: number): number {
  let k = 0;
  if (!(m[0]! > least)) return 0;
  while (k + 1 < x.length && m[k + 1]! > least) k++;
  const width = (k + 1 < x.length ? x[k + 1]! : end) - x[k]!;
  const h = c[k]! > 0 ? Math.min(width, (Math.sqrt(m[k]! / least) - 1) / c[k]!) : width;
  return y[k]! + (m[k]! * h) / (1 + c[k]! * h) - least * (x[k]! + h);
}

/**
 * Upper bound on the gain of any number of swaps at the tokens' prices. Sales that move the price away from its average pay the least
 * fee at best, after others that have moved it there and back.
 */
export function gainWhileFalling(
  pool: ConcentratedMirror,
  falling: FallingFee,
  prices: readonly number[],
): number {
  const gains = [0, 1].map((i) => {
    const curve = concentratedCurve(pool, i, 1 - i);
    const bend = falling.towards === i ? falling.bend : 1;
    return prices[1 - i]! * gainOf(curve, prices[i]! / prices[1 - i]!, { ...falling, bend });
  });
  return Math.max(...gains);
}
