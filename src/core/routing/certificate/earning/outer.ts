import { goldenSection } from "../../../math/golden-section.ts";
import { grown } from "../../../math/rows.ts";
import type { At } from "../../../types.ts";
import { emptyResponse, profitAfterTolls, respondAt } from "../../curves/response.ts";
import { type Curves, LANES, outputAt, profitAt, slopeAt } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { DOUBLES, type Further, measuredBeyond, profitBeyond } from "./further.ts";

/**
 * Outer earnings: upper bounds on what an edge earns although its sampled curve f may lie below its pool. The share ε by which
 * the pool's own maths in doubles pays more than f is measured between the curve's nodes when an edge is first evaluated, and
 * kept until its pool changes. If ε is negligible (closed forms) the curve is raised to (1 + ε)·f. Otherwise the earning is
 * maximised over the pool's own maths: a raised curve whose price hardly moves would earn on far more than it trades.
 */
export type Outer = {
  excess: Float64Array;
  /** By edge, the change counter of its curve when ε was measured. */
  stamp: Uint32Array;
  /** By edge, what its pool pays beyond the curve. */
  readonly further: Cached<Further>;
  /** By pool, its mirror. */
  readonly mirrors: Cached<unknown>;
};

/** By edge or pool, a value, and the change counter of the curve for which it was computed. */
export type Cached<V> = Map<number, { readonly change: number; readonly value: V }>;

/** The value of an edge or a pool, computed unless it is known for that change of its curve. */
export function cached<V>(known: Cached<V>, key: number, change: number, compute: () => V): V {
  const last = known.get(key);
  if (last?.change === change) return last.value;
  const value = compute();
  known.set(key, { change, value });
  return value;
}

export function emptyOuter(): Outer {
  return { excess: new Float64Array(64), stamp: new Uint32Array(64), further: new Map(), mirrors: new Map() };
}

/** Precision of all curves, as a share of the quotes (`core/protocol.ts`). */
export const MOST_EXCESS = 1e-4;
/** Factor on the excess seen at the measured points, as the largest one lies between them. */
const BETWEEN_POINTS = 1.5;
/** Number of segments of a curve that are measured, and the places within them. */
const MOST_SEGMENTS = 24;
const PLACES = [0.15, 0.5, 0.85] as const;
/** Smallest units by which an exact quote may exceed the maths in doubles, for a curve of many segments. */
const DOUBLES_UNITS = 2;
/** Outputs below this are not measured: these units are more than the error of the curve there. */
const LEAST_OUTPUT = DOUBLES_UNITS / MOST_EXCESS;

/** Up to this ε a curve is raised instead of evaluating the pool. */
const RAISED = 1e-8;

/** The most that `edge` earns if a unit sold costs `least` units bought, in units bought. */
export function outerProfit(
  outer: Outer,
  graph: Graph,
  edge: number,
  { least, at }: { readonly least: number; readonly at: At },
): number {
  const { curves } = graph;
  const excess = excessOf(outer, graph, edge, at);
  const sampled =
    excess <= RAISED
      ? raisedProfit(curves, edge, least, excess)
      : profitOfPool(outer, graph, edge, { least, at });
  const isExhausted = slopeAt(curves, edge, curves.end[edge]!) * (1 + excess) > least;
  return isExhausted ? Math.max(sampled, profitBeyond(furtherOf(outer, graph, edge, at), least)) : sampled;
}

/** What an edge earns, in units bought, if its pool pays more than its curve by the share `excess`. */
function raisedProfit(curves: Curves, edge: number, least: number, excess: number): number {
  return (1 + excess) * profitAt(curves, edge, least / (1 + excess));
}

/**
 * As `outerProfit`, less `toll` units bought for each segment boundary passed, up to the end of the curve; not reduced where the
 * curve is sampled, whose boundaries are none of the pool's.
 */
export function outerProfitAfterTolls(
  outer: Outer,
  graph: Graph,
  edge: number,
  { toll, ...asked }: { readonly least: number; readonly toll: number; readonly at: At },
): number {
  const excess = excessOf(outer, graph, edge, asked.at);
  if (excess > RAISED) return outerProfit(outer, graph, edge, asked);
  return (1 + excess) * profitAfterTolls(graph.curves, edge, asked.least / (1 + excess), toll / (1 + excess));
}

/** An upper bound on what an edge earns up to the end of its curve, in units bought. It evaluates the curve alone. */
export function mostProfit(
  outer: Outer,
  graph: Graph,
  edge: number,
  { least, at }: { readonly least: number; readonly at: At },
): number {
  return raisedProfit(graph.curves, edge, least, excessOf(outer, graph, edge, at));
}

/**
 * A lower bound on `outerProfit`, in units bought. It evaluates the pool only where the curve earns nothing and the pool may earn a
 * smallest unit, and is 0 only where the pool earns less than that.
 */
export function leastProfit(
  outer: Outer,
  graph: Graph,
  edge: number,
  asked: { readonly least: number; readonly at: At },
): number {
  const ofCurve = profitAt(graph.curves, edge, asked.least);
  if (ofCurve !== 0) return ofCurve;
  return mostProfit(outer, graph, edge, asked) < 1 ? 0 : outerProfit(outer, graph, edge, asked);
}

function furtherOf(outer: Outer, graph: Graph, edge: number, at: At): Further {
  return cached(outer.further, edge, graph.changes[edge]!, () =>
    measuredBeyond(outputOf(outer, graph, edge, at), graph.curves.end[edge]!),
  );
}

/** What the pool of an edge pays for an amount, by its own maths in doubles. */
function outputOf(outer: Outer, graph: Graph, edge: number, at: At): (x: number) => number {
  const { protocol } = graph.entries[graph.owner[edge]!]!;
  const mirror = mirrorOf(outer, graph, graph.owner[edge]!, at);
  const [i, j] = [graph.sold[edge]!, graph.bought[edge]!];
  return (x) => protocol.quoteFloat(mirror, i, j, x);
}

