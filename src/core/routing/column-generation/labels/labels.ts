import { label, type Scratch } from "../../convex/scratch.ts";
import { relaxPair, settlePairs } from "./hub-sweep.ts";
import {
  BETWEEN_CLOCKS,
  type Bounds,
  beginWorth,
  enqueue,
  extend,
  isOnWay,
  leadsOn,
  MARGIN,
  mayPay,
  noteUpdate,
  queueByRoundTrips,
  type Reach,
  reachOf,
  TOUCH,
  type Worth,
} from "./label-bounds.ts";

/** Passes after which labels must have settled. If a cycle of pools is profitable they never do. */
const PASSES = 24;
/** A hub at an end of the order that would widen the bounds of the other hubs by more than this factor is left out of them. */
const OFF = 1.0002;

/**
 * Finds the best buy and sell prices of tokens outside the restricted problem, by the best paths from its tokens and back
 * to them, as a label-correcting search. Only tokens whose buy price may be below their sell price are visited and listed
 * in `scratch.visited`. One whose buy price is below its sell price gets the geometric mean of both as its value.
 *
 * On a profitable path every token has a buy price below its sell price. Following the path from its start, the first
 * tokens get their label from a neighbour in the problem, the next ones from hubs alone, for which the round-trip rate
 * against the native coin gives a bound, and the last ones from a neighbour again. So every token of every profitable path
 * is found, with exact prices. All other tokens would be valued at their sell price, at which no pool around them earns;
 * these prices are not computed.
 *
 * @returns whether the labels settled
 */
export function settleWorth(step: Worth): boolean {
  return settle(step, beginWays(step));
}

/**
 * Finds the best buy and sell prices of all tokens that any path reaches, without bounds that exclude tokens.
 * @returns whether the labels settled
 */
export function settleEverywhere(step: Worth): boolean {
  step.scratch.reached = step.scratch.found = 0;
  step.scratch.round++;
  return settle(step, updateAll(step));
}

function settle(step: Worth, reach: Reach): boolean {
  const { scratch } = step;
  let waiting = turn(scratch);
  for (let pass = 0; pass < PASSES && waiting > 0; pass++) {
    if (!followWaiting(step, reach, waiting)) return false;
    crossBridges(step, reach);
    if (reach.hubUpdated) askAgain(step, reach);
    waiting = turn(scratch);
  }
  valueVisited(step, reach);
  return waiting === 0;
}

function valueVisited({ graph: { roundTrips }, scratch }: Worth, { anywhere }: Reach): void {
  const { buyPrices, sellPrices, worth, local, visited } = scratch;
  for (const hub of anywhere ? [] : roundTrips.hubs.nodes)
    if (local[hub] === 0) visited[scratch.reached++] = hub;
  for (let n = 0; n < scratch.reached; n++) {
    const node = visited[n]!;
    if (buyPrices[node]! < sellPrices[node]!) worth[node] = Math.sqrt(buyPrices[node]! * sellPrices[node]!);
  }
}

/** Processes the queue of this pass. @returns false if the deadline came before its end */
function followWaiting(step: Worth, reach: Reach, waiting: number): boolean {
  const { queue, visited, reached } = step.scratch;
  for (; reach.asked < reached; reach.asked++) {
    if (reach.asked % BETWEEN_CLOCKS === 0 && step.demand.late()) return false;
    askHubs(step, visited[reach.asked]!);
  }
  for (let q = 0; q < waiting; q++) {
    if (q % BETWEEN_CLOCKS === 0 && step.demand.late()) return false;
    updateFrom(step, reach, queue[q]!);
  }
  return true;
}

/**
 * Propagates the label of a queued token. A label that is better than any path over hubs could make it goes to all
 * neighbours, which then propagate theirs; otherwise hubs and bridges carry labels on.
 */
function updateFrom(step: Worth, reach: Reach, node: number): void {
  const { anywhere, everyWay, began } = reach;
  const leads = leadsOn(step, reach, node);
  if (!leads && !mayPay(step, reach, node)) return;
  if (leads && !anywhere && !everyWay) askBack(step, reach, node);
  if (leads || everyWay || step.scratch.beside[node] === began) updateAround(step, node, reach);
  else if (reach.openHubs) updateHubs(step, node, reach);
}

