import type { PoolId } from "../../core/types.ts";
import { makerPools } from "../makers/orders.ts";
import type { Refused } from "../ports/ports-quotes.ts";
import type { Priced } from "../pricing/price.ts";

export const DIFFERED = "when the calldata was run for this request, it did not pay what it quotes";
const ORDER_DIFFERED =
  "when the calldata was run for this request, the maker's order was not filled as signed";

/**
 * What a request has to exclude where a simulation contradicts an offer with makers' orders; undefined for an offer
 * without orders.
 */
export function withoutItsMakers({ offer, refused }: Priced): readonly Refused[] | undefined {
  const makers = makerPools(offer.route);
  return makers.length === 0 ? undefined : [...refused, ...refusals(makers, ORDER_DIFFERED)];
}

export function refusals(pools: readonly PoolId[], reason: string): Refused[] {
  return pools.map((id) => ({ kind: "pool", id, reason }));
}
