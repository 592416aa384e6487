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
  queueTrips,
  type Reach,
  reachOf,
  TOUCH,
  type Worth,
} from "./label-bounds.ts";

/** Passes after which what tokens cost and fetch must have come to rest; where cycles pay it never does. */
const PASSES = 24;
/** A hub that widens what others bound by more than this is left out of it. */
const OFF = 1.0002;

/**
 * What the tokens out of the problem cost and fetch, by the best ways from its tokens and back to them. Only tokens that
 * may cost less than they fetch are read and listed in `scratch.visited`; where one does, it is worth something between.
 * On a way that pays every token does. Seen from its start they owe that to a neighbour in the problem, then to hubs alone,
 * which a round trip between the token and the native coin tells of, and then to a neighbour again: so all of them are
 * found, with their very prices. All other tokens are taken to be worth what they fetch, with which no pool around them
 * earns; that is not worked out.
 *
 * @returns whether costs came to rest
 */
export function settleWorth(step: Worth): boolean {
  return settle(step, beginWays(step));
}

/** The same of all tokens that any way leads to. */
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
  scratch.most = reach.anywhere ? 0 : reach.byAll.most;
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

/** @returns whether there was time for all of them */
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
 * Lets a token that does better than over hubs tell all of its neighbours, who tell all of theirs then; the ways between
 * all others are followed by bridges.
 */
function updateFrom(step: Worth, reach: Reach, node: number): void {
  const { anywhere, everyWay, began } = reach;
  const leads = leadsOn(step, reach, node);
  if (!leads && !mayPay(step, reach, node)) return;
  if (leads && !anywhere && !everyWay) askBack(step, reach, node);
  if (leads || everyWay || step.scratch.beside[node] === began) updateAround(step, node, reach);
  else if (reach.openHubs) updateHubs(step, node, reach);
}

/** Has the neighbours of a token tell theirs, it among them. */
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
 * Follows the ways from one token to another of which neither is a hub. A way that keeps to what hubs bound pays only over
 * such a pair that a round trip tells of; tokens that do better tell all of their neighbours themselves.
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

/** Makes the nodes that were found the ones that wait. @returns how many they are */
function turn(scratch: Scratch): number {
  const { queue, following, found } = scratch;
  scratch.queue = following;
  scratch.following = queue;
  scratch.found = 0;
  scratch.round++;
  return found;
}

/** Lets the problem's tokens but hubs tell their neighbours, and queues the tokens that may cost less than they fetch. */
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
  queueTrips(graph, scratch, reach);
  return reach;
}

/**
 * What hubs bound. An order may move the prices of its own tokens far off all others': where one of these is a hub, it tells
 * its neighbours itself then.
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

/** Lets all of the problem's tokens tell all of their neighbours, who know nothing so far. */
function updateAll(step: Worth): Reach {
  const { scratch, problem } = step;
  const reach = { ...TOUCH, began: scratch.round };
  beginWorth(step);
  for (let n = 0; n < problem.nodes; n++) updateAround(step, problem.node[n]!, reach);
  return reach;
}

/** Lets all tokens on the ways so far ask again, since a hub has a better price, and those that it concerns besides. */
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
  queueTrips(graph, scratch, reach);
}

/** Asks the hubs next to a token what it costs and fetches; all other tokens tell their neighbours. */
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

/** Tells the neighbours of a token what it costs and fetches; those that this leads on wait for their turn. */
function updateAround(step: Worth, node: number, reach: Reach): void {
  updateRow(step, node, reach, step.graph.pairs.onward.length[node]!);
}

/** The same of the hubs among them only. */
function updateHubs(step: Worth, node: number, reach: Reach): void {
  updateRow(step, node, reach, 2 * step.graph.roundTrips.hubs.around[node]!);
}

/** The innermost loop of every step: both ways in one, so that a price is fetched once. */
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
