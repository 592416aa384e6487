import { growAll } from "../../math/rows.ts";
import { outputAt } from "../curves/segments.ts";
import type { Problem } from "./problem.ts";

/** Working memory of `deliver`. */
export type PrimalFlow = {
  /** Edges of each node, by tail: node n has list[start[n]] … list[start[n + 1] - 1]. */
  start: Int32Array;
  list: Int32Array;
  waiting: Int32Array;
  order: Int32Array;
  alive: Uint8Array;
  held: Float64Array;
  /** By edge, the amount sent through it, in smallest units: in the last flow, and in the best so far. */
  sent: Float64Array;
  best: Float64Array;
  /** What the best flow pays, in value; -1 before the first. */
  most: number;
  /** The best flows of all solutions of the order, by edge of the graph, and what they pay in value. */
  readonly flows: Map<number, number>;
  kept: number;
};

export function emptyPrimalFlow(): PrimalFlow {
  return {
    start: new Int32Array(64),
    list: new Int32Array(256),
    waiting: new Int32Array(64),
    order: new Int32Array(64),
    alive: new Uint8Array(64),
    held: new Float64Array(64),
    sent: new Float64Array(256),
    best: new Float64Array(256),
    most: -1,
    flows: new Map(),
    kept: -1,
  };
}

/** Lists the problem's edges by tail. Has to be called after edges were added. */
export function indexByTail(primalFlow: PrimalFlow, { nodes, edges, tail }: Problem): void {
  growAll(primalFlow, ["start", "waiting", "order", "alive", "held"], nodes + 1);
  growAll(primalFlow, ["list", "sent", "best"], edges);
  const { start, list } = primalFlow;
  start.fill(0, 0, nodes + 1);
  for (let e = 0; e < edges; e++) start[tail[e]! + 1]!++;
  for (let n = 0; n < nodes; n++) start[n + 1]! += start[n]!;
  for (let e = edges - 1; e >= 0; e--) list[--start[tail[e]! + 1]!] = e;
  for (let n = 0; n < nodes; n++) start[n] = start[n + 1]!;
  start[nodes] = edges;
}

/**
 * Makes a feasible flow of what the edges sell at the dual prices: what arrives at each token is divided among its
 * edges in proportion, so that all of it goes on. Edges that do not lead to the sink carry nothing. Cycles are cut by
 * setting `problem.sold` of an edge to 0.
 *
 * @returns what arrives at the sink, in value, or -1 if the edges cannot take it; `primalFlow.best` keeps the best flow
 *   so far
 */
export function deliver(primalFlow: PrimalFlow, problem: Problem): number {
  let count = orderTokens(primalFlow, problem);
  if (count < problem.nodes) count = cutCycles(primalFlow, problem, count);
  markAlive(primalFlow, problem, count);
  const arrived = runFlows(primalFlow, problem, count);
  if (arrived > primalFlow.most) {
    primalFlow.most = arrived;
    primalFlow.best.set(primalFlow.sent.subarray(0, problem.edges));
  }
  return arrived;
}

/** Fills `order` with the nodes in topological order from the source. @returns their number, less than all if there is a cycle */
function orderTokens(primalFlow: PrimalFlow, problem: Problem): number {
  const { waiting, order } = primalFlow;
  const { nodes, edges, source, sold, head } = problem;
  waiting.fill(0, 0, nodes);
  for (let e = 0; e < edges; e++) if (sold[e]! > 0 && head[e] !== source) waiting[head[e]!]!++;
  let count = 0;
  for (let n = 0; n < nodes; n++) if (n === source || waiting[n] === 0) order[count++] = n;
  for (let k = 0; k < count; k++) count = release(primalFlow, problem, order[k]!, count);
  return count;
}

/**
 * Removes edges between nodes that cycles keep out of the order, those of least value first, until all nodes are in it.
 *
 * @param count number of nodes in the order
 * @returns that number afterwards
 */
function cutCycles(primalFlow: PrimalFlow, problem: Problem, count: number): number {
  const { waiting, order } = primalFlow;
  const { tail, head, sold } = problem;
  let length = count;
  for (const e of byValue(primalFlow, problem)) {
    if (waiting[head[e]!]! <= 0 || waiting[tail[e]!]! <= 0) continue;
    sold[e] = 0;
    if (--waiting[head[e]!]! > 0) continue;
    let next = length;
    order[length++] = head[e]!;
    for (; next < length; next++) length = release(primalFlow, problem, order[next]!, length);
  }
  return length;
}

/** The edges in use between nodes that wait, by rising value. */
function byValue({ waiting }: PrimalFlow, { edges, tail, head, sold, ref, source }: Problem): number[] {
  const found: number[] = [];
  for (let e = 0; e < edges; e++)
    if (sold[e]! > 0 && head[e] !== source && waiting[head[e]!]! > 0 && waiting[tail[e]!]! > 0) found.push(e);
  const value = (e: number) => sold[e]! * ref[tail[e]!]!;
  return found.sort((a, b) => value(a) - value(b) || a - b);
}