/**
 * The largest share by which a pool of constant price (a wrapper, a vault, a converter) may pay more than the prices imply and
 * still count as drift. Such a pool has no price impact that would bound its earning, and prices in doubles never equal its
 * own to the last digit. Its gain is a share of what is sold to it, which is at most what the route holds, so `boundsOf`
 * adds that share for every crossing.
 */
export const MOST_DRIFT = 1e-5;

/**
 * The share by which a pool of constant price pays more than `least` per unit; undefined for every other pool. Such a pool
 * gains this share of any amount sold to it.
 */
export function constantGain(
  outer: Outer,
  graph: Graph,
  edge: number,
  { least, at }: { readonly least: number; readonly at: At },
): number | undefined {
  const { count, lanes, at: first } = graph.curves;
  if (count[edge] !== 1 || lanes[first[edge]! + 3] !== 0) return undefined;
  return (lanes[first[edge]! + 2]! * (1 + excessOf(outer, graph, edge, at))) / least - 1;
}

/** Deviations of the pool's price from its curve's that are searched: the first, the growth factor, and the last. */
const OFF = { first: 1e-3, growth: 8, last: 0.6 };
/** Number of amounts evaluated. */
const PLACES_TRIED = 41;

/**
 * The maximum of f(x) - least·x over the pool's own maths, around the amount at which the curve earns most; at least what the
 * curve earns.
 *
 * The pool pays at most 1 + ε times its curve c, so that it earns at most h(x) = (1 + ε)·c(x) - least·x, which is concave. Where h is
 * at the ends of an interval no more than what the curve earns inside of it, it is no more beyond these ends either. So the maximum
 * is in that interval, or is no more than what the curve earns.
 */
function profitOfPool(
  outer: Outer,
  graph: Graph,
  edge: number,
  { least, at }: { readonly least: number; readonly at: At },
): number {
  const { curves } = graph;
  const excess = outer.excess[edge]!;
  const sampled = profitAt(curves, edge, least);
  const mayEarnMore = (x: number) => (1 + excess) * outputAt(curves, edge, x) - least * x > sampled;
  for (let off = OFF.first; off <= OFF.last; off *= OFF.growth) {
    respondAt(curves, edge, least * (1 + off), response);
    const low = response.sold;
    respondAt(curves, edge, least / (1 + off), response);
    const high = response.sold;
    if ((low > 0 && mayEarnMore(low)) || (high < curves.end[edge]! && mayEarnMore(high))) continue;
    const output = outputOf(outer, graph, edge, at);
    const { found } = goldenSection(
      (x) => output(x) - least * x,
      (gained) => -gained,
      { from: low, to: high, places: PLACES_TRIED },
    );
    return Math.max(found, sampled) * (1 + DOUBLES);
  }
  return raisedProfit(curves, edge, least, excess);
}

const response = emptyResponse();

/** Number of mirrors kept, at most: those of a whole market would add half to the memory of a thread. */
const MOST_MIRRORS = 1_000;

/** The mirror of a pool: that of the graph, which keeps those of pools with joint nodes, or one cached until the pool changes. */
export function mirrorOf({ mirrors }: Outer, graph: Graph, index: number, at: At): unknown {
  const { pool, protocol, mirror: kept, firstEdge } = graph.entries[index]!;
  if (kept !== undefined) return kept;
  return cached(mirrors, index, graph.changes[firstEdge]!, () => {
    if (mirrors.size >= MOST_MIRRORS) mirrors.clear();
    return protocol.mirror(graph.view.get(pool.stateIds[0]), pool, at, graph.view);
  });
}

/** ε of an edge: the share by which its curve may lie below its pool. */
function excessOf(outer: Outer, graph: Graph, edge: number, at: At): number {
  outer.excess = grown(outer.excess, edge + 1);
  outer.stamp = grown(outer.stamp, edge + 1);
  if (outer.stamp[edge] !== graph.changes[edge]) {
    outer.stamp[edge] = graph.changes[edge]!;
    outer.excess[edge] = measured(outer, graph, edge, at);
  }
  return outer.excess[edge]!;
}

function measured(outer: Outer, graph: Graph, edge: number, at: At): number {
  const output = outputOf(outer, graph, edge, at);
  let most = 0;
  for (const x of points(graph, edge)) {
    const sampled = outputAt(graph.curves, edge, x);
    if (!(sampled > LEAST_OUTPUT)) continue;
    most = Math.max(most, output(x) / sampled - 1);
  }
  return graph.curves.count[edge] === 1 && most < DOUBLES ? 0 : most * BETWEEN_POINTS + DOUBLES;
}

/** Smallest units of the token bought by which an exact quote of an edge may exceed the maths in doubles. */
export function excessUnits({ curves }: Graph, edge: number): number {
  return curves.count[edge] === 1 ? 0 : DOUBLES_UNITS;
}

function* points({ curves }: Graph, edge: number): Generator<number> {
  const { lanes, at, count, end } = curves;
  const segments = count[edge]!;
  const step = Math.max(1, Math.floor(segments / MOST_SEGMENTS));
  for (let k = 0; k < segments; k += step) {
    const lane = at[edge]! + k * LANES;
    const start = lanes[lane]!;
    const stop = k + 1 < segments ? lanes[lane + LANES]! : end[edge]!;
    // The last segment is used up to the amount at which its price has fallen far.
    const width = Math.min(stop - start, 1 / lanes[lane + 3]!);
    if (width < Infinity) for (const place of PLACES) yield start + place * width;
  }
}
