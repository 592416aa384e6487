import type { At } from "../../types.ts";
import type { Graph } from "../market-graph/graph.ts";
import { distance } from "./distance.ts";
import { earningOf, sharedState } from "./earning/earning.ts";
import type { Groups } from "./earning/groups.ts";
import { endsOf } from "./ends.ts";
import type { CertificateMemory } from "./memory.ts";
import { type Earner, grossGain, netGain } from "./selection.ts";

/**
 * The certificate: what no route can exceed.
 *
 * In: a market, prices ν of all its tokens in units of the token bought (ν = 1 for that one), and an order that sells A.
 * Out: for routes of at most K crossings, whatever they are (splits, cycles, flash credit, a pool crossed twice),
 *
 *   amount out             ≤  ν·A + max over at most K groups of Σ E_g(ν)
 *   amount out less gas    ≤  ν·A + max over d … K crossings of  Σ (E_g(ν) - θ_g)
 *
 * with E_g from `earning/earning.ts`, θ_g the least gas of a crossing at the order's gas price, d the distance of the ends. Priced at
 * ν a route has ν·A at first, a trade with g adds at most E_g, and what is left over is worth no less than nothing. This holds
 * for any ν ≥ 0: bad prices make the bound loose, never wrong. O(pools).
 *
 * Diamandis, Resnick, Chitra and Angeris, "An Efficient Algorithm for Optimal Routing Through Constant Function Market
 * Makers" (2023), section 3, for the dual without lengths and costs.
 */

/** An order as the certificate reads it. */
export type CertifiedOrder = {
  /** Nodes of the token sold and of the token bought. */
  readonly from: number;
  readonly to: number;
  /** What is sold, smallest units. */
  readonly amount: number;
  /** Crossings allowed; 0 = no cap. */
  readonly maxLegs: number;
  /** Units of the token bought that a unit of gas costs; 0 where gas is not counted or has no price. */
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
  readonly at: At;
  /** Set: the prices of all nodes that the bounds were worked out with are left here. */
  readonly keep?: Float64Array;
  /** Set: what `certifyLocally` worked the bounds out with is left here. */
  readonly ledger?: Ledger;
  /** Set: tokens that hang on more than one other stay at base prices unless a price is given. */
  readonly staysPut?: boolean;
  /** Share of what is held that a crossing of a pool of constant price may gain; see `MOST_DRIFT`. */
  readonly drift?: number;
  /** Pools that share state, by pool. */
  readonly groups?: Groups;
};

/** Prices that differ from base prices, in units of the token bought, by node, and the pools that gain at them. */
export type Ledger = { readonly moved: Map<number, number>; readonly gaining: Gaining[] };

/** A pool by its index, what it gains in units of the token bought, and the gas units of a crossing. */
export type Gaining = Earner & { readonly index: number };

/** Crossings of pools of constant price that bounds reckon with where the number of crossings is not limited. */
const MOST_CONSTANT = 64;

/** Bounds in smallest units of the token bought, in doubles. */
export type Bounds = {
  /** No route pays more, and none is worth more net of the gas of its crossings. */
  readonly gross: number;
  readonly net: number;
  /** The price of a unit sold, and what crossings gain at most: gross is the price of what is sold and the gain. */
  readonly priceIn: number;
  readonly gained: number;
};

/** Why prices prove nothing. */
export type Unproved = { readonly reason: string };

export const NO_PRICE = "a token of the order has no price";

/** The bounds that prices prove, asking every pool. @param prices by node, in units of the token bought */
export function certify(
  graph: Graph,
  memory: CertificateMemory,
  prices: ArrayLike<number>,
  order: CertifiedOrder,
): Bounds | Unproved {
  const { at, allowed, from, to } = order;
  const price = (node: number) => prices[node]!;
  const market = { graph, memory, at, allowed, price, enough: 0, ends: [from, to] };
  const earners: Gaining[] = [];
  memory.drift = 0;
  for (let index = 0; index < graph.entries.length; index++) {
    const earning = earningOf(market, index);
    if (earning === undefined) continue;
    if ("reason" in earning) return earning;
    earners.push({ ...earning, index });
  }
  const known = { ...order, drift: memory.drift, groups: sharedState(memory, graph) };
  return boundsOf(graph, known, prices[order.from]!, earners);
}

/** Doubles round each sum and product: this share more is above all that they lose. */
const ROUNDING = 1e-12;

/** @param earners what groups gain, with the gas units of a crossing as costs */
export function boundsOf(
  graph: Graph,
  order: CertifiedOrder,
  priceIn: number,
  earners: readonly Gaining[],
): Bounds | Unproved {
  const { from, to, amount, maxLegs, outPerGas, allowed } = order;
  const most = maxLegs > 0 ? maxLegs : Infinity;
  const gained = grossGain(earners, most);
  // Each crossing of a pool of constant price gains at most this share of all that the route holds.
  const drifted = (1 + (order.drift ?? 0)) ** Math.min(most, MOST_CONSTANT);
  const gross = (priceIn * amount + gained) * drifted * (1 + ROUNDING);
  if (!(gross > 0 && gross < Number.MAX_VALUE)) return { reason: NO_PRICE };
  if (!(outPerGas > 0)) return { gross, net: gross, priceIn, gained };
  const fewest = distance(graph, from, to, allowed);
  const ends = from === to ? [] : endsOf(graph, order, earners);
  const costed = earners.map(({ earned, cost }) => ({ earned, cost: cost * outPerGas }));
  const net =
    priceIn * amount + netGain(costed, { fewest, most, leastCost: graph.leastGas * outPerGas, ends });
  const above = gross - (priceIn * amount + gained);
  return { gross, net: net + above + gross * ROUNDING, priceIn, gained };
}
