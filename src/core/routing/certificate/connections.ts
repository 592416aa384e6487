/**
 * What pools gain for a route, which has to reach them and to go on from them.
 *
 * In:  the pools that gain more than their gas θ and the shadow price σ of a crossing: e from u to v gains g_e = E_e - θ_e - σ > 0;
 *      what other crossings lose, ℓ_e = max(0, θ_e + σ - E_e).
 * Out: an upper bound on the sum of g - ℓ over the crossings of any route, with what of the losses it has used up, so that the path
 *      between the ends can be charged with the rest.
 *
 * A token, except those of the order, is entered by a crossing if one leaves it, and left if one enters it. It is *open* if
 * pools that gain leave it and none enters it, or the other way round: its gains then need a crossing that loses. The gain of an
 * edge is ascribed to its open ends, a half to each of two, and the loss of a crossing in the same way. So an open token v adds
 * at most G_v - min(G_v, c_v), with G_v what is ascribed to it and c_v the least loss of a crossing that enters (or leaves) it.
 * Of any crossing's loss no more than all is used. O(pools that gain · pools of their tokens), without tokens of many pools.
 */
import type { Graph } from "../market-graph/graph.ts";
import type { CrossingCosts, Gains } from "./gains.ts";
import { gainBeforeCrossing } from "./selection.ts";

/** The tokens between which an order trades. */
type Ends = { readonly from: number; readonly to: number };

/** The sum of gains at a shadow price, and by edge what of the loss of a crossing is used up already. */
export type Connected = {
  readonly gain: number;
  readonly used: (edge: number) => number;
  /** The most that is used up of a crossing's loss at one of its ends. */
  readonly mostUsed: number;
};

/** A pool that gains on one edge only, before σ. */
type Directed = { readonly edge: number; readonly gain: number };

/** What the least loss of a crossing into (or out of) a token depends on. */
type Approach = {
  /** Least cost less gain, before σ, of crossings from (to) tokens at which no pool gains. */
  readonly plain: number;
  /** The other crossings, by the token at their other end. */
  readonly shared: readonly (readonly [other: number, least: number])[];
};

/** The pools that gain, and the crossings of their tokens: all that the gains depend on but for σ. */
export type Connections = {
  readonly graph: Graph;
  readonly ends: Ends;
  readonly directed: readonly Directed[];
  /** Gains, before σ, of groups that may gain by several edges: no token of theirs counts as open. */
  readonly undirected: readonly number[];
  readonly into: ReadonlyMap<number, Approach>;
  readonly outOf: ReadonlyMap<number, Approach>;
};

/** Cap on the number of pools of a token's pairs that are read, so that nobody can slow a proof by creating pools. */
const MOST_POOLS = 256;

/** Cap on the number of pools whose tokens may be open, those that gain most; others count in full, wherever they lie. */
const MOST_DIRECTED = 40;

/** Reads the pools that gain, and what the crossings of their tokens cost. */
export function connectionsOf(graph: Graph, ends: Ends, gains: Gains, costs: CrossingCosts): Connections {
  const directed: Directed[] = [];
  const undirected: number[] = [];
  for (const one of gains.earners) {
    const gain = gainBeforeCrossing(one) - one.cost * costs.outPerGas;
    if (!(gain > 0)) continue;
    if (one.edge === undefined) undirected.push(gain);
    else directed.push({ edge: one.edge, gain });
  }
  directed.sort((a, b) => b.gain - a.gain || a.edge - b.edge);
  for (const { gain } of directed.splice(MOST_DIRECTED)) undirected.push(gain);
  const poolAt = onlyPoolAt(graph, directed);
  const into = new Map<number, Approach>();
  const outOf = new Map<number, Approach>();
  for (const token of poolAt.keys()) {
    if (token === ends.from || token === ends.to) continue;
    into.set(token, approachOf(graph, token, { poolAt, ...costs, flip: 1 }));
    outOf.set(token, approachOf(graph, token, { poolAt, ...costs, flip: 0 }));
  }
  return { graph, ends, directed, undirected, into, outOf };
}

/** By token of pools that gain, the only such pool; -1 where there are several. */
function onlyPoolAt({ tail, head, owner }: Graph, directed: readonly Directed[]): Map<number, number> {
  const poolAt = new Map<number, number>();
  for (const { edge } of directed)
    for (const token of [tail[edge]!, head[edge]!]) poolAt.set(token, poolAt.has(token) ? -1 : owner[edge]!);
  return poolAt;
}

/** `flip` is 1 for the crossings into a token, 0 for those out of it. */
type Approached = Pick<CrossingCosts, "leastCost"> & {
  readonly poolAt: ReadonlyMap<number, number>;
  readonly flip: 0 | 1;
};

