import type { Row } from "./calm.ts";
import type { Demand } from "./demand.ts";
import type { Graph } from "./graph.ts";
import { findPair, type Prices } from "./pairs.ts";
import type { Problem } from "./problem.ts";
import type { Scratch } from "./scratch.ts";
import { calmOf } from "./sweep.ts";

/** A solved problem whose prices say what all other tokens are worth. */
export type Worth = {
  readonly graph: Graph;
  readonly scratch: Scratch;
  readonly problem: Problem;
  readonly demand: Demand;
  /** Normalised prices of all pairs, at spot or at a trade size. */
  readonly prices: Prices;
};

/** A price is better only by more than the rounding of its product. */
export const MARGIN = 1 + 1e-11;
/** Passes after which what tokens cost and fetch must have come to rest; where cycles pay it never does. */
const PASSES = 24;

/** Tokens that are looked at between two looks at the clock. */
export const BETWEEN_CLOCKS = 256;

/** Neighbours from which on a token's row is longer than the problem, and from which on only near pairs are looked at. */
const HUB = 64;
const LONG = 16;

/** Calls `visit` with every pair of two tokens of the problem. */
export function forEachInside({ graph, scratch, problem }: Worth, visit: (pair: number) => void): void {
  const { onward, degree } = graph.pairs;
  const { start, length, data } = onward;
  const hubs: number[] = [];
  for (let n = 0; n < problem.nodes; n++) {
    const token = problem.node[n]!;
    if (degree[token]! > HUB) {
      hubs.push(token);
      continue;
    }
    const last = start[token]! + length[token]!;
    for (let k = start[token]!; k < last; k += 2) {
      const far = data[k + 1]!;
      if (scratch.local[far] === 0) continue;
      visit(data[k]!);
      if (degree[token] === 1 || degree[far]! > HUB) visit(data[k]! ^ 1);
    }
  }
  visitHubs(graph, hubs, visit);
  visitLeaves(graph, problem, visit);
}

function visitHubs({ pairs }: Graph, hubs: readonly number[], visit: (pair: number) => void): void {
  for (const tail of hubs) {
    for (const head of hubs) {
      const pair = tail === head ? -1 : findPair(pairs, tail, head);
      if (pair >= 0) visit(pair);
    }
  }
}

/** Tokens of one neighbour are in no row: two of them know only each other. */
function visitLeaves({ pairs }: Graph, { node, source, sink }: Problem, visit: (pair: number) => void): void {
  const [from, to] = [node[source]!, node[sink]!];
  const pair = pairs.degree[from] === 1 && pairs.degree[to] === 1 ? findPair(pairs, from, to) : -1;
  if (pair >= 0) visit(pair);
}

/**
 * What all tokens are worth: the problem's prices, and between cost and what they fetch for the rest, which are listed in
 * `scratch.visited`; 0 for those that are out of reach, which are worth `scratch.most` times what they fetch in the native
 * coin.
 *
 * @returns whether costs came to rest
 */
export function settleWorth(look: Worth): boolean {
  const { graph, scratch } = look;
  const { low, high, worth, visited } = scratch;
  scratch.round++;
  scratch.found = 0;
  const reach = relaxProblem(look);
  let waiting = turn(scratch);
  for (let pass = 1; pass < PASSES && waiting > 0; pass++) {
    if (!relaxWaiting(look, waiting, reach)) return false;
    waiting = turn(scratch);
  }
  for (let n = 0; n < scratch.reached; n++) {
    const node = visited[n]!;
    const most =
      reach === ANYWHERE ? high[node]! : Math.min(low[node]!, reach.most * graph.calm.fetched[node]!);
    worth[node] = low[node]! < high[node]! ? Math.sqrt(low[node]! * high[node]!) : most;
  }
  scratch.most = reach === ANYWHERE ? 0 : reach.most;
  return waiting === 0;
}

/** @returns whether there was time for all of them */
function relaxWaiting(look: Worth, waiting: number, reach: Reach): boolean {
  const { queue } = look.scratch;
  for (let q = 0; q < waiting; q++) {
    relax(look, queue[q]!, reach, rowOf(look, queue[q]!, reach));
    if (q % BETWEEN_CLOCKS === 0 && look.demand.late()) return false;
  }
  return true;
}

/** Makes the nodes that were found the ones that wait. @returns how many they are */
function turn(scratch: Scratch): number {
  const { queue, following, found } = scratch;
  scratch.queue = following;
  scratch.following = queue;
  scratch.found = 0;
  scratch.round++;
  return found;
}

/**
 * What tokens out of the problem can fetch and cost at the utmost: where no cycle of pools pays, none fetches more than
 * `most` times what it fetches in the native coin, and none costs less than `least` over what the native coin buys of it.
 * A way by which a token costs more than it can fetch leads to nothing that earns, and is not followed: every token that
 * costs less than it fetches is still found, with its very prices.
 */
type Reach = { readonly most: number; readonly least: number };

const ANYWHERE: Reach = { most: Infinity, least: 0 };
/** Doubles of the products compared may differ by this share. */
const SLACK = 1 + 1e-9;

