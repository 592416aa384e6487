import type { Bounds, CertifiedOrder, Unproved } from "./certificate/certify.ts";
import { certifyLocally, type PartialPrices } from "./certificate/local/local.ts";
import type { Query } from "./request.ts";

/** A request as the certificate reads it. */
export function certifiedOrder(
  { from, to, request, outPerGas, allowed }: Query,
  amountIn: bigint,
): CertifiedOrder {
  const { maxLegs, at } = request;
  return { from, to, amount: Number(amountIn), maxLegs, outPerGas, allowed, at };
}

/** The bounds that some prices prove for a sale. */
export function boundsAt(query: Query, prices: PartialPrices, amountIn: bigint): Bounds | Unproved {
  return certifyLocally(query.graph, query.shop.certificates, prices, certifiedOrder(query, amountIn));
}
