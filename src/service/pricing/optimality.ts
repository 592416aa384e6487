import { gapsOf } from "../../core/routing/certificate/statement.ts";
import type { Optimality, RouteFound, Unproven } from "../../core/routing/types.ts";
import { beforeFee, feeOf } from "../../core/shares/fees.ts";

/** The proven bounds of an offer after both fees, comparable with what the recipient gets and what the caller sells. */
export type OfferOptimality = Optimality | Unproven;

/**
 * The engine's bounds after both fees, in smallest units; upper bounds are rounded up. The buy fee is deducted from the
 * net bound after gas, although it is due on the amount before gas. The result is higher, and so still an upper bound.
 *
 * @param amountOut what the recipient gets, net of the buy fee
 */
export function optimalityOf(
  { optimality }: RouteFound,
  amountOut: bigint,
  { buyPermille, sellPermille }: { readonly buyPermille: number; readonly sellPermille: number },
): OfferOptimality {
  if (optimality.upperBound === null) return optimality;
  const afterFee = (bound: bigint) => (bound > 0n ? bound - feeOf(bound, buyPermille) : bound);
  const upperBound = afterFee(optimality.upperBound);
  const upperBoundNet = afterFee(optimality.upperBoundNet);
  const { lowerBound } = optimality;
  return {
    ...optimality,
    upperBound,
    upperBoundNet,
    ...gapsOf({ ...optimality, upperBound, upperBoundNet, amountOut }),
    lowerBound: lowerBound === undefined ? undefined : beforeFee(lowerBound, sellPermille),
  };
}
