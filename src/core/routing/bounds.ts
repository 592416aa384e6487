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

/** The bounds that some prices prove for a sale of `amountIn`. */
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
 * A route within these distances of its bound is not searched for by real outputs, since the bound contains all arbitrage: a number of
 * legs together with a share of what it nets, or a smaller share alone. For small orders a part of a leg would be several percent.
 */
const PROVED_LEGS = { legs: 0.6, share: 5e-4 };
const PROVED = 3e-5;

/** Whether a route nets so nearly what the bounds allow that no further search is worth it. @param share of its net that may be missing */
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