/**
 * The crossings of a token, without those of its only pool that gains: a token that is bought from that pool alone is not sold to it on
 * balance, so that the pool gains nothing.
 */
function approachOf(
  { pairs, owner }: Graph,
  token: number,
  { poolAt, leastCost, flip }: Approached,
): Approach {
  const { outgoing, edges } = pairs;
  const shared: [number, number][] = [];
  let plain = Infinity;
  if (outgoing.length[token]! > MOST_POOLS) return FREE;
  let left = MOST_POOLS;
  for (let k = outgoing.start[token]!; k < outgoing.start[token]! + outgoing.length[token]!; k++) {
    const pair = outgoing.data[k]! ^ flip;
    const other = pairs.tail[outgoing.data[k]! ^ 1]!;
    const first = edges.start[pair]!;
    left -= edges.length[pair]!;
    if (left < 0) return FREE;
    let least = Infinity;
    for (let at = first; at < first + edges.length[pair]!; at++)
      if (owner[edges.data[at]!] !== poolAt.get(token)) least = Math.min(least, leastCost(edges.data[at]!));
    if (poolAt.has(other)) shared.push([other, least]);
    else plain = Math.min(plain, least);
  }
  return { plain, shared };
}

/** The approach to a token of too many pools. */
const FREE: Approach = { plain: -Infinity, shared: [] };

/** The most that pools gain beyond σ, once they are reached and left. */
export function connectedGain(connections: Connections, shadow: number): Connected {
  const { graph, undirected } = connections;
  const { tail, head } = graph;
  const open = openAt(connections, shadow);
  const { ascribed, anyway } = ascribedGains(connections, open, shadow);
  const used = new Map<number, number>();
  let gain = undirected.reduce((sum, one) => sum + Math.max(0, one - shadow), anyway);
  for (const [token, amount] of ascribed) {
    const least = Math.min(amount, leastLoss(connections, open, { token, shadow }));
    used.set(token, least);
    gain += amount - least;
  }
  const usedAt = (tokens: ReadonlySet<number>, token: number) =>
    tokens.has(token) ? (used.get(token) ?? 0) : 0;
  return {
    gain,
    used: (edge) => usedAt(open.unentered, head[edge]!) + usedAt(open.unleft, tail[edge]!),
    mostUsed: Math.max(0, ...used.values()),
  };
}

/** Open tokens: those that pools which gain only leave, and those that such pools only enter. */
type Open = { readonly unentered: ReadonlySet<number>; readonly unleft: ReadonlySet<number> };

function openAt({ graph, ends, directed }: Connections, shadow: number): Open {
  const left = new Set<number>();
  const entered = new Set<number>();
  for (const { edge, gain } of directed) {
    if (!(gain > shadow)) continue;
    left.add(graph.tail[edge]!);
    entered.add(graph.head[edge]!);
  }
  const isInner = (token: number) => token !== ends.from && token !== ends.to;
  const only = (some: ReadonlySet<number>, others: ReadonlySet<number>) =>
    new Set([...some].filter((token) => !others.has(token) && isInner(token)));
  return { unentered: only(left, entered), unleft: only(entered, left) };
}

/** By open token, the gains that are ascribed to it, and the sum of those of pools without open ends. */
function ascribedGains({ graph, directed }: Connections, open: Open, shadow: number) {
  const ascribed = new Map<number, number>();
  let anyway = 0;
  for (const { edge, gain } of directed) {
    const beyond = gain - shadow;
    if (!(beyond > 0)) continue;
    const [sold, bought] = [graph.tail[edge]!, graph.head[edge]!];
    const ends = [...(open.unentered.has(sold) ? [sold] : []), ...(open.unleft.has(bought) ? [bought] : [])];
    if (ends.length === 0) anyway += beyond;
    for (const end of ends) ascribed.set(end, (ascribed.get(end) ?? 0) + beyond / ends.length);
  }
  return { ascribed, anyway };
}

/** What at least is ascribed to an open token of the loss of a crossing that enters it, or leaves it if that is what is missing. */
function leastLoss(
  { into, outOf }: Connections,
  { unentered, unleft }: Open,
  { token, shadow }: { readonly token: number; readonly shadow: number },
): number {
  const isUnentered = unentered.has(token);
  const { plain, shared } = (isUnentered ? into : outOf).get(token)!;
  const others = isUnentered ? unleft : unentered;
  let least = Math.max(0, plain + shadow);
  for (const [other, cost] of shared)
    least = Math.min(least, Math.max(0, cost + shadow) * (others.has(other) ? HALF : 1));
  return least;
}

const HALF = 0.5;