/** Appends the nodes whose last predecessor was `node`. @returns the new length of `order` */
function release(
  { start, list, waiting, order }: PrimalFlow,
  problem: Problem,
  node: number,
  count: number,
): number {
  const { source, sold, head } = problem;
  let length = count;
  for (let at = start[node]!; at < start[node + 1]!; at++) {
    const e = list[at]!;
    if (sold[e]! > 0 && head[e] !== source && --waiting[head[e]!]! === 0) order[length++] = head[e]!;
  }
  return length;
}

/** Marks the nodes from which edges in use lead to the sink. */
function markAlive(
  { start, list, order, alive }: PrimalFlow,
  { nodes, sink, source, sold, head }: Problem,
  count: number,
): void {
  alive.fill(0, 0, nodes);
  alive[sink] = 1;
  for (let k = count - 1; k >= 0; k--) {
    const node = order[k]!;
    for (let at = start[node]!; at < start[node + 1]! && alive[node] === 0; at++) {
      const e = list[at]!;
      if (sold[e]! > 0 && head[e] !== source && alive[head[e]!] === 1) alive[node] = 1;
    }
  }
}

function runFlows(primalFlow: PrimalFlow, problem: Problem, count: number): number {
  const { order, held, sent } = primalFlow;
  const { nodes, edges, source, sink, supply, ref, free } = problem;
  sent.fill(0, 0, edges);
  for (let n = 0; n < nodes; n++) held[n] = free[n]! / ref[n]!;
  held[source]! += supply / ref[source]!;
  for (let k = 0; k < count; k++) {
    const node = order[k]!;
    if (node !== sink && held[node]! > 0 && !shareOut(primalFlow, problem, node)) return -1;
  }
  return held[sink]! * ref[sink]!;
}

/**
 * Sends all that a node holds through its edges, in proportion to what they sell at the dual prices. An edge that would exceed
 * its capacity is filled, and the others take the rest.
 *
 * @returns false if together they cannot take it
 */
function shareOut(primalFlow: PrimalFlow, problem: Problem, node: number): boolean {
  const { start, list, held, sent } = primalFlow;
  const { head, curves } = problem;
  const scale = scaleAt(primalFlow, problem, node);
  if (scale === Infinity) return false;
  for (let at = start[node]!; at < start[node + 1]!; at++) {
    const e = list[at]!;
    const wanted = wants(primalFlow, problem, e) * scale;
    if (wanted === 0) continue;
    const amount = wanted > curves.end[e]! ? curves.end[e]! * FULL : wanted;
    const out = outputAt(curves, e, amount);
    if (!(out >= 0)) return false;
    sent[e] = amount;
    held[head[e]!]! += out;
  }
  return true;
}

/** Share of its capacity at which an edge counts as filled, since amounts may come out slightly larger when they are settled. */
const FULL = 1 - 1e-6;

/** The factor for the sales of a node's edges at which they take all that it holds; Infinity if their capacity does not suffice. */
function scaleAt(primalFlow: PrimalFlow, problem: Problem, node: number): number {
  const { start, list, held } = primalFlow;
  const { end } = problem.curves;
  let scale = 0;
  for (let filled = -1, before = -2; filled !== before; ) {
    before = filled;
    filled = 0;
    let wanted = 0;
    let left = held[node]!;
    for (let at = start[node]!; at < start[node + 1]!; at++) {
      const e = list[at]!;
      const want = wants(primalFlow, problem, e);
      if (want * scale > end[e]!) {
        left -= end[e]! * FULL;
        filled++;
      } else wanted += want;
    }
    if (wanted === 0) return filled > 0 ? Infinity : 0;
    scale = left / wanted;
  }
  return scale;
}

/** What an edge sells at the dual prices; 0 if it does not lead to the sink, or leads back to the source. */
function wants({ alive }: PrimalFlow, { source, sold, head }: Problem, e: number): number {
  return alive[head[e]!] === 1 && head[e] !== source ? sold[e]! : 0;
}

/** Keeps the flow of the last solution if it pays more than all before. */
export function keepBest(primalFlow: PrimalFlow, { edges, edge }: Problem): void {
  if (!(primalFlow.most > primalFlow.kept)) return;
  primalFlow.kept = primalFlow.most;
  primalFlow.flows.clear();
  for (let e = 0; e < edges; e++)
    if (primalFlow.best[e]! > 0) primalFlow.flows.set(edge[e]!, primalFlow.best[e]!);
}

/** A flow below this share of the supply counts as none. */
const NOTHING = 1e-10;

/** The places in the problem of the edges that carry something in the best flow. */
export function carrying({ best, most }: PrimalFlow, { edges, tail, ref, supply }: Problem): number[] {
  const places: number[] = [];
  for (let e = 0; e < edges && most > 0; e++)
    if (best[e]! * ref[tail[e]!]! > NOTHING * supply) places.push(e);
  return places;
}
