import { profit, usesOf, worthOf } from "./removals.ts";
import type { Pick, Picker } from "./support.ts";

/** An edge that stands for some edges of a pick in a row, and the most that this gains, in value. */
export type Exchange = { readonly edge: number; readonly gone: readonly number[]; readonly gain: number };

/** Edges in a row that one may stand for. */
const LONGEST = 4;

/**
 * Edges that could stand for edges of a pick that carry one flow on, from one to the next. Deep pools in a row earn next to
 * nothing at the pick's prices, and each costs its gas: a single pool that pays somewhat less may be worth more, though it
 * gains nothing beside them.
 *
 * @returns those that may gain by what is certain, the most promising first
 */
export function exchangesFor(picker: Picker, from: Pick): Exchange[] {
  const { tail, head } = picker.shop.problem;
  const between = openBetween(picker, from);
  return chainsOf(picker, from)
    .flatMap((gone) => {
      const [u, v] = [tail[gone[0]!]!, head[gone.at(-1)!]!];
      const earned = gone.reduce((sum, e) => sum + worthOf(picker, from, e), 0);
      const price = { tail: from.prices[u]!, head: from.prices[v]! };
      const gainOf = (edge: number) => profit(picker, edge, price) - picker.cost[edge]! - earned;
      return between(u, v).map((edge) => ({ edge, gone, gain: gainOf(edge) }));
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || a.edge - b.edge);
}

/** Single edges, and edges in a row over tokens that nothing else of the pick comes into or goes out of. */
function chainsOf(picker: Picker, from: Pick): number[][] {
  const { tail, head } = picker.shop.problem;
  const { fed, drained } = usesOf(picker, from);
  const onward = (node: number) =>
    fed[node] === 1 && drained[node] === 1 ? from.edges.find((e) => tail[e] === node) : undefined;
  return from.edges.flatMap((first) => {
    const chains = [[first]];
    for (let next = onward(head[first]!); next !== undefined && chains.length < LONGEST; ) {
      chains.push([...chains.at(-1)!, next]);
      next = onward(head[next]!);
    }
    return chains;
  });
}

/** The edges of the problem from one token to another that the pick does not use. */
function openBetween({ shop: { problem } }: Picker, { edges }: Pick): (u: number, v: number) => number[] {
  const { tail, head, nodes } = problem;
  const open = new Map<number, number[]>();
  for (let e = 0; e < problem.edges; e++) {
    const key = tail[e]! * nodes + head[e]!;
    if (!open.has(key)) open.set(key, []);
    open.get(key)!.push(e);
  }
  return (u, v) => (open.get(u * nodes + v) ?? []).filter((e) => !edges.includes(e));
}
