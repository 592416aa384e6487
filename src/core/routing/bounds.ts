import type { Bounds, CertifiedOrder, Unproved } from "./certificate/certify.ts";
import { certifyLocally, type PartialPrices } from "./certificate/local/local.ts";
import { LEG_GAS } from "./certificate/statement.ts";
import type { Query } from "./request.ts";
import type { Judged } from "./settlement/evaluate.ts";

/** A request as the certificate reads it. */
export function certifiedOrder(
  { from, to, request, outPerGas, allowed }: Query,
  amountIn: bigint,
): CertifiedOrder {
  const { maxLegs, at } = request;
  return { from, to, amount: Number(amountIn), maxLegs, outPerGas, allowed, at };
}

/** The bounds that some prices prove for a sale. */
export function boundsAt(
  query: Query,
  prices: PartialPrices,
  amountIn: bigint,
  how: Pick<CertifiedOrder, "staysPut" | "ledger"> = {},
): Bounds | Unproved {
  return certifyLocally(query.graph, query.workspace.certificates, prices, {
    ...certifiedOrder(query, amountIn),
    ...how,
  });
}

/**
 * A route this near to its bound is not searched for without prices, as what arbitrage could still bring is in the bound: in legs of gas
 * and as a share, or as a smaller share alone. Of orders of which a leg is some percent, a part of a leg is too much to leave.
 */
const PROVED_LEGS = { legs: 0.6, share: 5e-4 };
const PROVED = 3e-5;

/** Whether a route nets what bounds allow, or so little less that no search is worth it. @param share of its net that is little */
export function isProved(
  { outPerGas }: Query,
  best: Judged | undefined,
  bounds: Bounds | Unproved,
  share = 0,
): boolean {
  if (best === undefined || "reason" in bounds) return false;
  const net = Number(best.net);
  const ofLegs = Math.min(PROVED_LEGS.share * net, PROVED_LEGS.legs * LEG_GAS * outPerGas);
  return bounds.net - net < Math.max(Math.max(PROVED, share) * net, ofLegs);
}
