import { forEachEdge, type Graph, UNPLACED } from "../market-graph/graph.ts";
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
  /** As `of`, without evaluating a pool: what none of those that are not among the earners exceeds stands for each of them. */
  readonly atMost: (index: number) => number;
  /** Pools that share state, by pool. */
  readonly groups: Groups;
};

/** @param unlisted an upper bound on what a pool gains that is not among the earners; each is asked for once */
export function gainsOf(
  earners: readonly Gaining[],
  groups: Groups,
  unlisted: (index: number) => number = () => 0,
): Gains {
  const listed = new Map<number, number>();
  let mostUnlisted = 0;
  for (const one of earners) {
    const gain = gainBeforeCrossing(one);
    if (one.index < 0) mostUnlisted = Math.max(mostUnlisted, gain);
    else
      for (const member of groups.get(one.index) ?? [one.index])
        listed.set(member, Math.max(gain, listed.get(member) ?? 0));
  }
  const evaluated = new Map<number, number>();
  const of = (index: number) => {
    const known = listed.get(index) ?? evaluated.get(index);
    if (known !== undefined) return known;
    const gain = unlisted(index);
    evaluated.set(index, gain);
    return gain;
  };
  return { earners, of, atMost: (index) => listed.get(index) ?? mostUnlisted, groups };
}

/** The fields of an order that costs depend on. */
type Priced = { readonly outPerGas: number; readonly allowed: (edge: number) => boolean };

/** What crossings cost at some prices. */
export type CrossingCosts = {
  readonly outPerGas: number;
  /** The least gas of a crossing less the most that it gains, in units of the token bought; Infinity where it may not be used. */
  readonly netCost: (edge: number) => number;
  /** A lower bound on `netCost` for which no pool is evaluated. */
  readonly leastCost: (edge: number) => number;
  /** A lower bound on `netCost` of any crossing that trades the token of a node. */
  readonly leastAt: (node: number) => number;
};

/** What crossings cost: their gas less what their pool gains; a pool that gains by one edge alone gains nothing by its others. */
export function costsOf(graph: Graph, { outPerGas, allowed }: Priced, gains: Gains): CrossingCosts {
  const { gas, owner, curves, leastGas } = graph;
  const only = new Map(
    gains.earners.flatMap(({ index, edge }) => (edge === undefined ? [] : [[index, edge]])),
  );
  const costOf = (edge: number, gainOf: (index: number) => number) => {
    if (!(curves.count[edge]! > 0 && allowed(edge))) return Infinity;
    const index = owner[edge]!;
    const gain = (only.get(index) ?? edge) === edge ? gainOf(index) : 0;
    return gas[edge]! * SINGLE * outPerGas - gain;
  };
  const netCost = (edge: number) => costOf(edge, gains.of);
  const leastCost = (edge: number) => costOf(edge, gains.atMost);
  const leastAt = (node: number) => {
    let least = leastGas * SINGLE * outPerGas;
    const any = least;
    for (const one of gains.earners) {
      const gain = gainBeforeCrossing(one);
      if (one.index < 0) least = Math.min(least, any - gain);
      else if (trades(graph, gains, one.index, node)) least = Math.min(least, one.cost * outPerGas - gain);
    }
    return least;
  };
  return { outPerGas, netCost, leastCost, leastAt };
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
