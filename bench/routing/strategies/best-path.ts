import type { Pool } from "../../../src/core/types.ts";
import { type Board, type Edge, gasAt } from "../orders/board.ts";

/** What a path is looked for with. */
export type PathSearch = {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** Crossings in a row at most. */
  readonly hops: number;
  /** Pools that may not be used. */
  readonly banned: ReadonlySet<Pool>;
  readonly gasOut: number;
  /** Worth of a unit of each token in units of the token bought; read only where gas has a price. */
  readonly values: Float64Array;
};

type Label = {
  readonly node: number;
  readonly amount: number;
  readonly gas: number;
  readonly score: number;
  readonly edge: Edge | undefined;
  readonly before: Label | undefined;
};

/**
 * The best single path for an amount: Bellman and Ford's rounds over simulated swaps, so that price impact counts. A
 * label is what a token can be reached with; no path passes a token or a pool twice. Where gas has a price, labels
 * compete by what they are worth less the gas so far.
 *
 * @source the search that propeller-heads/fynd describes as its `bellman_ford`, re-implemented from the idea
 */
export function bestPath(board: Board, search: PathSearch): readonly Edge[] | undefined {
  const { from, to, amount, hops } = search;
  const start: Label = { node: from, amount, gas: 0, score: 0, edge: undefined, before: undefined };
  let layer = new Map<number, Label>([[from, start]]);
  let best: Label | undefined;
  for (let hop = 1; hop <= hops && layer.size > 0; hop++) {
    best = finish(board, search, layer, best);
    if (hop < hops) layer = relax(board, search, layer);
  }
  if (best === undefined) return undefined;
  const path: Edge[] = [];
  for (let label: Label | undefined = best; label?.edge; label = label.before) path.unshift(label.edge);
  return path.every((edge) => edge.tail !== to) ? path : undefined;
}

/** The last hop: only edges into the token bought. */
function finish(
  board: Board,
  search: PathSearch,
  layer: ReadonlyMap<number, Label>,
  best: Label | undefined,
): Label | undefined {
  let found = best;
  for (const edge of board.incoming[search.to]!) {
    const before = layer.get(edge.tail);
    if (before !== undefined) found = extend(search, { before, rival: found, board }, edge) ?? found;
  }
  return found;
}

function relax(board: Board, search: PathSearch, layer: ReadonlyMap<number, Label>): Map<number, Label> {
  const next = new Map<number, Label>();
  for (const before of layer.values()) {
    for (const edge of board.outgoing[before.node]!) {
      const { head } = edge;
      if (head === search.to || head === search.from) continue;
      const label = extend(search, { before, rival: next.get(head), board }, edge);
      if (label !== undefined) next.set(head, label);
    }
  }
  return next;
}

type Race = { readonly before: Label; readonly rival: Label | undefined; readonly board: Board };

/** The label one edge further, where it beats its rival; what is cheap to know is asked first. */
function extend(search: PathSearch, { before, rival, board }: Race, edge: Edge): Label | undefined {
  const { gasOut, values } = search;
  const amount = edge.direction.out(before.amount);
  const least = rival?.score ?? Number.NEGATIVE_INFINITY;
  const worth = gasOut === 0 ? amount : amount * values[edge.head]!;
  if (!(amount > 0 && worth - before.gas * gasOut > least)) return undefined;
  if (search.banned.has(edge.pool) || visits(before, edge)) return undefined;
  if (gasOut === 0) return { node: edge.head, amount, gas: 0, score: amount, edge, before };
  const gas = before.gas + gasAt(edge, board, before.amount);
  const score = worth - gas * gasOut;
  return score > least ? { node: edge.head, amount, gas, score, edge, before } : undefined;
}

function visits(label: Label, { head, pool }: Edge): boolean {
  for (let at: Label | undefined = label; at; at = at.before)
    if (at.node === head || at.edge?.pool === pool) return true;
  return false;
}

/** Paths that share no pool, best first: each is the best one without the pools of those before it. */
export function disjointPaths(board: Board, search: PathSearch, count: number): (readonly Edge[])[] {
  const banned = new Set(search.banned);
  const paths: (readonly Edge[])[] = [];
  while (paths.length < count) {
    const path = bestPath(board, { ...search, banned });
    if (path === undefined) break;
    paths.push(path);
    for (const { pool } of path) banned.add(pool);
  }
  return paths;
}

/** What a path pays for `amount`; 0 where it cannot take it. */
export function pathOut(path: readonly Edge[], amount: number): number {
  let held = amount;
  for (const { direction } of path) held = held > 0 ? direction.out(held) : 0;
  return held;
}

/** Gas of a path in units of the token bought. */
export function pathGas(board: Board, path: readonly Edge[], amount: number, gasOut: number): number {
  if (gasOut === 0 || amount === 0) return 0;
  let held = amount;
  let gas = 0;
  for (const edge of path) {
    gas += gasAt(edge, board, held);
    held = edge.direction.out(held);
  }
  return gas * gasOut;
}
