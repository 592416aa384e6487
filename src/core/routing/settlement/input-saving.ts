import { outputAt, slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { LaidStep } from "./layout.ts";

/**
 * What a step may keep of the `sold` that it was to sell and still be paid `bought`, by estimate; 0 where that is not worth
 * another quote.
 */
export type InputSaving = (step: number, sold: bigint, bought: bigint) => bigint;

/** Share of the order that a unit bought must be worth for a part of one to matter. */
const MATTERS = 1e-8;
/** Parts of a unit that are worth another quote, and that are left so that rounding does not take the whole unit. */
const SPARE = 0.02;
const LEFT = 1e-3;

/**
 * Where a unit of what is bought is worth much, a step pays for a part of one that it does not get. It needs to sell only what
 * its curve, short of what rounding took, says that the whole units cost.
 *
 * @param value of the order
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
