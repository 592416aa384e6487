import { decodeRevert } from "../../core/encoding/index.ts";
import { isMakerPool } from "../../core/rfq.ts";
import type { Hex, Pool, PoolId } from "../../core/types.ts";
import { makerPools } from "../makers/orders.ts";
import type { Refused } from "../ports/ports-quotes.ts";
import type { Priced } from "../pricing/price.ts";
import { deploymentOf } from "../pricing/route-summary.ts";

export const DIFFERED = "when the calldata was run for this request, it did not pay what it quotes";
const ORDER_DIFFERED =
  "when the calldata was run for this request, the maker's order was not filled as signed";

/**
 * What a request has to exclude where a simulation contradicts an offer with makers' orders: the maker whose order was
 * not filled where the revert names it, so that it does not keep the others out; else all makers of the route.
 *
 * @param reverted the data of the revert; undefined where the simulation paid another amount
 * @returns undefined for an offer without orders
 */
export function withoutItsMakers(
  { offer, refused, served }: Priced,
  reverted: Hex | undefined,
): readonly Refused[] | undefined {
  const makers = makerPools(offer.route);
  if (makers.length === 0) return undefined;
  const { name, values } = decodeRevert(reverted ?? "0x");
  const isNamed = (pool: Pool) =>
    isMakerPool(pool) && deploymentOf(served.chain, pool).factory === values.maker;
  const named =
    name === "MakerRefused" ? offer.route.steps.flatMap(({ pool }) => (isNamed(pool) ? [pool.id] : [])) : [];
  return [...refused, ...refusals(named.length > 0 ? named : makers, ORDER_DIFFERED)];
}

export function refusals(pools: readonly PoolId[], reason: string): Refused[] {
  return pools.map((id) => ({ kind: "pool", id, reason }));
}
