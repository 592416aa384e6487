import { gapsOf } from "../../core/routing/certificate/statement.ts";
import type { Optimality, RouteFound, Unproven } from "../../core/routing/types.ts";
import { beforeFee, feeOf } from "../../core/shares/fees.ts";

/** What an offer proves, after both fees, so that it compares with what the recipient gets and the caller sells. */
export type OfferOptimality = Optimality | Unproven;

/**
 * The engine's bounds after both fees, in smallest units: upper bounds rounded up. The net bound bears the fee as if gas
 * did, which is above what any route nets.
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
