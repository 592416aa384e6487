import { profitAt } from "../curves/segments.ts";
import { legsOf, type Pick, type Picker } from "./support.ts";

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
  const { tail, head } = picker.workspace.problem;
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
  const { tail, head } = picker.workspace.problem;
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
function openBetween(
  { workspace: { problem } }: Picker,
  { edges }: Pick,
): (u: number, v: number) => number[] {
  const { tail, head, nodes } = problem;
  const open = new Map<number, number[]>();
  for (let e = 0; e < problem.edges; e++) {
    const key = tail[e]! * nodes + head[e]!;
    if (!open.has(key)) open.set(key, []);
    open.get(key)!.push(e);
  }
  return (u, v) => (open.get(u * nodes + v) ?? []).filter((e) => !edges.includes(e));
}

/** Edges that go together when one of them goes, with the least that this loses after the cost saved. */
export type Removal = { readonly edges: readonly number[]; readonly loss: number };

/** What could go, least loss first; where legs are over the cap, by loss for each of them that goes. */
export function removalsOf(picker: Picker, from: Pick, over: number): Removal[] {
  const worth = worthsOf(picker, from);
  const uses = usesOf(picker, from);
  const removals: (Removal & { readonly rank: number })[] = [];
  for (let k = 0; k < from.edges.length; k++) {
    const fallen = fallsWith(picker, from, uses, k);
    if (fallen.length === from.edges.length) continue;
    const loss = fallen.reduce((sum, other) => sum + worth[other]!, 0);
    const edges = fallen.map((other) => from.edges[other]!);
    const legs = edges.length + Number(endsWrap(picker, from, edges));
    removals.push({ edges, loss, rank: loss / Math.min(legs, Math.max(1, over)) });
  }
  return removals.sort((x, y) => x.rank - y.rank);
}

/** Whether a pick needs no wrap any more without some edges, which is a leg less. */
function endsWrap(picker: Picker, { edges, legs }: Pick, gone: readonly number[]): boolean {
  if (legs === edges.length) return false;
  const rest = edges.filter((e) => !gone.includes(e));
  return legsOf(picker, rest) === rest.length;
}

/** What an edge of a pick earns at its prices, less its cost. */
export function worthOf(picker: Picker, from: Pick, e: number): number {
  return worthsOf(picker, from)[from.edges.indexOf(e)]!;
}

/** The same of all edges of a pick, in their order. */
export function worthsOf(picker: Picker, from: Pick): readonly number[] {
  const known = picker.worths.get(from);
  if (known !== undefined) return known;
  const worths = from.edges.map((e, k) => earnedAt(picker, from, e) - from.costs[k]!);
  picker.worths.set(from, worths);
  return worths;
}

function earnedAt(picker: Picker, { prices }: Pick, e: number): number {
  const { tail, head } = picker.workspace.problem;
  return profit(picker, e, { tail: prices[tail[e]!]!, head: prices[head[e]!]! });
}

/** What edge `e` earns at the prices of its ends, in value. */
export function profit(
  { graph, workspace }: Picker,
  e: number,
  price: { tail: number; head: number },
): number {
  const { problem } = workspace;
  const out = price.head * problem.ref[problem.head[e]!]!;
  return profitAt(graph.curves, problem.edge[e]!, (price.tail * problem.ref[problem.tail[e]!]!) / out) * out;
}

/** How many edges of a pick come into each node of the problem, and how many go out of it. */
type Uses = { readonly fed: Uint16Array; readonly drained: Uint16Array };

export function usesOf({ workspace: { problem } }: Picker, { edges }: Pick): Uses {
  const fed = new Uint16Array(problem.nodes);
  const drained = new Uint16Array(problem.nodes);
  for (const e of edges) {
    fed[problem.head[e]!]!++;
    drained[problem.tail[e]!]!++;
  }
  return { fed, drained };
}

/**
 * The places in a pick of the edges that carry nothing once the one in place `first` is gone, and of that one.
 *
 * @param uses of the whole pick; as they were when this returns
 */
function fallsWith({ workspace }: Picker, { edges }: Pick, { fed, drained }: Uses, first: number): number[] {
  const { tail, head, source, sink } = workspace.problem;
  const gone = [first];
  for (let at = 0; at < gone.length; at++) {
    const e = edges[gone[at]!]!;
    const [u, v] = [tail[e]!, head[e]!];
    if (--fed[v]! === 0 && v !== source && drained[v]! > 0) addAll(gone, edges, tail, v);
    if (--drained[u]! === 0 && u !== sink && fed[u]! > 0) addAll(gone, edges, head, u);
  }
  for (const place of gone) {
    fed[head[edges[place]!]!]!++;
    drained[tail[edges[place]!]!]!++;
  }
  return gone;
}

/** Adds the places of all edges that end in `node`, by the ends given. */
function addAll(gone: number[], edges: readonly number[], ends: Int32Array, node: number): void {
  for (let k = 0; k < edges.length; k++) if (ends[edges[k]!] === node && !gone.includes(k)) gone.push(k);
}
