import { profitAt } from "../curves/segments.ts";
import type { Pick, Picker } from "./support.ts";

/** Edges that go together when one of them goes, with the least that this loses after the cost saved. */
export type Removal = { readonly edges: readonly number[]; readonly loss: number };

/** What could go, least loss first; where legs are over the cap, by loss for each of them that goes. */
export function removalsOf(picker: Picker, from: Pick, over: number): Removal[] {
  const worth = from.edges.map((e, k) => earnedAt(picker, from, e) - from.costs[k]!);
  const uses = usesOf(picker, from);
  const removals: (Removal & { readonly rank: number })[] = [];
  for (let k = 0; k < from.edges.length; k++) {
    const fallen = fallsWith(picker, from, uses, k);
    if (fallen.length === from.edges.length) continue;
    const loss = fallen.reduce((sum, other) => sum + worth[other]!, 0);
    const edges = fallen.map((other) => from.edges[other]!);
    removals.push({ edges, loss, rank: loss / Math.min(edges.length, Math.max(1, over)) });
  }
  return removals.sort((x, y) => x.rank - y.rank);
}

/** What an edge of a pick earns at its prices, less its cost. */
export function worthOf(picker: Picker, from: Pick, e: number): number {
  return earnedAt(picker, from, e) - from.costs[from.edges.indexOf(e)]!;
}

function earnedAt(picker: Picker, { prices }: Pick, e: number): number {
  const { tail, head } = picker.shop.problem;
  return profit(picker, e, { tail: prices[tail[e]!]!, head: prices[head[e]!]! });
}

/** What edge `e` earns at the prices of its ends, in value. */
export function profit({ graph, shop }: Picker, e: number, price: { tail: number; head: number }): number {
  const { problem } = shop;
  const out = price.head * problem.ref[problem.head[e]!]!;
  return profitAt(graph.curves, problem.edge[e]!, (price.tail * problem.ref[problem.tail[e]!]!) / out) * out;
}

/** How many edges of a pick come into each node of the problem, and how many go out of it. */
type Uses = { readonly fed: number[]; readonly drained: number[] };

export function usesOf({ shop: { problem } }: Picker, { edges }: Pick): Uses {
  const fed = new Array<number>(problem.nodes).fill(0);
  const drained = new Array<number>(problem.nodes).fill(0);
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
function fallsWith({ shop }: Picker, { edges }: Pick, { fed, drained }: Uses, first: number): number[] {
  const { tail, head, source, sink } = shop.problem;
  const gone = [first];
  for (let at = 0; at < gone.length; at++) {
    const e = edges[gone[at]!]!;
    const [u, v] = [tail[e]!, head[e]!];
    fed[v]!--;
    drained[u]!--;
    if (fed[v] === 0 && v !== source) addAll(gone, edges, tail, v);
    if (drained[u] === 0 && u !== sink) addAll(gone, edges, head, u);
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
