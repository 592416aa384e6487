import type { Graph } from "../market-graph/graph.ts";
import type { Optimality } from "../types.ts";
import type { Bounds, CertifiedOrder } from "./certify.ts";
import type { LocalPrices } from "./memory.ts";

/**
 * The published figures on a route's optimality: its distance from the bounds, in the unit that suits the order.
 *
 * In: bounds, what the route pays, and what gas costs. Out: gaps in basis points of the bound, net of gas also in legs
 * of `LEG_GAS` units of gas. Where the market's arbitrage exceeds 1 % of the order, the bound contains it whatever the
 * route, and the gaps are null, as they would say nothing. Where the gas of one leg exceeds 1 % of the order, the gap
 * is given in legs only.
 */

/** Units of gas of one crossing of a plain pool: the unit of gaps in legs. */
export const LEG_GAS = 60_000;
/** Share of an order above which arbitrage, or the gas of one leg, outweighs what a gap in basis points could show. */
const MUCH = 0.01;

/** What a route pays, and what its gas costs, in smallest units of the token bought. */
export type Paid = { readonly amountOut: bigint; readonly gasCost: bigint };

/** The gaps, and why they are null; they are computed again where fees change what is paid. */
export type Gaps = Pick<Optimality, "gapBps" | "gapNetBps" | "gapLegs" | "reason">;

/**
 * The bounds and what is compared with them, in smallest units of the token bought; arbitrage as a share of the order.
 */
export type Compared = Pick<Optimality, "upperBound" | "upperBoundNet" | "legCost" | "arbitrageShare"> & Paid;

/** The gaps between a route and its bounds. @returns gaps ≥ 0; null where a gap would say nothing, with the reason */
export function gapsOf(compared: Compared): Gaps {
  const { amountOut, gasCost, upperBound, upperBoundNet, legCost, arbitrageShare } = compared;
  if (arbitrageShare > MUCH)
    return { ...NO_GAPS, reason: "the market holds arbitrage of more than 1 % of this amount" };
  const net = amountOut - gasCost;
  const gapLegs = legCost > 0 ? round(Number(upperBoundNet - net) / legCost) : null;
  if (legCost > MUCH * Number(amountOut))
    return { ...NO_GAPS, gapLegs, reason: "the gas of one pool is more than 1 % of this amount" };
  return {
    gapBps: bpsBelow(upperBound, amountOut),
    gapNetBps: bpsBelow(upperBoundNet, net),
    gapLegs,
    reason: undefined,
  };
}

const NO_GAPS = { gapBps: null, gapNetBps: null, gapLegs: null } as const;

function bpsBelow(bound: bigint, paid: bigint): number | null {
  return bound > 0n ? Number(((bound - paid) * 10n ** 12n) / bound) / 1e8 : null;
}

function round(legs: number): number {
  return Math.round(legs * 1e6) / 1e6;
}

/** The gain of arbitrage that the market holds, after gas: in wei, and as a share of an order's value. */
export type MarketArbitrage = { readonly wei: number; readonly share: number };

/**
 * The arbitrage that pools of two tokens hold at base prices, after gas, among pools that are connected with the token
 * sold.
 *
 * @param gasPriceWei of the order; 0 where gas is not counted
 */
export function arbitrageOf(
  graph: Graph,
  local: LocalPrices,
  order: CertifiedOrder,
  gasPriceWei: number,
): MarketArbitrage {
  const { component } = graph.near;
  const { tail, entries, base } = graph;
  let wei = 0;
  for (const { index, earned, cost } of local.residual) {
    if (earned <= graph.leastGas * gasPriceWei) break;
    if (component[tail[entries[index]!.firstEdge]!] !== component[order.from]) continue;
    wei += Math.max(0, earned - cost * gasPriceWei);
  }
  const value = base.price[order.from]! * order.amount;
  return { wei, share: value > 0 ? wei / value : 0 };
}

/**
 * A lower bound on the amount that has to be sold to buy `wanted`, in smallest units, rounded up: the largest of those
 * that several bounds give. 0 where the gains of crossings alone may pay as much. As upper bounds are rounded up to a whole unit, so a
 * unit less than `wanted` has to be paid for: a pool may round the last one up, or the fee of it down.
 */
export function leastSold(proofs: readonly { readonly bounds: Bounds }[], wanted: bigint): bigint {
  let least = 0;
  const paidFor = Number(wanted - 1n);
  for (const { bounds } of proofs) {
    const { priceIn, gained, raised } = bounds;
    if (priceIn > 0) least = Math.max(least, ((paidFor / raised - gained) / priceIn) * (1 - 1e-12));
  }
  return least < Number.MAX_VALUE ? BigInt(Math.ceil(least)) : 0n;
}
