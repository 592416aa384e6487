import type { Graph } from "../market-graph/graph.ts";
import { type Losses, leastPath } from "../market-graph/least-path.ts";
import { type Connected, connectedGain, connectionsOf } from "./connections.ts";
import { type CrossingCosts, costsOf, type Gains } from "./gains.ts";
import { netGain } from "./selection.ts";

/**
 * What all crossings of a route gain together at given prices.
 *
 *   σK + Σ over pools that gain, as `connections.ts` has it - min over paths between the ends of Σ of the losses that are left
 *
 * for a shadow price σ ≥ 0 of a crossing. Any is valid; several are tried.
 */

/** The fields of an order that its gains depend on. */
type Order = {
  readonly from: number;
  readonly to: number;
  readonly maxLegs: number;
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
};

/** Shadow prices that are tried: shares of what the pools of these ranks gain. */
const RANKS = [0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32];

/** At these shares of what a pool gains it pays for its own crossing, for one more, and for one before it and one after it. */
const SHARES = [1, 1 / 2, 1 / 3];

/** Share by which sums of gains may differ and count as equal. */
const TIE = 1e-9;

/** The most that the crossings of a route gain after their gas, in units of the token bought; less than 0 where each path loses. */
export function mostGained(graph: Graph, order: Order, gains: Gains): number {
  const most = order.maxLegs > 0 ? order.maxLegs : Infinity;
  const costs = costsOf(graph, order, gains);
  const costed = gains.earners.map((one) => ({ ...one, cost: one.cost * order.outPerGas }));
  const { shadow, values } = netGain(costed, most);
  const connections = connectionsOf(graph, order, gains, costs);
  const ofCap = (price: number) => (price > 0 ? price * most : 0);
  const gainedAt = (price: number) => {
    const connected = connectedGain(connections, price);
    const { loss } = leastPath(graph, order, lossesAt(price, costs, connected));
    return ofCap(price) + connected.gain - loss;
  };
  let least = gainedAt(shadow);
  if (connections.directed.length === 0 || most === Infinity) return least;
  const ofPools = RANKS.map((rank) => Math.max(0, values[values.length - 1 - rank] ?? 0));
  const prices = [...new Set(ofPools.flatMap((gain) => SHARES.map((share) => gain * share)))].sort(
    (a, b) => b - a,
  );
  const gained = prices.map((price) => ofCap(price) + connectedGain(connections, price).gain);
  const lowest = Math.min(...gained) + TIE * Math.abs(Math.min(...gained));
  // Losses of paths rise with the price, so that larger ones are tried while they lower the bound.
  for (let k = gained.findIndex((one) => one <= lowest); k >= 0; k--) {
    const next = gainedAt(prices[k]!);
    if (next >= least) break;
    least = next;
  }
  return least;
}

/** What crossings lose of their cost and the shadow price `price`, and is not used up by pools that gain. */
function lossesAt(price: number, { netCost, leastAt }: CrossingCosts, { used, mostUsed }: Connected): Losses {
  const loss = (cost: number) => Math.max(0, cost + price);
  return {
    of: (edge) => Math.max(0, loss(netCost(edge)) - used(edge)),
    leastAt: (node) => Math.max(0, loss(leastAt(node)) - 2 * mostUsed),
  };
}
