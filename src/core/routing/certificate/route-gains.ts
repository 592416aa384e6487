import { goldenSection } from "../../math/golden-section.ts";
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
 * for a shadow price σ ≥ 0 of a crossing. Any is valid: that of the pools alone, and the best that a search finds, are tried.
 */

/** The fields of an order that its gains depend on. */
type Order = {
  readonly from: number;
  readonly to: number;
  readonly maxLegs: number;
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
};

/** Number of shadow prices that are tried. */
const TRIED = 12;

/** The most that the crossings of a route gain after their gas, in units of the token bought; less than 0 where each path loses. */
export function mostGained(graph: Graph, order: Order, gains: Gains): number {
  const most = order.maxLegs > 0 ? order.maxLegs : Infinity;
  const costs = costsOf(graph, order, gains);
  const costed = gains.earners.map((one) => ({ ...one, cost: one.cost * order.outPerGas }));
  const { shadow, largest } = netGain(costed, most);
  const connections = connectionsOf(graph, order, gains, costs);
  const at = (price: number) => {
    const connected = connectedGain(connections, price);
    const losses = lossesAt(price, costs, connected);
    return { losses, gain: (price > 0 ? price * most : 0) + connected.gain };
  };
  const first = at(shadow);
  const path = leastPath(graph, order, first.losses);
  const least = first.gain - path.loss;
  if (connections.directed.length === 0 || most === Infinity) return least;
  // The losses of the path that is the best at one price stand for those of the best one at all others, which cost a search each.
  const estimate = (price: number) => {
    const { losses, gain } = at(price);
    return path.edges.reduce((sum, edge) => sum - losses.of(edge), gain);
  };
  const { place } = goldenSection(estimate, (found) => found, { from: 0, to: largest, places: TRIED });
  const other = at(place);
  return Math.min(least, other.gain - leastPath(graph, order, other.losses).loss);
}

/** What crossings lose of their cost and the shadow price `price`, and is not used up by pools that gain. */
function lossesAt(price: number, { netCost, leastAt }: CrossingCosts, { used, mostUsed }: Connected): Losses {
  const loss = (cost: number) => Math.max(0, cost + price);
  return {
    of: (edge) => Math.max(0, loss(netCost(edge)) - used(edge)),
    leastAt: (node) => Math.max(0, loss(leastAt(node)) - 2 * mostUsed),
  };
}