/** Marks all neighbours of a token to propagate their labels to all of their neighbours, this token included. */
function askBack({ graph: { pairs }, scratch }: Worth, reach: Reach, node: number): void {
  const { beside, queued } = scratch;
  const { start, length, data } = pairs.onward;
  for (let k = start[node]!; k < start[node]! + length[node]!; k += 2) {
    const far = data[k + 1]!;
    if (beside[far] === reach.began) continue;
    beside[far] = reach.began;
    if (queued[far]! >= reach.began) enqueue(scratch, far, reach);
  }
}

/**
 * Relaxes the bridges, pairs of two tokens that are no hubs, until nothing improves. A profitable path within the bounds
 * of the hubs uses only bridges whose round-trip rate allows it; tokens that do better propagate to all neighbours anyway.
 */
function crossBridges(step: Worth, reach: Reach): void {
  const { bridges } = step.scratch;
  for (let pass = 0, moved = true; pass < PASSES && moved; pass++) {
    moved = false;
    for (let k = 0; k < reach.bridges; k++) if (crossBridge(step, reach, bridges[k]!)) moved = true;
  }
}

function crossBridge(step: Worth, reach: Reach, pair: number): boolean {
  const { tail } = step.graph.pairs;
  const there = relaxPair(step, pair);
  const back = relaxPair(step, pair ^ 1);
  if (there) noteUpdate(step, reach, tail[pair ^ 1]!);
  if (back) noteUpdate(step, reach, tail[pair]!);
  return there || back;
}

/** Begins the next pass: the nodes that were enqueued become the queue. @returns their number */
function turn(scratch: Scratch): number {
  const { queue, following, found } = scratch;
  scratch.queue = following;
  scratch.following = queue;
  scratch.found = 0;
  scratch.round++;
  return found;
}

/** Propagates the prices of the problem's tokens except hubs, and enqueues the tokens whose buy price may be below their sell price. */
function beginWays(step: Worth): Reach {
  const { graph, scratch, problem } = step;
  const { roundTrips } = graph;
  scratch.reached = scratch.found = 0;
  scratch.round++;
  if (!roundTrips.isArbitrageFree) return updateAll(step);
  for (let n = 0; n < problem.nodes; n++)
    if (roundTrips.hubs.isHub[problem.node[n]!] === 0) updateAround(step, problem.node[n]!, TOUCH);
  settlePairs(step, roundTrips.hubs.pairs, roundTrips.hubs.pairs.length);
  const byHubs = boundsOfHubs(step);
  const touched = turn(scratch);
  const reach = reachOf(step, byHubs, touched);
  if (reach.byAll.most === Infinity) return updateAll(step);
  for (let q = 0; q < touched; q++) {
    const node = scratch.queue[q]!;
    if (roundTrips.hubs.isHub[node] === 0 && isOnWay(step, reach, node)) enqueue(scratch, node, reach);
  }
  queueByRoundTrips(graph, scratch, reach);
  return reach;
}

/**
 * The bounds that the labels of hubs imply. An order may move the prices of its own two tokens far from the market. If one
 * of them is a hub and would widen the bounds much, it is left out of them and propagates to its neighbours instead.
 */
function boundsOfHubs(step: Worth): Bounds {
  const { roundTrips } = step.graph;
  const { demand } = step;
  const byHubs = { most: 0, least: Infinity };
  for (const hub of roundTrips.hubs.nodes)
    if (hub !== demand.from && hub !== demand.to) extend(step, byHubs, hub);
  for (const end of [demand.from, demand.to]) {
    if (roundTrips.hubs.isHub[end] === 0) continue;
    const { most, least } = byHubs;
    extend(step, byHubs, end);
    if (byHubs.most <= most * OFF && byHubs.least >= least / OFF) continue;
    Object.assign(byHubs, { most, least });
    updateAround(step, end, TOUCH);
  }
  return byHubs;
}

