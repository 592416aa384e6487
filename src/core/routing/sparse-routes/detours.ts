import { mostFor, outputAt } from "../curves/segments.ts";
import type { Addition, LegChoice, Support } from "./support.ts";

/** Trade sizes with which detours are searched, as shares of the supply, and the number of edges of the longest. */
const SIZES = [0.5, 0.2, 0.08, 0.03, 0.01];
const HOPS = 4;
/** Number of edges of the shortest: `additions.ts` finds shorter detours by prices alone, for any size. */
const FEWEST_HOPS = 3;

/** The data of a search for detours. */
type DetourSearch = {
  readonly choice: LegChoice;
  readonly from: Support;
  /** Edges of pools that the support does not cross. */
  readonly open: readonly number[];
  /** By node, value of a smallest unit: at the support's price of the token, or at the problem's if it has none. */
  readonly worth: Float64Array;
  /**
   * Labels by hop and node: the most that arrives less costs, in smallest units, and the last edge. Hop 0 has the
   * tokens in use.
   */
  readonly amount: Float64Array;
  readonly by: Int32Array;
};

/**
 * Finds detours: paths from a token in use to another over two or more tokens that are not. For each size, one
 * label-correcting search by hops with real outputs starts at all tokens in use together and values both ends at the
 * support's prices.
 *
 * @returns at most one detour for each size and end token, with its gain at that size after cost, in value
 */
export function longDetours(choice: LegChoice, from: Support): Addition[] {
  const labels = (HOPS + 1) * choice.workspace.problem.nodes;
  const at: DetourSearch = {
    ...{ choice, from, open: openTo(choice, from), worth: worthIn(choice, from) },
    ...{ amount: new Float64Array(labels), by: new Int32Array(labels) },
  };
  return SIZES.flatMap((share) => [...detoursOf(at, share * choice.workspace.problem.supply).values()]);
}

function openTo({ graph, workspace }: LegChoice, { edges }: Support): number[] {
  const { edge, tail, head, source, sink, edges: count } = workspace.problem;
  const crossed = new Set(edges.map((e) => graph.owner[edge[e]!]!));
  const open: number[] = [];
  for (let e = 0; e < count; e++) {
    if (tail[e] !== sink && head[e] !== source && !crossed.has(graph.owner[edge[e]!]!)) open.push(e);
  }
  return open;
}

function worthIn({ workspace: { problem } }: LegChoice, { prices }: Support): Float64Array {
  const worth = new Float64Array(problem.nodes);
  for (let n = 0; n < problem.nodes; n++) {
    worth[n] = problem.ref[n]! * (prices[n]! > 0 ? prices[n]! : problem.price[n]!);
  }
  return worth;
}

/** The detours for one size, by end node. @param size value that is sent along a detour */
function detoursOf(at: DetourSearch, size: number): Map<number, Addition> {
  const { from, worth, amount } = at;
  const { nodes, sink } = at.choice.workspace.problem;
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
  const { graph, workspace, cost } = at.choice;
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

/**
 * The amount that must arrive at a token. Infinity where a detour would be too short, and for tokens not in use at the
 * last hop.
 */
function leastAt(
  { choice, from, worth, amount }: DetourSearch,
  hop: number,
  size: number,
  node: number,
): number {
  if (from.prices[node]! > 0) return hop < FEWEST_HOPS ? Infinity : size / worth[node]!;
  return hop === HOPS ? Infinity : amount[hop * choice.workspace.problem.nodes + node]!;
}

/** Label update of a token that is not in use, if more arrives than by any other path of as many hops. */
function pass(at: DetourSearch, hop: number, e: number, out: number): void {
  const { problem } = at.choice.workspace;
  const { amount, by } = at;
  const place = hop * problem.nodes + problem.head[e]!;
  if (!(out > amount[place]!) || !isSimple(at, hop - 1, e)) return;
  amount[place] = out;
  by[place] = e;
}

/** Keeps the detour that ends with edge `e` into a token in use, if it gains more than others into that token. */
function end(
  at: DetourSearch,
  hop: number,
  found: Map<number, Addition>,
  { e, gain }: { readonly e: number; readonly gain: number },
): void {
  const node = at.choice.workspace.problem.head[e]!;
  if (gain > (found.get(node)?.gain ?? 0) && isSimple(at, hop - 1, e))
    found.set(node, { edges: wayTo(at, hop - 1, e), gain });
}

/**
 * Whether the path of a label stays simple with the edge `last`: it has passed neither the head of that edge nor its
 * pool.
 */
function isSimple({ choice: { graph, workspace }, by }: DetourSearch, hops: number, last: number): boolean {
  const { tail, head, edge, nodes } = workspace.problem;
  const end = head[last];
  const pool = graph.owner[edge[last]!];
  let node = tail[last]!;
  for (let hop = hops; hop > 0; hop--) {
    const e = by[hop * nodes + node]!;
    node = tail[e]!;
    if (node === end || graph.owner[edge[e]!] === pool) return false;
  }
  return true;
}

/** The edges of the path behind a label and then `last`, in order. */
function wayTo({ choice: { workspace }, by }: DetourSearch, hops: number, last: number): number[] {
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
