import { type Board, type Edge, gasAt } from "../board.ts";

/** What a path is looked for with. */
export type PathSearch = {
  readonly from: number;
  readonly to: number;
  readonly amount: number;
  /** Crossings in a row at most. */
  readonly hops: number;
  /** Pools that may not be used. */
  readonly banned: ReadonlySet<string>;
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
    const label = before && extend(board, search, before, edge);
    if (label !== undefined && (found === undefined || label.score > found.score)) found = label;
  }
  return found;
}

function relax(board: Board, search: PathSearch, layer: ReadonlyMap<number, Label>): Map<number, Label> {
  const next = new Map<number, Label>();
  for (const before of layer.values()) {
    for (const edge of board.outgoing[before.node]!) {
      if (edge.head === search.to || edge.head === search.from) continue;
      const label = extend(board, search, before, edge);
      const rival = label && next.get(edge.head);
      if (label !== undefined && (rival === undefined || label.score > rival.score))
        next.set(edge.head, label);
    }
  }
  return next;
}

function extend(board: Board, search: PathSearch, before: Label, edge: Edge): Label | undefined {
  if (search.banned.has(edge.pool.id) || visits(before, edge)) return undefined;
  const amount = edge.direction.out(before.amount);
  if (!(amount > 0)) return undefined;
  if (search.gasOut === 0) return { node: edge.head, amount, gas: 0, score: amount, edge, before };
  const gas = before.gas + gasAt(edge, board, before.amount);
  const score = amount * search.values[edge.head]! - gas * search.gasOut;
  return { node: edge.head, amount, gas, score, edge, before };
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
    for (const { pool } of path) banned.add(pool.id);
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
