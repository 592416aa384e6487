import type { Bounds, CertifiedOrder, Unproved } from "./certificate/certify.ts";
import { certifyLocally, type PartialPrices } from "./certificate/local/local.ts";
import { type Crossing, routePrices } from "./certificate/route-prices.ts";
import { LEG_GAS } from "./certificate/statement.ts";
import { spotSlope } from "./curves/segments.ts";
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

/** The marginal prices of a settled route, by node, in units of the token bought; a wrap has none. */
export function marginalPrices(
  { graph, to }: Query,
  settled: Pick<Judged, "plan" | "route">,
): Map<number, number> {
  return routePrices(graph, to, crossingsOf(settled));
}

/** The rate of a settled route for a vanishing amount, divided as the settled amounts are. */
export function spotRateAlong({ graph, from, to }: Query, settled: Pick<Judged, "plan" | "route">): number {
  const spotOf = ({ edge }: Crossing) => spotSlope(graph.curves, edge);
  return routePrices(graph, to, crossingsOf(settled), spotOf).get(from) ?? 0;
}

function crossingsOf({ plan, route }: Pick<Judged, "plan" | "route">): readonly Crossing[] {
  return plan.flatMap(({ edge }, k) =>
    edge < 0 ? [] : [{ edge, amount: Number(route.steps[k]!.amountIn) }],
  );
}

/** The bounds that some prices prove for a sale of `amountIn`. */
export function boundsAt(
  query: Query,
  prices: PartialPrices,
  amountIn: bigint,
  how: Pick<CertifiedOrder, "staysPut" | "ledger" | "giveUp"> = {},
): Bounds | Unproved {
  return certifyLocally(query.graph, query.workspace.certificates, prices, {
    ...certifiedOrder(query, amountIn),
    ...how,
  });
}

/**
 * A route within this number of legs, or this share, of its bound is not searched for by real outputs, since the bound
 * contains all arbitrage. `npm run bench:routing` shows what a larger number costs: with 1.2 one order of 300 loses 48 bp.
 */
const PROVED_LEGS = 0.6;
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
  return bounds.net - net < Math.max(PROVED * net, share * net, PROVED_LEGS * LEG_GAS * outPerGas);
}

/** The convex bound in smallest units, or the reason why there is none. @param value of the bound @param unit value of a smallest unit */
export function boundOf(value: number | undefined, unit: number): bigint | string {
  if (value === undefined) return "some cycle of pools pays";
  const amount = value / unit;
  return amount > 0 && amount < Number.MAX_VALUE ? BigInt(Math.ceil(amount)) : "no bound was found";
}
