import type { Joint } from "../../../protocol.ts";
import type { At } from "../../../types.ts";
import { slopeAt, spotSlope } from "../../curves/segments.ts";
import { edgeCount, type Graph, type PoolEntry, UNPLACED } from "../../market-graph/graph.ts";
import type { CertificateMemory } from "../memory.ts";
import type { Earner } from "../selection.ts";
import { type Groups, groupsOf, isTradedOnlyBy } from "./groups.ts";
import { jointEarning } from "./joint-earning.ts";
import {
  cached,
  constantGain,
  excessUnits,
  leastProfit,
  MOST_DRIFT,
  MOST_EXCESS,
  mirrorOf,
  outerProfit,
  outerProfitAfterTolls,
} from "./outer.ts";

/**
 * E_g(ν): the most that a group of pools can gain at token prices ν, over any trades with it.
 *
 * A pool of two tokens that shares no state gains most by one trade in the one profitable direction, since trades back
 * and forth only pay fees. A pool of more tokens, or one in which fees of a trade improve later ones, gains at most what
 * its design states for all pairs together (`Protocol.gain`), or else what its joint node bounds. Pools that share state,
 * and designs without a joint node, gain nothing if none of their pairs does: their trading set is convex, and small
 * trades are sums of trades of pairs. If some pair gains, the design may state what all gain together.
 */

/** A market at given prices. */
export type PricedMarket = {
  readonly graph: Graph;
  readonly memory: CertificateMemory;
  readonly at: At;
  readonly allowed: (edge: number) => boolean;
  /** By node, value of a smallest unit in some common unit; 0 if the token has no price. */
  readonly price: (node: number) => number;
  /** Cost of a unit of gas, in that unit; 0 where gas is not counted. */
  readonly perGas: number;
  /** Precision to which a gain is needed, in that unit. */
  readonly enough: number;
  /** Nodes of the tokens that the order sells and buys. */
  readonly ends: readonly number[];
};

/** What a group gains, or the reason why that is not known. */
export type Earning = Earner | { readonly reason: string };

/** The groups of pools that share state, computed again when pools are added. */
export function sharedState(memory: CertificateMemory, { entries }: Graph): Groups {
  if (memory.grouped !== entries.length) {
    memory.groups = groupsOf(entries);
    memory.grouped = entries.length;
  }
  return memory.groups;
}

/**
 * What the pool `index` can gain, together with all pools that share its state.
 *
 * @returns undefined if that is nothing, or if the gain is reported for another pool of the group
 */
export function earningOf(market: PricedMarket, index: number): Earning | undefined {
  const { graph, memory } = market;
  if (!isUsable(market, index)) return undefined;
  const { pool, protocol } = graph.entries[index]!;
  const isMember = pool.stateIds.length > 1 && protocol.gainTogether !== undefined;
  const members = sharedState(memory, graph).get(index) ?? (isMember ? [index] : undefined);
  try {
    return known(members === undefined ? poolEarning(market, index) : groupEarning(market, index, members));
  } catch {
    memory.threw++;
    return { reason: THREW };
  }
}

/**
 * An earning, unless it is not a number: formulas of a design may divide by a balance of 0. Such an earning would count as nothing
 * where earnings are compared.
 */
function known(earning: Earning | undefined): Earning | undefined {
  return earning !== undefined && "earned" in earning && Number.isNaN(earning.earned)
    ? { reason: NOT_A_NUMBER }
    : earning;
}

/**
 * What pools that share state can gain: nothing if none of their pairs does, otherwise what their design states that all
 * of them gain together.
 */
function groupEarning(market: PricedMarket, index: number, members: readonly number[]): Earning | undefined {
  const { graph } = market;
  const usable = members.filter((member) => isUsable(market, member));
  if (usable[0] !== index) return undefined;
  // If only one pool of the group may be used and it has no shared state of its own, it is an ordinary pool.
  const isAlone = usable.length === 1 && graph.entries[index]!.pool.stateIds.length === 1;
  if (isAlone) return poolEarning(market, index);
  if (!usable.some((member) => bestPair(market, member, outerProfit).earned > 0)) return undefined;
  const earned = gainTogether(market, members, usable);
  if (earned === undefined) return { reason: SHARED };
  return earned <= 0
    ? undefined
    : { earned, cost: Math.min(...usable.map((member) => leastGas(graph, member))) };
}

