import type { Joint } from "../../../protocol.ts";
import type { At } from "../../../types.ts";
import { slopeAt, spotSlope } from "../../curves/segments.ts";
import { edgeCount, type Graph, UNPLACED } from "../../market-graph/graph.ts";
import type { CertificateMemory } from "../memory.ts";
import type { Earner } from "../selection.ts";
import { type Groups, groupsOf } from "./groups.ts";
import { jointEarning } from "./joint-earning.ts";
import { constantGain, excessUnits, MOST_EXCESS, mirrorOf, outerProfit } from "./outer.ts";

/**
 * E_g(ν): the most that a group of pools can gain at token prices ν, over any trades with it.
 *
 * A pool of two tokens that shares no state gains most by one trade in the one direction that pays: trades back and
 * forth only pay fees. Where what a trade leaves in the pool pays later ones more, and of more tokens, a pool gains at
 * most what its design says of all its pairs, or else what its joint node says. Pools that share state, and designs
 * without a joint node, gain nothing where none of their pairs does (their trading set is convex, and near nothing
 * every trade is a sum of trades of pairs); where some pair gains, the design may say what all gain together.
 */

/** A market at given prices. */
export type PricedMarket = {
  readonly graph: Graph;
  readonly memory: CertificateMemory;
  readonly at: At;
  readonly allowed: (edge: number) => boolean;
  /** Value of a smallest unit of a node's token, in any one unit; 0 where no route leads. */
  readonly price: (node: number) => number;
  /** A gain in that unit that need not be known any better. */
  readonly enough: number;
  /** Nodes of the tokens that orders sell and buy. */
  readonly ends: readonly number[];
};

/** An earner, or why what a group gains is not known. */
export type Earning = Earner | { readonly reason: string };

/** Connected sets of pools over shared state, worked out again when pools come. */
export function sharedState(memory: CertificateMemory, { entries }: Graph): Groups {
  if (memory.grouped !== entries.length) {
    memory.groups = groupsOf(entries);
    memory.grouped = entries.length;
  }
  return memory.groups;
}

/**
 * What the pool `index`, with all that share its state, can gain.
 *
 * @returns undefined where that is nothing, or where another pool of the group answers for it
 */
export function earningOf(market: PricedMarket, index: number): Earning | undefined {
  const { graph, memory } = market;
  if (!isUsable(market, index)) return undefined;
  const { pool, protocol } = graph.entries[index]!;
  const isMember = pool.stateIds.length > 1 && protocol.gainTogether !== undefined;
  const members = sharedState(memory, graph).get(index) ?? (isMember ? [index] : undefined);
  try {
    return members === undefined ? poolEarning(market, index) : groupEarning(market, index, members);
  } catch {
    memory.threw++;
    return { reason: THREW };
  }
}

/**
 * What pools that share state can gain: nothing where none of their pairs does, and else what their design says that
 * all of them gain together.
 */
function groupEarning(market: PricedMarket, index: number, members: readonly number[]): Earning | undefined {
  const { graph } = market;
  const usable = members.filter((member) => isUsable(market, member));
  if (usable[0] !== index) return undefined;
  // Of all that share a state the one that has no other is a pool like any.
  const isAlone = usable.length === 1 && graph.entries[index]!.pool.stateIds.length === 1;
  if (isAlone) return poolEarning(market, index);
  if (!usable.some((member) => bestPair(market, member).earned > 0)) return undefined;
  const earned = gainTogether(market, members, usable);
  if (earned === undefined) return { reason: SHARED };
  return earned > 0
    ? { earned, cost: Math.min(...usable.map((member) => leastGas(graph, member))) }
    : undefined;
}

/** @param usable those of the members that a route may cross */
function gainTogether(
  { graph, memory, at, price, ends }: PricedMarket,
  members: readonly number[],
  usable: readonly number[],
): number | undefined {
  const [first, ...others] = usable.map((member) => graph.entries[member]!);
  const { protocol } = first!;
  if (others.some((entry) => entry.protocol !== protocol)) return undefined;
  const priced = usable.map((member) => {
    const { pool } = graph.entries[member]!;
    const prices = pool.tokens.map((token) => price(graph.nodeOf.get(token)!));
    return { pool, mirror: mirrorOf(memory.outer, graph, member, at), prices };
  });
  return protocol.gainTogether?.(priced, (token) => {
    const node = graph.nodeOf.get(token)!;
    return !ends.includes(node) && isTradedOnlyBy(graph, node, members);
  });
}

/** Whether all pools that trade a token are among these. */
function isTradedOnlyBy({ pairs, owner }: Graph, node: number, members: readonly number[]): boolean {
  const { outgoing, edges } = pairs;
  for (let k = outgoing.start[node]!; k < outgoing.start[node]! + outgoing.length[node]!; k++) {
    const pair = outgoing.data[k]!;
    const first = edges.start[pair]!;
    for (let edge = first; edge < first + edges.length[pair]!; edge++)
      if (!members.includes(owner[edges.data[edge]!]!)) return false;
  }
  return true;
}

function isUsable({ graph, allowed }: PricedMarket, index: number): boolean {
  const { firstEdge } = graph.entries[index]!;
  return firstEdge !== UNPLACED && allowed(firstEdge);
}

const SHARED =
  "pools that share their state would gain together at every price tried, and how much is not known";
const THREW = "a pool could not be asked what it would gain";
const REPEATED =
  "a pool that limits what one swap brings would be crossed several times, and what that gains is not known";
const NOT_JOINT =
  "a pool of several coins would gain at every price tried, and how much over all pairs is not known";

