import { forEachEdge, type Graph, UNPLACED } from "../market-graph/graph.ts";
import type { Losses } from "../market-graph/least-path.ts";
import { SINGLE } from "./earning/earning.ts";
import type { Groups } from "./earning/groups.ts";
import { type Earner, gainBeforeCrossing } from "./selection.ts";

/** A pool by its index, what it gains, and the units of gas of a crossing; index -1 stands for pools not evaluated. */
export type Gaining = Earner & { readonly index: number };

/** What groups of pools gain at some prices, in units of the token bought. */
export type Gains = {
  readonly earners: readonly Gaining[];
  /** By pool, an upper bound on what its group gains before the gas of its crossing, also for pools that are not among the earners. */
  readonly of: (index: number) => number;
  /** Pools that share state, by pool. */
  readonly groups: Groups;
};

/** @param unlisted an upper bound on what a pool gains that is not among the earners; each is asked for once */
export function gainsOf(
  earners: readonly Gaining[],
  groups: Groups,
  unlisted: (index: number) => number = () => 0,
): Gains {
  const gains = new Map<number, number>();
  for (const one of earners)
    for (const member of groups.get(one.index) ?? [one.index])
      gains.set(member, Math.max(gainBeforeCrossing(one), gains.get(member) ?? 0));
  const of = (index: number) => {
    const known = gains.get(index);
    if (known !== undefined) return known;
    const gain = unlisted(index);
    gains.set(index, gain);
    return gain;
  };
  return { earners, of, groups };
}

/** The fields of an order that losses depend on, and the shadow price of a crossing. */
type Costs = {
  readonly outPerGas: number;
  readonly allowed: (edge: number) => boolean;
  readonly shadow: number;
};

/** What crossings lose: their gas and the shadow price of a crossing, as far as these exceed what their pool gains. */
export function lossesOf(graph: Graph, { outPerGas, allowed, shadow }: Costs, gains: Gains): Losses {
  const { gas, owner, curves, leastGas } = graph;
  const loss = (units: number, earned: number) => Math.max(0, units * outPerGas + shadow - earned);
  const of = (edge: number) =>
    curves.count[edge]! > 0 && allowed(edge) ? loss(gas[edge]! * SINGLE, gains.of(owner[edge]!)) : Infinity;
  const leastAt = (node: number) => {
    let least = Infinity;
    let unlisted = 0;
    for (const one of gains.earners) {
      const gain = gainBeforeCrossing(one);
      if (one.index < 0) unlisted = Math.max(unlisted, gain);
      else if (trades(graph, gains, one.index, node)) least = Math.min(least, loss(one.cost, gain));
    }
    return Math.min(least, loss(leastGas * SINGLE, unlisted));
  };
  return { of, leastAt };
}

/** Whether the pool `index`, or a pool that shares state with it, trades the token of `node`. */
function trades({ entries, tail }: Graph, { groups }: Gains, index: number, node: number): boolean {
  let found = false;
  for (const member of groups.get(index) ?? [index]) {
    if (entries[member]!.firstEdge === UNPLACED) continue;
    forEachEdge(entries[member]!, (edge) => {
      found ||= tail[edge] === node;
    });
  }
  return found;
}