/** What the design states that a group gains together, if all are of one design. @param usable the members that a route may cross */
function gainTogether(
  market: PricedMarket,
  members: readonly number[],
  usable: readonly number[],
): number | undefined {
  const { graph, memory, at, ends } = market;
  const [first, ...others] = usable.map((member) => graph.entries[member]!);
  const { protocol } = first!;
  if (others.some((entry) => entry.protocol !== protocol)) return undefined;
  const priced = usable.map((member) => {
    const entry = graph.entries[member]!;
    const mirror = mirrorOf(memory.outer, graph, member, at);
    return { pool: entry.pool, mirror, prices: pricesOf(market, entry) };
  });
  return protocol.gainTogether?.(priced, (token) => {
    const node = graph.nodeOf.get(token)!;
    return !ends.includes(node) && isTradedOnlyBy(graph, node, members);
  });
}

function isUsable({ graph, allowed }: PricedMarket, index: number): boolean {
  const { firstEdge } = graph.entries[index]!;
  return firstEdge !== UNPLACED && allowed(firstEdge);
}

const SHARED =
  "pools that share their state would gain together at every price tried, and how much is not known";
const THREW = "a pool could not be asked what it would gain";
const NOT_A_NUMBER = "what a pool would gain is not a number";
const REPEATED =
  "a pool that limits what one swap brings would be crossed several times, and what that gains is not known";
const NOT_JOINT =
  "a pool of several coins would gain at every price tried, and how much over all pairs is not known";

function poolEarning(market: PricedMarket, index: number): Earning | undefined {
  const entry = market.graph.entries[index]!;
  if (entry.protocol.gain === undefined) return unstatedEarning(market, entry, index);
  const { earned, cost } = bestPair(market, index, leastProfit);
  if (!(earned > 0)) return undefined;
  const ofAllPairs = statedGain(market, entry, index);
  if (ofAllPairs === undefined) return unstatedEarning(market, entry, index);
  // Both are computed by different formulas in doubles.
  return { earned: Math.max(ofAllPairs, earned), cost };
}

/** What a pool can gain if its design does not state it. */
function unstatedEarning(market: PricedMarket, entry: PoolEntry, index: number): Earning | undefined {
  const best = bestPair(market, index, outerProfit);
  if (!(best.earned > 0)) return undefined;
  if (entry.pool.tokens.length === 2) return best.isExhausted ? unlimitedEarning(market, index, best) : best;
  const prices = pricesOf(market, entry);
  const limited = jointOf(market, index, true);
  const untouched = limited ?? jointOf(market, index, false);
  if (untouched === undefined) return { reason: NOT_JOINT };
  if (untouched.free === Infinity) return { reason: REPEATED };
  const asked = { prices, enough: market.enough };
  const { gain, isExhausted } = jointEarning(entry, untouched, asked, limited !== undefined);
  // The joint node is computed by other formulas in doubles, so its gain may come out below that of a single pair.
  const earned = Math.max(gain, best.earned);
  return isExhausted && limited !== undefined
    ? unlimitedEarning(market, index, { earned, cost: best.cost })
    : { earned, cost: best.cost };
}

/** What the design states that a pool gains over all its pairs and any number of crossings; undefined if it states nothing. */
function statedGain(market: PricedMarket, entry: PoolEntry, index: number): number | undefined {
  const { graph, memory, at } = market;
  const prices = pricesOf(market, entry);
  if (!prices.every((worth) => worth > 0)) return undefined;
  return entry.protocol.gain?.(mirrorOf(memory.outer, graph, index, at), prices);
}

/** The prices of a pool's coins, in their order. */
function pricesOf({ graph, price }: PricedMarket, { pool }: PoolEntry): number[] {
  return pool.tokens.map((token) => price(graph.nodeOf.get(token)!));
}

/**
 * What a pool gains over several crossings, if one is limited: some contracts limit the amount of a single swap, and a route
 * may cross the pool again.
 *
 * @param limited what it gains within that limit; all that it gains if the design has no limit
 */
function unlimitedEarning(market: PricedMarket, index: number, limited: Earner): Earning {
  const entry = market.graph.entries[index]!;
  const joint = jointOf(market, index, false);
  if (joint === undefined) return limited;
  if (joint.free === Infinity) return { reason: REPEATED };
  const prices = pricesOf(market, entry);
  const { gain } = jointEarning(entry, joint, { prices, enough: Infinity }, false);
  return { ...limited, earned: Math.max(gain, limited.earned) };
}