function poolEarning(market: PricedMarket, index: number): Earning | undefined {
  const best = bestPair(market, index);
  if (!(best.earned > 0)) return undefined;
  const { graph, price, enough } = market;
  const entry = graph.entries[index]!;
  const prices = entry.pool.tokens.map((token) => price(graph.nodeOf.get(token)!));
  const ofAllPairs = statedGain(market, index, prices);
  if (ofAllPairs !== undefined) return { earned: Math.max(ofAllPairs, best.earned), cost: best.cost };
  if (entry.pool.tokens.length === 2) return best.isExhausted ? unlimitedEarning(market, index, best) : best;
  const limited = jointOf(market, index, true);
  const untouched = limited ?? jointOf(market, index, false);
  if (untouched === undefined) return { reason: NOT_JOINT };
  if (untouched.free === Infinity) return { reason: REPEATED };
  const { gain, isExhausted } = jointEarning(entry, untouched, { prices, enough }, limited !== undefined);
  // The joint node is computed in doubles of its own: never below what a single pair gains.
  const earned = Math.max(gain, best.earned);
  return isExhausted && limited !== undefined
    ? unlimitedEarning(market, index, { earned, cost: best.cost })
    : { earned, cost: best.cost };
}

/** What a pool gains over all its pairs, crossed however often, where its design says so. */
function statedGain(
  { graph, memory, at }: PricedMarket,
  index: number,
  prices: readonly number[],
): number | undefined {
  if (!prices.every((worth) => worth > 0)) return undefined;
  return graph.entries[index]!.protocol.gain?.(mirrorOf(memory.outer, graph, index, at), prices);
}

/**
 * What a pool gains over several crossings where one is not enough: contracts limit what a swap may bring, and no
 * crossing is forbidden after another.
 *
 * @param limited what it gains where that limit holds; all that it gains where the design has none
 */
function unlimitedEarning(market: PricedMarket, index: number, limited: Earner): Earning {
  const { graph, price } = market;
  const entry = graph.entries[index]!;
  const joint = jointOf(market, index, false);
  if (joint === undefined) return limited;
  if (joint.free === Infinity) return { reason: REPEATED };
  const prices = entry.pool.tokens.map((token) => price(graph.nodeOf.get(token)!));
  const { gain } = jointEarning(entry, joint, { prices, enough: Infinity }, false);
  return { ...limited, earned: Math.max(gain, limited.earned) };
}

/** The joint node of a pool before any trade, built once a block. */
function jointOf({ graph, memory, at }: PricedMarket, index: number, limited: boolean): Joint | undefined {
  const { protocol, firstEdge, pool } = graph.entries[index]!;
  const joints = limited ? memory.joints : memory.unlimitedJoints;
  const change = graph.changes[firstEdge]!;
  const known = joints.get(index);
  if (known !== undefined && known.change === change) return known.joint;
  const mirror = mirrorOf(memory.outer, graph, index, at);
  const joint = protocol.joint(mirror, new Float64Array(pool.tokens.length), limited);
  joints.set(index, { change, joint });
  return joint;
}

/** Gas is kept in single precision: this share less is no more than what the pool says. */
export const SINGLE = 1 - 1e-6;

/** Whether a pair would trade more than one crossing may. */
type PairEarner = Earner & { readonly isExhausted: boolean };

/** The most that one pair of a pool gains, and the least gas of any of its crossings. */
function bestPair(market: PricedMarket, index: number): PairEarner {
  const { graph } = market;
  const { firstEdge, pool } = graph.entries[index]!;
  let [earned, isExhausted] = [0, false];
  const last = firstEdge + edgeCount(pool);
  for (let edge = firstEdge; edge < last; edge++) {
    if (graph.curves.count[edge] === 0) continue;
    const gain = edgeEarning(market, edge);
    earned = Math.max(earned, gain);
    isExhausted ||= gain > 0 && isExhaustedAt(market, edge);
  }
  return { earned, cost: leastGas(graph, index), isExhausted };
}

/** The least gas of a crossing of a pool. */
function leastGas({ entries, curves, gas }: Graph, index: number): number {
  const { firstEdge, pool } = entries[index]!;
  let least = Infinity;
  for (let edge = firstEdge; edge < firstEdge + edgeCount(pool); edge++)
    if (curves.count[edge] !== 0) least = Math.min(least, gas[edge]! * SINGLE);
  return least;
}

/**
 * Up to this share a pool of constant price (a wrapper, a vault, a converter) may pay more than the prices say. It has
 * no depth that would bound its earning, and prices found in doubles are never its own to the last digit. Its gain is a
 * share of what is sold to it, which is no more than the route holds: `boundsOf` adds that share for every crossing.
 */
export const MOST_DRIFT = 1e-5;

/** Whether an edge takes all that it can at the prices. */
function isExhaustedAt({ graph: { curves, tail, head }, price }: PricedMarket, edge: number): boolean {
  return slopeAt(curves, edge, curves.end[edge]!) > price(tail[edge]!) / price(head[edge]!);
}

/** What one direction of a pool can gain; Infinity where what it is paid with is worth nothing. */
function edgeEarning({ graph, memory, at, price }: PricedMarket, edge: number): number {
  const worth = price(graph.head[edge]!);
  if (!(worth > 0)) return 0;
  const least = price(graph.tail[edge]!) / worth;
  if (!(spotSlope(graph.curves, edge) * (1 + MOST_EXCESS) > least)) return 0;
  const drift = constantGain(memory.outer, graph, edge, { least, at });
  if (drift !== undefined && drift <= MOST_DRIFT) {
    memory.drift = Math.max(memory.drift, drift);
    return 0;
  }
  const gained = worth * outerProfit(memory.outer, graph, edge, { least, at });
  if (gained === 0) return 0;
  return gained > 0 ? gained + worth * excessUnits(graph, edge) : Infinity;
}