/** Clears all labels and propagates the prices of all tokens of the problem to all neighbours. */
function updateAll(step: Worth): Reach {
  const { scratch, problem } = step;
  const reach = { ...TOUCH, began: scratch.round };
  beginWorth(step);
  for (let n = 0; n < problem.nodes; n++) updateAround(step, problem.node[n]!, reach);
  return reach;
}

/** Enqueues all visited tokens again after the label of a hub has improved, and those that the wider bounds now admit. */
function askAgain(step: Worth, reach: Reach): void {
  const { graph, scratch } = step;
  const { hubs } = graph.roundTrips;
  reach.hubUpdated = false;
  reach.asked = 0;
  settlePairs(step, hubs.pairs, hubs.pairs.length);
  for (const hub of hubs.nodes) {
    if (hub === step.demand.from || hub === step.demand.to) continue;
    extend(step, reach.byHubs, hub);
    extend(step, reach.byAll, hub);
  }
  for (let n = scratch.reached - 1; n >= 0; n--) enqueue(scratch, scratch.visited[n]!, reach);
  queueByRoundTrips(graph, scratch, reach);
}

/** Updates the label of a token from its neighbouring hubs. Hubs have rows too long to propagate from, so labels are pulled from them. */
function askHubs({ graph, scratch, demand, prices }: Worth, node: number): void {
  const { buyPrices, sellPrices, next, prior } = scratch;
  const { pairs, roundTrips } = graph;
  const { start, data } = pairs.onward;
  const last = start[node]! + 2 * roundTrips.hubs.around[node]!;
  let cost = buyPrices[node]!;
  let sellPrice = sellPrices[node]!;
  for (let k = start[node]!; k < last; k += 2) {
    const pair = data[k]!;
    const far = data[k + 1]!;
    const sellPriceVia = prices[pair]! * sellPrices[far]!;
    if (sellPriceVia > sellPrice * MARGIN && far !== demand.from) {
      sellPrice = sellPriceVia;
      next[node] = pair;
    }
    if (buyPrices[far]! * MARGIN < cost * prices[pair ^ 1]! && far !== demand.to) {
      cost = buyPrices[far]! / prices[pair ^ 1]!;
      prior[node] = pair ^ 1;
    }
  }
  if (cost === buyPrices[node] && sellPrice === sellPrices[node]) return;
  label(scratch, node);
  buyPrices[node] = cost;
  sellPrices[node] = sellPrice;
}

/** Relaxes the pairs from a token to all of its neighbours, and enqueues those whose label improved. */
function updateAround(step: Worth, node: number, reach: Reach): void {
  updateRow(step, node, reach, step.graph.pairs.onward.length[node]!);
}

/** Relaxes the pairs from a token to its neighbouring hubs only. */
function updateHubs(step: Worth, node: number, reach: Reach): void {
  updateRow(step, node, reach, 2 * step.graph.roundTrips.hubs.around[node]!);
}

/** The innermost loop of every pricing step. Both directions of a pair are relaxed together, so that its memory is read once. */
function updateRow(step: Worth, node: number, reach: Reach, length: number): void {
  const { graph, scratch, demand, prices } = step;
  const { buyPrices, sellPrices, local, next, prior } = scratch;
  const cost = node === demand.to ? Infinity : buyPrices[node]!;
  const sellPrice = node === demand.from ? 0 : sellPrices[node]!;
  const { start, data } = graph.pairs.onward;
  const last = start[node]! + length;
  for (let k = start[node]!; k < last; k += 2) {
    const pair = data[k]!;
    const far = data[k + 1]!;
    const sellPriceVia = prices[pair ^ 1]! * sellPrice;
    const more = sellPriceVia > sellPrices[far]! * MARGIN;
    const less = cost * MARGIN < buyPrices[far]! * prices[pair]!;
    if ((!more && !less) || local[far] !== 0) continue;
    label(scratch, far);
    if (more) {
      sellPrices[far] = sellPriceVia;
      next[far] = pair ^ 1;
    }
    if (less) {
      buyPrices[far] = cost / prices[pair]!;
      prior[far] = pair;
    }
    noteUpdate(step, reach, far);
  }
}
