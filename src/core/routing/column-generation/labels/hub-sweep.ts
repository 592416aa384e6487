import { grown } from "../../../math/rows.ts";
import { label, type Scratch } from "../../convex/scratch.ts";
import type { Graph } from "../../market-graph/graph.ts";
import type { Core } from "../../market-graph/hubs.ts";
import type { Pairs } from "../../market-graph/pair-index.ts";
import { MARGIN, type Worth } from "./label-bounds.ts";
import type { Sweep } from "./sweep.ts";

const PASSES = 24;

/** The core of the market: its tokens of most neighbours. Undefined if the market has too few tokens for one. */
export function coreOf({ core }: Graph): Core | undefined {
  return core.isIn.length > 0 ? core : undefined;
}

/** Lists one direction of each pair between tokens of the core and `nodes`, in `scratch.listed`. */
export function listAround({ pairs, core }: Graph, scratch: Scratch, nodes: ArrayLike<number>): void {
  const { queued } = scratch;
  const asked = scratch.round + 1;
  const done = asked + 1;
  scratch.round = done;
  for (let n = 0; n < nodes.length; n++) queued[nodes[n]!] = asked;
  scratch.listed = grown(scratch.listed, core.pairs.length);
  scratch.listed.set(core.pairs);
  scratch.listings = core.pairs.length;
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n]!;
    if (core.isIn[node] === 1 || queued[node] === done) continue;
    queued[node] = done;
    listFrom({ pairs, core }, scratch, node, (far) => queued[far]! >= asked);
  }
}

function listFrom(
  {
    pairs: {
      onward: { start, length, data },
      degree,
    },
    core,
  }: Pick<Graph, "pairs" | "core">,
  scratch: Scratch,
  node: number,
  isAsked: (far: number) => boolean,
): void {
  const last = start[node]! + length[node]!;
  scratch.listed = grown(scratch.listed, scratch.listings + length[node]!);
  for (let k = start[node]!; k < last; k += 2) {
    const far = data[k + 1]!;
    // A token with one neighbour appears only in its own row.
    const isListed = isAsked(far) && (degree[node] === 1 || node < far);
    if (core.isIn[far] === 1 || isListed) scratch.listed[scratch.listings++] = data[k]!;
  }
}

/** The ends of an order, and the neighbours of each end that is outside the core. */
export function tokensAround({ pairs, core }: Graph, ends: readonly number[]): number[] {
  const { start, length, data } = pairs.onward;
  const nodes = [...ends];
  for (const end of ends) {
    const last = core.isIn[end] === 1 ? 0 : start[end]! + length[end]!;
    for (let k = start[end]!; k < last; k += 2) nodes.push(data[k + 1]!);
  }
  return nodes;
}

/** Finds buy and sell prices of the tokens of the core over the listed pairs, and values these tokens. */
export function settleCore(step: Worth): void {
  const { listed, listings } = step.scratch;
  settlePairs(step, listed, listings);
  valueAround(step, listed.subarray(0, listings));
}

/** Relaxes the given pairs, in both directions, until no label of a token outside the problem improves. */
export function settlePairs(step: Worth, pairs: Int32Array, count: number): void {
  let moved = true;
  for (let pass = 0; pass < PASSES && moved; pass++) {
    moved = false;
    for (let k = 0; k < count; k++) {
      const there = relaxPair(step, pairs[k]!);
      const back = relaxPair(step, pairs[k]! ^ 1);
      if (there || back) moved = true;
    }
  }
}

/** Values a token at the geometric mean of its buy and sell price if the buy price is lower, else at its sell price. */
function valueAround({ graph, scratch }: Worth, around: Int32Array): void {
  const { buyPrices, sellPrices, local, worth } = scratch;
  const { tail } = graph.pairs;
  for (let k = 0; k < 2 * around.length; k++) {
    const node = tail[around[k >> 1]! ^ (k & 1)]!;
    if (local[node] !== 0) continue;
    worth[node] =
      buyPrices[node]! < sellPrices[node]!
        ? Math.sqrt(buyPrices[node]! * sellPrices[node]!)
        : sellPrices[node]!;
  }
}

/** Relaxes a pair from its tail: updates both prices of its head if that is outside the problem. @returns whether one improved */
export function relaxPair({ graph, scratch, demand, prices }: Worth, pair: number): boolean {
  const { buyPrices, sellPrices, local, next, prior } = scratch;
  const { tail } = graph.pairs;
  const node = tail[pair]!;
  const far = tail[pair ^ 1]!;
  if (local[far] !== 0) return false;
  const sellPriceVia = node === demand.from ? 0 : prices[pair ^ 1]! * sellPrices[node]!;
  const more = sellPriceVia > sellPrices[far]! * MARGIN;
  const less = node !== demand.to && buyPrices[node]! * MARGIN < buyPrices[far]! * prices[pair]!;
  if (!more && !less) return false;
  label(scratch, far);
  if (more) {
    sellPrices[far] = sellPriceVia;
    next[far] = pair ^ 1;
  }
  if (less) {
    buyPrices[far] = buyPrices[node]! / prices[pair]!;
    prior[far] = pair;
  }
  return true;
}

/** Fills `scratch.back` and `scratch.fore` with the best products of prices over the listed pairs. */
export function sweepAround({ pairs }: Graph, scratch: Scratch, sweep: Sweep): void {
  const { back, fore } = scratch;
  back.fill(0);
  fore.fill(0);
  back[sweep.to] = fore[sweep.from] = 1;
  for (let round = 0; round < sweep.rounds; round++) if (!passAround(pairs, scratch, sweep)) break;
}

/** Relaxes all listed pairs once. @returns whether anything improved */
function passAround(
  pairs: Pairs,
  { back, fore, listed, listings }: Scratch,
  { from, to, prices, keep }: Sweep,
): boolean {
  let moved = false;
  for (let k = 0; k < 2 * listings; k++) {
    const pair = listed[k >> 1]! ^ (k & 1);
    const u = pairs.tail[pair]!;
    const v = pairs.tail[pair ^ 1]!;
    if (u === to || v === from) continue;
    const sellPriceVia = prices[pair]! * back[v]! * keep;
    const reached = prices[pair]! * fore[u]! * keep;
    if (sellPriceVia > back[u]! || reached > fore[v]!) moved = true;
    if (sellPriceVia > back[u]!) back[u] = sellPriceVia;
    if (reached > fore[v]!) fore[v] = reached;
  }
  return moved;
}
