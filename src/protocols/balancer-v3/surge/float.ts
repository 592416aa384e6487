import { ONE } from "../../../core/math/fixed-point.ts";
import { spreadOf } from "./surge.ts";

/**
 * The imbalance of a pool in doubles: the sum of distances from the median, over the sum of balances.
 *
 * The sum of distances is the total above the median less the total below it. As long as no token changes sides, a
 * swap changes it by its own amounts, so no digits are lost however small they are compared with the balances.
 */
export type Imbalance = {
  /** Balances in 18-digit units. */
  readonly live: Float64Array;
  /** Per token: 1 above the median, -1 below it, 0 at it. */
  readonly sides: Int8Array;
  readonly distance: number;
  readonly sum: number;
  /** Least growth of the imbalance that is visible to the contract, which floors it to 18 digits. */
  readonly room: number;
};

/** A swap before the fee, in 18-digit units. */
type Swap = { readonly i: number; readonly j: number; readonly sold: number; readonly bought: number };

const NONE: Swap = { i: 0, j: 0, sold: 0, bought: 0 };

export function imbalanceFloat(balances: readonly bigint[]): Imbalance {
  const live = Float64Array.from(balances, Number);
  const sides = Int8Array.from(live, (_, k) => sideOf(live, k, NONE));
  const { distance, sum } = spreadOf(balances);
  const unseen = sum === 0n ? 0 : Number((distance * ONE) % sum) / Number(sum);
  return { live, sides, distance: Number(distance), sum: Number(sum), room: (1 - unseen) * 1e-18 };
}

/** The imbalance as a fraction of all balances. */
export function imbalanceOf({ distance, sum }: Imbalance): number {
  return sum > 0 ? distance / sum : 0;
}

function held(live: Float64Array, k: number, { i, j, sold, bought }: Swap): number {
  if (k === i) return live[k]! + sold;
  return k === j ? live[k]! - bought : live[k]!;
}

/** Side by rank among all balances; of two equal balances the later one ranks higher. */
function sideOf(live: Float64Array, k: number, swap: Swap): number {
  const own = held(live, k, swap);
  let below = 0;
  for (let m = 0; m < live.length; m++) {
    const other = held(live, m, swap);
    if (other < own || (other === own && m < k)) below++;
  }
  return Math.sign(2 * below + 1 - live.length);
}

/**
 * The imbalance after a swap, as a fraction; 0 if it is no greater than before.
 *
 * Far from balance the fee is discontinuous where the imbalance starts to grow, so two rounded numbers must not be
 * compared. The imbalance grows if the distances grow by more than their fraction of the sum.
 */
export function grownImbalance({ live, sides, distance, sum, room }: Imbalance, swap: Swap): number {
  const { i, j, sold, bought } = swap;
  let grown = 0;
  for (let k = 0; k < live.length; k++) {
    const side = sideOf(live, k, swap);
    if (k === i) grown += side * sold;
    else if (k === j) grown -= side * bought;
    grown += (side - sides[k]!) * live[k]!;
  }
  const more = sold - bought;
  const growth = (grown * sum - distance * more) / (sum * (sum + more));
  return growth >= room ? (distance + grown) / (sum + more) : 0;
}
