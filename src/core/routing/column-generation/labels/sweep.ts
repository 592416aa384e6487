import type { Scratch } from "../../convex/scratch.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { gateOf, type Pairs, type Prices } from "../../market-graph/pair-index.ts";

export type Sweep = {
  readonly from: number;
  readonly to: number;
  /** Normalised price of each pair at the size that the sweep is for. */
  readonly prices: Prices;
  /** Share of the value that is left after each hop: less than 1 if hops cost gas. */
  readonly keep: number;
  /** Products of prices below this are not propagated. */
  readonly least: number;
  /** Limit on passes over the nodes that still improve; each settles at least one more pair of every best path. */
  readonly rounds: number;
};

/**
 * Fills `scratch.back` with the best product of prices from every node to the token bought; 0 = no path that reaches
 * `least`.
 *
 * @returns whether all labels settled within the rounds. With a profitable cycle of pools they never do, or grow
 * without end
 */
export function sweepBack({ pairs }: Graph, scratch: Scratch, sweep: Sweep): boolean {
  scratch.back.fill(0);
  scratch.endless = false;
  scratch.back[sweep.to] = 1;
  scratch.queue[0] = sweep.to;
  let waiting = 1;
  for (let round = 0; round < sweep.rounds && waiting > 0; round++)
    waiting = passBack(pairs, scratch, sweep, waiting);
  finishAt(pairs, scratch, sweep);
  return waiting === 0 && !scratch.endless;
}

/** Relaxes all pairs into the queued nodes. @returns the number of nodes queued for the next round */
function passBack(
  pairs: Pairs,
  scratch: Scratch,
  { from, to, prices, least, keep }: Sweep,
  waiting: number,
): number {
  const { back, queued, queue, following } = scratch;
  const { start, length, data } = pairs.onward;
  const round = ++scratch.round;
  let found = 0;
  for (let q = 0; q < waiting; q++) {
    const node = queue[q]!;
    const price = back[node]! * keep;
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k += 2) {
      const reached = price * prices[data[k]! ^ 1]!;
      const tail = data[k + 1]!;
      if (!(reached > back[tail]!) || reached < least || tail === to || isEndless(scratch, reached)) continue;
      back[tail] = reached;
      if (queued[tail] === round || tail === from) continue;
      queued[tail] = round;
      following[found++] = tail;
    }
  }
  scratch.queue = following;
  scratch.following = queue;
  return found;
}

/** Notes a product so large that only repeated passes round a profitable cycle reach it. */
function isEndless(scratch: Scratch, reached: number): boolean {
  if (reached <= MOST) return false;
  scratch.endless = true;
  return true;
}

/** Relaxes the pairs of the token sold, which no sweep passes through if it has one neighbour only. */
function finishAt(pairs: Pairs, { back }: Scratch, { from, prices, keep }: Sweep): void {
  const { start, length, data } = pairs.outgoing;
  for (let k = 0; k < length[from]!; k++) {
    const pair = data[start[from]! + k]!;
    const reached = back[pairs.tail[pair ^ 1]!]! * prices[pair]! * keep;
    if (!(reached > back[from]!)) continue;
    back[from] = reached;
  }
}

/**
 * Fills `scratch.fore` with the best product of prices from the token sold to each node, after a backward sweep with
 * the same prices. Reaches only nodes on a path whose whole product is at least `least`, and lists these
 * `scratch.reached` nodes in `scratch.visited`.
 */
export function sweepForward({ pairs }: Graph, scratch: Scratch, sweep: Sweep): void {
  scratch.fore.fill(0);
  scratch.fore[sweep.from] = 1;
  scratch.queue[0] = scratch.visited[0] = sweep.from;
  const progress = { waiting: 1, visited: 1 };
  for (let round = 0; round < sweep.rounds && progress.waiting > 0; round++)
    passForward(pairs, scratch, sweep, progress);
  scratch.reached = progress.visited;
}

type Progress = { waiting: number; visited: number };

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the innermost loop of every search; calls in it cost a third of its time
function passForward(
  pairs: Pairs,
  scratch: Scratch,
  { from, to, prices, least, keep }: Sweep,
  progress: Progress,
): void {
  const { fore, back, queued, queue, following, visited } = scratch;
  const { start, length, data } = pairs.onward;
  const round = ++scratch.round;
  let found = 0;
  for (let q = 0; q < progress.waiting; q++) {
    const node = queue[q]!;
    if (node === to) continue;
    const price = fore[node]! * keep;
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k += 2) {
      const reached = price * prices[data[k]!]!;
      const head = data[k + 1]!;
      if (!(reached > fore[head]!) || reached * back[head]! < least) continue;
      if (head === from || head === to) continue;
      if (fore[head] === 0) visited[progress.visited++] = head;
      fore[head] = reached;
      if (queued[head] === round) continue;
      queued[head] = round;
      following[found++] = head;
    }
  }
  scratch.queue = following;
  scratch.following = queue;
  progress.waiting = found;
}

const ROUNDS = 24;
/**
 * So low that any product counts: a pool of a price far from the market's may be the only one that leads to a token.
 */
const LEAST = 1e-60;
/** Larger products come from repeated passes round a profitable cycle. */
const MOST = 1e60;

/**
 * Whether no cycle of pools that the order could pass is profitable. That holds if the whole market connected with the
 * native coin is free of arbitrage and the token bought is in it; otherwise a sweep towards the token bought decides.
 */
export function isArbitrageFree(
  graph: Graph,
  scratch: Scratch,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const { roundTrips } = graph;
  const gate = gateOf(graph.pairs, to);
  if (roundTrips.isArbitrageFree && roundTrips.bestSell[gate < 0 ? to : gate]! > 0) return true;
  return sweepBack(graph, scratch, {
    from,
    to,
    prices: graph.pairs.spot,
    keep: 1,
    least: LEAST,
    rounds: ROUNDS,
  });
}
