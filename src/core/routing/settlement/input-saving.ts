import { outputAt, slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { LaidStep } from "./layout.ts";

/**
 * Estimates how much of `sold` a step need not sell and would still be paid `bought`, in smallest units of the token
 * sold. Returns 0 where the saving is not worth another quote.
 */
export type InputSaving = (step: number, sold: bigint, bought: bigint) => bigint;

/** Input is saved only where a smallest unit of the token bought is worth more than this share of the order. */
const MATTERS = 1e-8;
/**
 * In fractions of a smallest unit bought: the fraction lost to rounding from which on another quote is worth its time,
 * and the fraction that the estimate keeps as a margin, so that rounding does not cost a whole unit.
 */
const SPARE = 0.02;
const LEFT = 1e-3;

/**
 * Input saving for a plan. A pool rounds its output down, so a step pays for a fraction of a unit that it does not
 * receive; where one unit of the token bought has a high value this matters. The fraction lost is estimated as the
 * output of the edge's curve less the integer output, and is turned into an amount sold by the curve's marginal price.
 *
 * @param value of the order, in wei of the native coin at reference prices
 */
export function inputSavingOf(
  { curves, values, head }: Graph,
  plan: readonly LaidStep[],
  value: number,
): InputSaving {
  return (step, sold, bought) => {
    const { edge } = plan[step]!;
    if (edge < 0 || !(values.ref[head[edge]!]! > MATTERS * value)) return 0n;
    const amount = Number(sold);
    const spare = outputAt(curves, edge, amount) - Number(bought);
    if (!(spare > SPARE)) return 0n;
    const kept = Math.floor((spare - LEFT) / slopeAt(curves, edge, amount));
    return kept > 0 && kept < amount ? BigInt(kept) : 0n;
  };
}