/** The joint node of a pool before any trade, built once a block. */
function jointOf({ graph, memory, at }: PricedMarket, index: number, limited: boolean): Joint | undefined {
  const { protocol, firstEdge, pool } = graph.entries[index]!;
  const joints = limited ? memory.joints : memory.unlimitedJoints;
  return cached(joints, index, graph.changes[firstEdge]!, () => {
    const mirror = mirrorOf(memory.outer, graph, index, at);
    return protocol.joint(mirror, new Float64Array(pool.tokens.length), limited);
  });
}

/** Gas is stored in single precision. Times this factor it is at most what the pool states. */
export const SINGLE = 1 - 1e-6;

/** `isExhausted`: whether a pair would trade more than one crossing allows. */
type PairEarner = Earner & { readonly isExhausted: boolean };

/** The most that one pair of a pool gains, and the least gas of any of its crossings. */
function bestPair(market: PricedMarket, index: number, profit: typeof outerProfit): PairEarner {
  const { graph } = market;
  const { firstEdge, pool } = graph.entries[index]!;
  let earned = 0;
  let afterBoundaries = 0;
  let isExhausted = false;
  let only: number | undefined;
  let gaining = 0;
  const last = firstEdge + edgeCount(pool);
  for (let edge = firstEdge; edge < last; edge++) {
    if (graph.curves.count[edge] === 0) continue;
    const gain = edgeEarning(market, edge, profit);
    const endsCurve = gain > 0 && isExhaustedAt(market, edge);
    if (gain > 0) {
      only = edge;
      gaining++;
    }
    earned = Math.max(earned, gain);
    isExhausted ||= endsCurve;
    afterBoundaries = Math.max(afterBoundaries, endsCurve ? gain : afterGas(market, edge, gain));
  }
  return {
    ...{ earned, cost: leastGas(graph, index), isExhausted },
    ...(afterBoundaries < earned ? { afterBoundaries } : {}),
    ...(gaining === 1 && only !== undefined ? { edge: only } : {}),
  };
}

/** What one direction of a pool gains less the gas of the segment boundaries that its trade passes. @param gained what it gains without */
function afterGas(market: PricedMarket, edge: number, gained: number): number {
  const { graph, memory, at, price, perGas } = market;
  const toll = graph.boundaryGas[edge]! * SINGLE * perGas;
  if (!(toll > 0 && gained > 0 && gained < Infinity)) return gained;
  const worth = price(graph.head[edge]!);
  const costs = { least: price(graph.tail[edge]!) / worth, toll: toll / worth, at };
  const excess = worth * excessUnits(graph, edge) + unchargedOf(market, edge);
  const left = worth * outerProfitAfterTolls(memory.outer, graph, edge, costs) + excess;
  return Math.min(gained, left);
}

/** The least gas of a crossing of a pool. */
function leastGas({ entries, curves, gas }: Graph, index: number): number {
  const { firstEdge, pool } = entries[index]!;
  let least = Infinity;
  for (let edge = firstEdge; edge < firstEdge + edgeCount(pool); edge++)
    if (curves.count[edge] !== 0) least = Math.min(least, gas[edge]! * SINGLE);
  return least;
}

/** Whether an edge would sell more than its curve allows at the prices. */
function isExhaustedAt({ graph: { curves, tail, head }, price }: PricedMarket, edge: number): boolean {
  return slopeAt(curves, edge, curves.end[edge]!) > price(tail[edge]!) / price(head[edge]!);
}

/** What one direction of a pool can gain; Infinity if the token sold is worth nothing. */
function edgeEarning(market: PricedMarket, edge: number, profit: typeof outerProfit): number {
  const { graph, memory, at, price } = market;
  const worth = price(graph.head[edge]!);
  if (!(worth > 0)) return 0;
  const least = price(graph.tail[edge]!) / worth;
  if (!(spotSlope(graph.curves, edge) * (1 + MOST_EXCESS) > least)) return 0;
  const drift = constantGain(memory.outer, graph, edge, { least, at });
  if (drift !== undefined && drift <= MOST_DRIFT) {
    memory.drift = Math.max(memory.drift, drift);
    return 0;
  }
  const gained = worth * profit(memory.outer, graph, edge, { least, at });
  const uncharged = unchargedOf(market, edge);
  if (gained === 0) return uncharged;
  return gained > 0 ? gained + worth * excessUnits(graph, edge) + uncharged : Infinity;
}

/** What a fee that is rounded down may leave to a trade. It counts although the trade gains nothing else, as small ones near the margin do. */
function unchargedOf({ graph, price }: PricedMarket, edge: number): number {
  const units = graph.entries[graph.owner[edge]!]!.protocol.uncharged;
  return units === undefined ? 0 : units * price(graph.tail[edge]!);
}
