import type { At } from "../../types.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Gaining, Gains } from "./gains.ts";
import { mostGained } from "./route-gains.ts";
import { grossGain } from "./selection.ts";

/**
 * The certificate: upper bounds on what a route can pay.
 *
 * In: a market, prices ν of all its tokens in units of the token bought, whose own price is 1, and an order that sells A.
 * Out: for routes of at most K crossings, whatever they are (splits, cycles, flash credit, a pool crossed twice),
 *
 *   amount out             ≤  ν·A + max over at most K groups of Σ E_g(ν)
 *   amount out less gas    ≤  ν·A + σK + Σ max(0, E_g(ν) - θ_g - σ) - min over paths of Σ max(0, θ_e + σ - E_g(e)(ν))
 *
 * with E_g from `earning/earning.ts`, net after the gas of the ticks that the best trade passes, θ the least gas of a crossing of a
 * group or an edge at the order's gas price, and any σ ≥ 0 (`route-gains.ts`). Priced at ν a route has ν·A at first, a trade with g adds
 * at most E_g, and what is left over is worth no less than nothing. Net, each crossing also costs θ + σ, and at most K times σ is given
 * back: a group that is crossed adds at most max(0, E_g - θ_g - σ), and every route crosses the pools of some path between its ends,
 * also those that lose (`market-graph/least-path.ts`), and others to reach the groups that gain and to go on from them, which comes off
 * as well (`connections.ts`). This holds for any ν ≥ 0: bad prices make the bound loose, never wrong. O(pools).
 *
 * Diamandis, Resnick, Chitra and Angeris, "An Efficient Algorithm for Optimal Routing Through Constant Function Market
 * Makers" (2023), section 3, for the dual without lengths and costs.
 */

/** An order as the certificate needs it. */
export type CertifiedOrder = {
  /** Nodes of the token sold and of the token bought. */
  readonly from: number;
  readonly to: number;
  /** Amount sold, in smallest units. */
  readonly amount: number;
  /** Cap on the number of crossings; 0 = no cap. */
  readonly maxLegs: number;
  /** Cost of a unit of gas in smallest units of the token bought; 0 where gas is not counted or has no price. */
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
  readonly at: At;
  /** Where set, receives the prices of all nodes at which the bounds were computed. */
  readonly keep?: Float64Array;
  /** Where set, receives the moved prices and the gains of pools from which `certifyLocally` computed the bounds. */
  readonly ledger?: Ledger;
  /** Where true, tokens of more than one neighbour keep their base price unless a price for them is given. */
  readonly staysPut?: boolean;
  /** Where set, nothing is proved as soon as a pool not passed gains so much beyond its gas, in units of the token bought. */
  readonly giveUp?: { readonly above: number; readonly passed: ReadonlySet<number> };
  /**
   * The most that one crossing of a pool of constant price gains, as a share of what the route holds; see `MOST_DRIFT`.
   */
  readonly drift?: number;
};

/**
 * The basis of a bound: by node, the prices that were set (all others are base prices), in units of the token bought,
 * and the pools that gain at these prices.
 */
export type Ledger = { readonly moved: Map<number, number>; readonly gaining: Gaining[] };

/** Number of crossings of pools of constant price that bounds account for where the number of crossings has no cap. */
const MOST_CONSTANT = 64;

/** Bounds in smallest units of the token bought, in doubles. */
export type Bounds = {
  /** No route pays more than `gross`, and none pays more than `net` after the gas of its crossings. */
  readonly gross: number;
  readonly net: number;
  /**
   * The price of a unit of the token sold, the most that crossings gain, and the factor for the drift of pools of constant price and
   * for the rounding of doubles: `gross` is (`priceIn` times the amount sold, plus `gained`) times `raised`.
   */
  readonly priceIn: number;
  readonly gained: number;
  readonly raised: number;
};

/** The reason why prices prove no bound. */
export type Unproved = { readonly reason: string };

export const NO_PRICE = "a token of the order has no price";
const UNLIMITED = "a pool of unlimited size would gain without limit at every price tried";

/** Share by which bounds are raised: more than the rounding of all sums and products in doubles can lose. */
const ROUNDING = 1e-12;

/** Share of an order above which what pools gain may count less, as a route has to reach them. */
const MUCH = 1e-4;

/**
 * Whether it is worth computing what it costs to reach pools that gain, where gas is not counted: without arbitrage it lowers bounds by
 * 0.01 bp, in a tenth of a search's time.
 */
function isMuch({ arbitrageFree }: Graph, gained: number, value: number): boolean {
  return arbitrageFree.market !== undefined && gained > MUCH * value;
}

/**
 * The bounds that follow from what groups of pools gain at some prices.
 *
 * @param priceIn price of a unit of the token sold, in units of the token bought
 * @param gains what groups gain; the costs of earners are in units of gas
 */
export function boundsOf(
  graph: Graph,
  order: CertifiedOrder,
  priceIn: number,
  gains: Gains,
): Bounds | Unproved {
  const { amount, maxLegs, outPerGas } = order;
  const { earners } = gains;
  const most = maxLegs > 0 ? maxLegs : Infinity;
  const ofPools = grossGain(earners, most);
  // Shadow prices and losses are differences of gains, which are no numbers where these are infinite.
  if (ofPools === Infinity) return { reason: UNLIMITED };
  const isNet = outPerGas > 0;
  const isOpen = !isNet && most < Infinity && isMuch(graph, ofPools, priceIn * amount);
  // Its terms are as large as what all pools gain, whatever is left of them, and so is their rounding.
  const reached = isOpen ? mostGained(graph, order, gains) + ofPools * ROUNDING : ofPools;
  // Where no so short a path joins the ends the bound falls below nothing; there is no route then that it could be compared with.
  const gained = priceIn * amount + reached > 0 ? Math.min(ofPools, reached) : ofPools;
  // Each crossing of a pool of constant price multiplies what the route holds by at most 1 + drift.
  const drifted = (1 + (order.drift ?? 0)) ** Math.min(most, MOST_CONSTANT);
  const raised = drifted * (1 + ROUNDING);
  const gross = (priceIn * amount + gained) * raised;
  if (!(gross > 0 && gross < Number.MAX_VALUE)) return { reason: NO_PRICE };
  if (!isNet) return { gross, net: gross, priceIn, gained, raised };
  const net = priceIn * amount + mostGained(graph, order, gains);
  const above = gross - (priceIn * amount + gained);
  return { gross, net: net + above + gross * ROUNDING, priceIn, gained, raised };
}
