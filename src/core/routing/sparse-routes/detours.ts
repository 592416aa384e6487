import { mostFor, outputAt } from "../curves/segments.ts";
import type { Addition, Pick, Picker } from "./support.ts";

/** Shares of the supply that detours are searched with, and the edges of the longest. */
const SIZES = [0.5, 0.2, 0.08, 0.03, 0.01];
const HOPS = 4;
/** Shorter ones are found by their prices, whatever they carry. */
const FEWEST_HOPS = 3;

/** What every search for detours needs. */
type DetourSearch = {
  readonly picker: Picker;
  readonly from: Pick;
  /** Edges of pools that the pick does not cross. */
  readonly open: readonly number[];
  /** By node, value of a smallest unit in the token bought: at the pick's prices where it has one. */
  readonly worth: Float64Array;
  /** By hop and node outside of the pick, the most that arrives, and by which edge. */
  readonly amount: Float64Array;
  readonly by: Int32Array;
};

/**
 * Ways from a token in use to another over two and more tokens that are not: for some sizes, a search by hops over real
 * outputs from all tokens in use at once, at the pick's prices.
 *
 * @returns at most one way a size and token, with what it would gain were that the best size
 */
export function longDetours(picker: Picker, from: Pick): Addition[] {
  const labels = (HOPS + 1) * picker.workspace.problem.nodes;
  const at: DetourSearch = {
    ...{ picker, from, open: openTo(picker, from), worth: worthIn(picker, from) },
    ...{ amount: new Float64Array(labels), by: new Int32Array(labels) },
  };
  return SIZES.flatMap((share) => [...detoursOf(at, share * picker.workspace.problem.supply).values()]);
}

function openTo({ graph, workspace }: Picker, { edges }: Pick): number[] {
  const { edge, tail, head, source, sink, edges: count } = workspace.problem;
  const crossed = new Set(edges.map((e) => graph.owner[edge[e]!]!));
  const open: number[] = [];
  for (let e = 0; e < count; e++) {
    if (tail[e] !== sink && head[e] !== source && !crossed.has(graph.owner[edge[e]!]!)) open.push(e);
  }
  return open;
}

function worthIn({ workspace: { problem } }: Picker, { prices }: Pick): Float64Array {
  const worth = new Float64Array(problem.nodes);
  for (let n = 0; n < problem.nodes; n++) {
    worth[n] = problem.ref[n]! * (prices[n]! > 0 ? prices[n]! : problem.price[n]!);
  }
  return worth;
}

/** @param size value, in the token bought, that goes astray */
function detoursOf(at: DetourSearch, size: number): Map<number, Addition> {
  const { from, worth, amount } = at;
  const { nodes, sink } = at.picker.workspace.problem;
  amount.fill(0);
  for (let n = 0; n < nodes; n++) {
    if (from.prices[n]! > 0 && n !== sink) amount[n] = size / worth[n]!;
  }
  const found = new Map<number, Addition>();
  for (let hop = 1; hop <= HOPS; hop++) relaxAll(at, hop, size, found);
  return found;
}

function relaxAll(at: DetourSearch, hop: number, size: number, found: Map<number, Addition>): void {
  const { open, worth, from, amount } = at;
  const { graph, workspace, cost } = at.picker;
  const { problem } = workspace;
  const { nodes, tail, head, edge } = problem;
  for (let k = 0; k < open.length; k++) {
    const e = open[k]!;
    const arriving = amount[(hop - 1) * nodes + tail[e]!]!;
    if (arriving === 0) continue;
    const v = head[e]!;
    if (!(mostFor(graph.curves, edge[e]!, arriving) > leastAt(at, hop, size, v))) continue;
    const out = outputAt(graph.curves, edge[e]!, arriving) - cost[e]! / worth[v]!;
    if (from.prices[v]! > 0) end(at, hop, found, { e, gain: out * worth[v]! - size });
    else pass(at, hop, e, out);
  }
}

/** What has to arrive at a token to be of use: short ways are found elsewhere, and none goes on from the last hop. */
function leastAt(
  { picker, from, worth, amount }: DetourSearch,
  hop: number,
  size: number,
  node: number,
): number {
  if (from.prices[node]! > 0) return hop < FEWEST_HOPS ? Infinity : size / worth[node]!;
  return hop === HOPS ? Infinity : amount[hop * picker.workspace.problem.nodes + node]!;
}

/** Labels a token that is not in use, where nothing better reached it in as many hops. */
function pass(at: DetourSearch, hop: number, e: number, out: number): void {
  const { problem } = at.picker.workspace;
  const { amount, by } = at;
  const place = hop * problem.nodes + problem.head[e]!;
  if (!(out > amount[place]!) || !isSimple(at, hop - 1, e)) return;
  amount[place] = out;
  by[place] = e;
}

/** Keeps the way that ends with an edge into a token in use, where none into it gains more. */
function end(
  at: DetourSearch,
  hop: number,
  found: Map<number, Addition>,
  { e, gain }: { readonly e: number; readonly gain: number },
): void {
  const node = at.picker.workspace.problem.head[e]!;
  if (gain > (found.get(node)?.gain ?? 0) && isSimple(at, hop - 1, e))
    found.set(node, { edges: wayTo(at, hop - 1, e), gain });
}

/** Whether the edges by which a label came about meet neither the token nor the pool of one that is to follow. */
function isSimple({ picker: { graph, workspace }, by }: DetourSearch, hops: number, last: number): boolean {
  const { tail, head, edge, nodes } = workspace.problem;
  const [end, pool] = [head[last], graph.owner[edge[last]!]];
  let node = tail[last]!;
  for (let hop = hops; hop > 0; hop--) {
    const e = by[hop * nodes + node]!;
    node = tail[e]!;
    if (node === end || graph.owner[edge[e]!] === pool) return false;
  }
  return true;
}

/** The edges by which a label came about and then `last`, the first one first. */
function wayTo({ picker: { workspace }, by }: DetourSearch, hops: number, last: number): number[] {
  const { tail, nodes } = workspace.problem;
  const way = [last];
  let node = tail[last]!;
  for (let hop = hops; hop > 0; hop--) {
    const e = by[hop * nodes + node]!;
    node = tail[e]!;
    way.unshift(e);
  }
  return way;
}