/** Relaxes the pairs of the problem's tokens: those of hubs last, when it is known which of them can matter. */
function relaxProblem(look: Worth): Reach {
  const { graph, scratch, problem } = look;
  const { degree } = graph.pairs;
  const calm = calmOf(graph, scratch);
  const hubs: number[] = [];
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    if (degree[node]! > LONG) hubs.push(node);
    else relax(look, node, ANYWHERE);
  }
  const reach = calm.atRest ? reachOf(look, hubs) : ANYWHERE;
  for (const node of hubs) relax(look, node, ANYWHERE, rowOf(look, node, reach));
  return reach;
}

/** By what the neighbours of the problem's tokens fetch and cost: all ways lead through them, or through a hub. */
function reachOf({ graph: { calm }, scratch, demand }: Worth, hubs: readonly number[]): Reach {
  const { fetched, bought } = calm;
  const { visited, reached, low, high } = scratch;
  let [most, least] = [0, Infinity];
  const add = (node: number) => {
    if (high[node]! > 0 && node !== demand.from) most = Math.max(most, high[node]! / fetched[node]!);
    if (low[node]! < Infinity && node !== demand.to) least = Math.min(least, low[node]! * bought[node]!);
  };
  for (let n = 0; n < reached; n++) add(visited[n]!);
  for (const hub of hubs) add(hub);
  return most < Infinity ? { most: most * SLACK, least: least / SLACK } : ANYWHERE;
}

/** A pair of a hub loses no more than this share to the market's best way, or only matters where prices are far from it. */
const NEAR = 0.999;

/** The pairs of a hub that can matter, as ways to their tokens or from them, where those are less than all. */
function rowOf({ graph, scratch, demand }: Worth, node: number, { most, least }: Reach): Row | undefined {
  if (graph.pairs.degree[node]! <= LONG || most === Infinity) return undefined;
  const { fetched, bought } = graph.calm;
  const way = node === demand.to || scratch.low[node]! >= NEAR * most * fetched[node]!;
  const back = node === demand.from || least >= NEAR * scratch.high[node]! * bought[node]!;
  return way && back ? nearRow(graph, node) : undefined;
}

/** The pairs of a hub that are near the market's best: worked out once after a change. */
function nearRow({ calm, pairs }: Graph, hub: number): Row {
  const known = calm.near.get(hub);
  if (known !== undefined) return known;
  const { fetched, bought } = calm;
  const { start, length, data } = pairs.onward;
  const near: number[] = [];
  for (let k = start[hub]!; k < start[hub]! + length[hub]!; k += 2) {
    const [pair, far] = [data[k]!, data[k + 1]!];
    const way = pairs.spot[pair]! * fetched[far]! > NEAR * fetched[hub]!;
    const back = pairs.spot[pair ^ 1]! * bought[far]! > NEAR * bought[hub]!;
    if (way || back) near.push(pair, far);
  }
  const row = { data: Int32Array.from(near), length: near.length };
  calm.near.set(hub, row);
  return row;
}

/** Prices the problem's tokens, and forgets those of all others. */
export function beginWorth(look: Worth): void {
  const { low, high, worth, group } = look.scratch;
  low.fill(Infinity);
  high.fill(0);
  worth.fill(0);
  group.fill(0);
  priceInside(look);
  look.scratch.reached = 0;
}

/** A token of the problem costs and fetches its price. */
export function priceInside({ scratch, problem }: Worth): void {
  const { low, high, worth, group } = scratch;
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    low[node] = high[node] = worth[node] = problem.price[n]!;
    group[node] = 0;
  }
}

/** Tells the neighbours of a token what it costs and fetches; those that this makes better off wait for their turn. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the innermost loop of every look, both ways in one so that a price is fetched once
function relax({ graph, scratch, demand, prices }: Worth, node: number, reach: Reach, row?: Row): void {
  const { low, high, local, next, prior, queued, following, visited, round } = scratch;
  const { calm, pairs } = graph;
  const dear = node === demand.to || low[node]! >= reach.most * calm.fetched[node]!;
  const cheap = node === demand.from || high[node]! * calm.bought[node]! < reach.least;
  if (dear && cheap) return;
  const cost = dear ? Infinity : low[node]!;
  const fetch = cheap ? 0 : high[node]!;
  const data = row?.data ?? pairs.onward.data;
  const first = row === undefined ? pairs.onward.start[node]! : 0;
  const last = first + (row?.length ?? pairs.onward.length[node]!);
  for (let k = first; k < last; k += 2) {
    const pair = data[k]!;
    const far = data[k + 1]!;
    const fetched = prices[pair ^ 1]! * fetch;
    const more = fetched > high[far]! * MARGIN;
    const less = cost * MARGIN < low[far]! * prices[pair]!;
    if ((!more && !less) || local[far] !== 0) continue;
    if (high[far] === 0 && low[far] === Infinity) visited[scratch.reached++] = far;
    if (more) {
      high[far] = fetched;
      next[far] = pair ^ 1;
    }
    if (less) {
      low[far] = cost / prices[pair]!;
      prior[far] = pair;
    }
    if (queued[far] === round) continue;
    queued[far] = round;
    following[scratch.found++] = far;
  }
}
