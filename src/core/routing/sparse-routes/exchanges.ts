import { profitAt } from "../curves/segments.ts";
import { type LegChoice, legsOf, type Support } from "./support.ts";

/** An edge that replaces consecutive edges of a support, and an upper bound on the gain, in value. */
export type Exchange = { readonly edge: number; readonly gone: readonly number[]; readonly gain: number };

/** Consecutive edges that one may replace, at most. */
const LONGEST = 4;

/**
 * Edges that could replace a chain of a support's edges, through which one flow passes undivided. A chain of deep pools
 * earns almost nothing at the support's prices, and each of its pools costs gas. A single pool that pays slightly less
 * may net more in its place, although adding it next to the chain gains nothing.
 *
 * @returns those whose upper bound on the gain is positive, the largest first
 */
export function exchangesFor(choice: LegChoice, from: Support): Exchange[] {
  const { tail, head } = choice.workspace.problem;
  const uses = usesOf(choice, from);
  const between = openBetween(choice, from, uses);
  return chainsOf(choice, from, uses)
    .flatMap((gone) => {
      const u = tail[gone[0]!]!;
      const v = head[gone.at(-1)!]!;
      const earned = gone.reduce((sum, e) => sum + worthOf(choice, from, e), 0);
      const gainOf = (edge: number) =>
        profit(choice, edge, from.prices[u]!, from.prices[v]!) - choice.cost[edge]! - earned;
      return between(u, v).map((edge) => ({ edge, gone, gain: gainOf(edge) }));
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain || a.edge - b.edge);
}

/** Single edges, and consecutive edges over tokens that no other edge of the support enters or leaves. */
function chainsOf(choice: LegChoice, from: Support, { fed, drained }: Uses): number[][] {
  const { tail, head } = choice.workspace.problem;
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

/** Lookup of the problem's edges from node u to node v that the support does not use. */
function openBetween(
  { workspace: { problem } }: LegChoice,
  { edges }: Support,
  uses: Uses,
): (u: number, v: number) => readonly number[] {
  const { tail, head, nodes } = problem;
  const { fed, drained } = uses;
  const open = new Map<number, number[]>();
  for (let e = 0; e < problem.edges; e++) {
    // Chains begin where an edge of the support does, and end where one does.
    if (drained[tail[e]!] === 0 || fed[head[e]!] === 0 || edges.includes(e)) continue;
    const key = tail[e]! * nodes + head[e]!;
    const list = open.get(key);
    if (list === undefined) open.set(key, [e]);
    else list.push(e);
  }
  return (u, v) => open.get(u * nodes + v) ?? [];
}

/**
 * An edge and the edges that carry nothing without it, with a lower bound on the loss of removing them, net of the
 * costs saved, in value.
 */
export type Removal = { readonly edges: readonly number[]; readonly loss: number };

/**
 * All removals by rising loss. With `over` > 0 legs over the cap, by rising loss per leg removed, of at most `over`
 * legs.
 */
export function removalsOf(choice: LegChoice, from: Support, over: number): Removal[] {
  const worth = worthsOf(choice, from);
  const uses = usesOf(choice, from);
  const removals: (Removal & { readonly rank: number })[] = [];
  for (let k = 0; k < from.edges.length; k++) {
    const fallen = fallsWith(choice, from, uses, k);
    if (fallen.length === from.edges.length) continue;
    const loss = fallen.reduce((sum, other) => sum + worth[other]!, 0);
    const edges = fallen.map((other) => from.edges[other]!);
    const legs = edges.length + Number(endsWrap(choice, from, edges));
    removals.push({ edges, loss, rank: loss / Math.min(legs, Math.max(1, over)) });
  }
  return removals.sort((x, y) => x.rank - y.rank);
}

/** Whether a support without some of its edges no longer needs the wrap of the native coin, which saves a leg. */
function endsWrap(choice: LegChoice, { edges, legs }: Support, gone: readonly number[]): boolean {
  if (legs === edges.length) return false;
  const rest = edges.filter((e) => !gone.includes(e));
  return legsOf(choice, rest) === rest.length;
}

/** What an edge of a support earns at the support's prices less the edge's cost, in value. */
export function worthOf(choice: LegChoice, from: Support, e: number): number {
  return worthsOf(choice, from)[from.edges.indexOf(e)]!;
}

/** By edge of a support, in order, what it earns at the support's prices less its cost, in value; cached. */
export function worthsOf(choice: LegChoice, from: Support): readonly number[] {
  const known = choice.worths.get(from);
  if (known !== undefined) return known;
  const worths = from.edges.map((e, k) => earnedAt(choice, from, e) - from.costs[k]!);
  choice.worths.set(from, worths);
  return worths;
}

function earnedAt(choice: LegChoice, { prices }: Support, e: number): number {
  const { tail, head } = choice.workspace.problem;
  return profit(choice, e, prices[tail[e]!]!, prices[head[e]!]!);
}

/** The most that a trade with edge `e` gains, before its cost, in value, at given prices of the tokens sold and bought. */
export function profit({ graph, workspace }: LegChoice, e: number, sold: number, bought: number): number {
  const { tail, head, ref, edge } = workspace.problem;
  const worth = bought * ref[head[e]!]!;
  return profitAt(graph.curves, edge[e]!, (sold * ref[tail[e]!]!) / worth) * worth;
}

/** By node of the problem, the numbers of a support's edges into it and out of it. */
type Uses = { readonly fed: Uint16Array; readonly drained: Uint16Array };

export function usesOf({ workspace: { problem } }: LegChoice, { edges }: Support): Uses {
  const fed = new Uint16Array(problem.nodes);
  const drained = new Uint16Array(problem.nodes);
  for (const e of edges) {
    fed[problem.head[e]!]!++;
    drained[problem.tail[e]!]!++;
  }
  return { fed, drained };
}

/**
 * Indices in a support of the edge at index `first` and of all edges that carry nothing without it.
 *
 * @param uses of the whole support; changed during the call and restored
 */
function fallsWith(
  { workspace }: LegChoice,
  { edges }: Support,
  { fed, drained }: Uses,
  first: number,
): number[] {
  const { tail, head, source, sink } = workspace.problem;
  const gone = [first];
  for (let at = 0; at < gone.length; at++) {
    const e = edges[gone[at]!]!;
    const u = tail[e]!;
    const v = head[e]!;
    if (--fed[v]! === 0 && v !== source && drained[v]! > 0) addAll(gone, edges, tail, v);
    if (--drained[u]! === 0 && u !== sink && fed[u]! > 0) addAll(gone, edges, head, u);
  }
  for (const place of gone) {
    fed[head[edges[place]!]!]!++;
    drained[tail[edges[place]!]!]!++;
  }
  return gone;
}

/** Adds the indices of all edges whose entry in `ends` (tails or heads) is `node`. */
function addAll(gone: number[], edges: readonly number[], ends: Int32Array, node: number): void {
  for (let k = 0; k < edges.length; k++) if (ends[edges[k]!] === node && !gone.includes(k)) gone.push(k);
}
