/**
 * Curves: what one direction of a pool pays.
 *
 * In:  a protocol's own maths, exact rational pieces or a function of the amount in doubles (`compile.ts`).
 * Out: for each edge e a concave f_e(x) in rows of hyperbolas, f(x_k + h) = y_k + m_k·h / (1 + c_k·h), with closed forms for
 *      the output f(x), the marginal price f'(x) = m_k / (1 + c_k·h)², the most that can be earned max_x f(x) - p·x, and the
 *      amount at which the marginal price is p (`response.ts`).
 * Unit: smallest units, in doubles. They only search; what is shown is settled in integers. A lookup costs O(log segments).
 * Reference: Angeris, Chitra, "Improved Price Oracles: Constant Function Market Makers", arXiv 2003.10001, on concave
 * trading functions; Adams et al., Uniswap v3 Core (2021), section 2, on a range of ticks as a hyperbola.
 */
import { cut, enlarged, grown } from "../../math/rows.ts";
import type { Curve } from "../../protocol.ts";

/** Numbers a segment takes: start, output at the start, marginal price at the start, curvature. */
export const LANES = 4;
const MOST_SEGMENTS = 2 ** 16 - 1;

/** The curves of all edges, as `Curve` describes them, in one typed array. An edge without segments is dead. */
export type Curves = {
  /** First lane of each edge's segments. */
  at: Int32Array;
  count: Uint16Array;
  room: Uint16Array;
  /** The most that can be sold to each edge. */
  end: Float64Array;
  lanes: Float64Array;
  used: number;
  /** Set while a whole market is read. */
  draft: Draft | undefined;
};

/**
 * Lanes beyond those that there are, in lists until it is known how many they get. A runtime looks for garbage in all of
 * its heap whenever typed arrays of some size have been made, and so the lanes are made once.
 */
type Draft = { full: number[][]; last: number[]; count: number };

const DRAFT_BITS = 16;
const DRAFT_LANES = 1 << DRAFT_BITS;
/** Room in a whole market for curves that grow and for what a search draws, so that no request waits for all to be copied. */
const SPARE = 1.03;
/** Of fractions, so that its copies hold doubles from the start. */
const BLANK: readonly number[] = new Array<number>(DRAFT_LANES).fill(0.5);

export function emptyCurves(): Curves {
  return {
    at: new Int32Array(16),
    count: new Uint16Array(16),
    room: new Uint16Array(16),
    end: new Float64Array(16),
    lanes: new Float64Array(256),
    used: 0,
    draft: undefined,
  };
}

/** Stores the curve of `edge`, in place where it fits; `undefined` kills the edge. */
export function putCurve(curves: Curves, edge: number, curve: Curve | undefined): void {
  if (curve === undefined) {
    curves.count[edge] = 0;
    curves.end[edge] = 0;
    return;
  }
  if (curves.draft !== undefined && curve.x.length > 0) {
    draftCurve(curves, curves.draft, edge, curve);
    return;
  }
  const { x, y, m, c, end } = curve;
  const count = x.length;
  if (count > curves.room[edge]!) makeRoom(curves, edge, count);
  curves.count[edge] = count;
  curves.end[edge] = end;
  const { lanes } = curves;
  for (let k = 0, lane = curves.at[edge]!; k < count; k++, lane += LANES) {
    lanes[lane] = x[k]!;
    lanes[lane + 1] = y[k]!;
    lanes[lane + 2] = m[k]!;
    lanes[lane + 3] = c[k]!;
  }
}

/** A curve that has outgrown its place gets half as much again, so that what it leaves behind stays within bounds. */
function makeRoom(curves: Curves, edge: number, count: number): void {
  if (count > MOST_SEGMENTS) throw new RangeError(`a curve of ${count} segments`);
  const room = curves.room[edge] === 0 ? count : Math.min(MOST_SEGMENTS, Math.ceil(count * 1.5));
  curves.lanes = enlarged(curves.lanes, (curves.used + room) * LANES);
  curves.at[edge] = curves.used * LANES;
  curves.room[edge] = room;
  curves.used += room;
}

/** Puts a copy of the curve of an edge of other curves at the end of these. */
export function copyCurve(curves: Curves, edge: number, from: Curves, other: number): void {
  const count = from.count[other]!;
  const first = from.at[other]!;
  reserveEdge(curves, edge);
  curves.lanes = grown(curves.lanes, (curves.used + count) * LANES);
  curves.at[edge] = curves.used * LANES;
  curves.count[edge] = curves.room[edge] = count;
  curves.end[edge] = from.end[other]!;
  const { lanes, used } = curves;
  for (let k = 0; k < count * LANES; k++) lanes[used * LANES + k] = from.lanes[first + k]!;
  curves.used += count;
}

/** Lets an edge have the curve of another, which is one of the same curves or of curves that share their lanes with these. */
export function shareCurve(curves: Curves, edge: number, from: Curves, other: number): void {
  reserveEdge(curves, edge);
  for (const key of ["at", "count", "room", "end"] as const) curves[key][edge] = from[key][other]!;
}

/** Until `endDraft`, curves that are new are only written down: none may be read. */
export function beginDraft(curves: Curves): void {
  curves.lanes = cut(curves.lanes, curves.used * LANES);
  curves.draft = { full: [], last: BLANK.slice(), count: 0 };
}

/** Stores the curve of `edge` while a draft is being made. */
function draftCurve(curves: Curves, draft: Draft, edge: number, curve: Curve): void {
  const count = curve.x.length;
  if (count > MOST_SEGMENTS) throw new RangeError(`a curve of ${count} segments`);
  curves.at[edge] = curves.used * LANES;
  curves.room[edge] = count;
  curves.count[edge] = count;
  curves.end[edge] = curve.end;
  curves.used += count;
  for (let k = 0; k < count; k++) writeDown(draft, curve, k);
}

function writeDown(draft: Draft, { x, y, m, c }: Curve, k: number): void {
  if (draft.count === DRAFT_LANES) {
    draft.full.push(draft.last);
    draft.last = BLANK.slice();
    draft.count = 0;
  }
  const { last, count } = draft;
  last[count] = x[k]!;
  last[count + 1] = y[k]!;
  last[count + 2] = m[k]!;
  last[count + 3] = c[k]!;
  draft.count = count + LANES;
}

/** Puts what was written down where curves are read, in the order of the edges. */
export function endDraft(curves: Curves): void {
  const { draft, lanes: kept, at, count, room } = curves;
  if (draft === undefined) return;
  const lists = [...draft.full, draft.last];
  const lanes = new Float64Array(Math.ceil(curves.used * SPARE) * LANES);
  lanes.set(kept);
  let end = kept.length;
  for (let edge = 0; edge < at.length; edge++) {
    const first = at[edge]! - kept.length;
    if (first < 0) continue;
    // A curve that was written down and killed since has no room here: its edge must not keep what is another's now.
    at[edge] = end;
    room[edge] = count[edge]!;
    const last = first + count[edge]! * LANES;
    for (let k = first; k < last; k++) lanes[end++] = lists[k >> DRAFT_BITS]![k & (DRAFT_LANES - 1)]!;
  }
  curves.draft = undefined;
  curves.lanes = lanes;
  curves.used = end / LANES;
}

/** Makes sure that there is a curve, dead at first, for `edge`. */
export function reserveEdge(curves: Curves, edge: number): void {
  if (curves.at.length > edge) return;
  curves.at = enlarged(curves.at, edge + 1);
  curves.count = enlarged(curves.count, edge + 1);
  curves.room = enlarged(curves.room, edge + 1);
  curves.end = enlarged(curves.end, edge + 1);
}

/** Gives back the room for more edges than there are. */
export function packCurves(curves: Curves, edges: number): void {
  for (const key of ["at", "count", "room", "end"] as const)
    (curves[key] as Curves[typeof key]) = cut(curves[key], edges);
}

/** First lane of the segment of `edge` that `x` falls into. */
function segmentFrom(curves: Curves, edge: number, x: number): number {
  const at = curves.at[edge]!;
  let low = 0;
  let high = curves.count[edge]! - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (curves.lanes[at + middle * LANES]! <= x) low = middle;
    else high = middle - 1;
  }
  return at + low * LANES;
}

/** Output of `edge` for `x`, or -Infinity where it cannot take that much. */
export function outputAt(curves: Curves, edge: number, x: number): number {
  if (!(x <= curves.end[edge]!) || curves.count[edge] === 0) return -Infinity;
  const lane = segmentFrom(curves, edge, x);
  const { lanes } = curves;
  const h = x - lanes[lane]!;
  return lanes[lane + 1]! + (lanes[lane + 2]! * h) / (1 + lanes[lane + 3]! * h);
}

/** What `edge` pays for `more` after it has taken `taken`. */
export function moreFor(curves: Curves, edge: number, taken: number, more: number): number {
  return outputAt(curves, edge, taken + more) - (taken > 0 ? outputAt(curves, edge, taken) : 0);
}

/** Marginal price of `edge` once it has taken `x`; 0 where it is dead or full. */
export function slopeAt(curves: Curves, edge: number, x: number): number {
  if (!(x <= curves.end[edge]!) || curves.count[edge] === 0) return 0;
  const lane = segmentFrom(curves, edge, x);
  const { lanes } = curves;
  const bend = 1 + lanes[lane + 3]! * (x - lanes[lane]!);
  return lanes[lane + 2]! / (bend * bend);
}

/** Marginal price of `edge` before any trade, and so the most that it ever pays for a unit; 0 where it is dead. */
export function spotSlope({ lanes, at, count }: Curves, edge: number): number {
  return count[edge] === 0 ? 0 : lanes[at[edge]! + 2]!;
}

/** Share by which rounding may lift what is paid above the price before any trade. */
export const PRICE_ROUNDING = 1 + 1e-9;

/** More than `edge` pays for `x` after any trade: at its price before any. Takes less time than to work that out. */
export function mostFor({ lanes, at, count }: Curves, edge: number, x: number): number {
  return count[edge] === 0 ? 0 : lanes[at[edge]! + 2]! * x * PRICE_ROUNDING;
}

/** The most that `edge` can ever pay. */
export function mostOut(curves: Curves, edge: number): number {
  const count = curves.count[edge]!;
  if (count === 0) return 0;
  const end = curves.end[edge]!;
  if (end < Infinity) return outputAt(curves, edge, end);
  const lane = curves.at[edge]! + (count - 1) * LANES;
  const { lanes } = curves;
  return lanes[lane + 1]! + lanes[lane + 2]! / lanes[lane + 3]!;
}

/**
 * What `edge` earns at best where a unit of its input costs `least` units of its output: the largest f(x) - least·x.
 */
export function profitAt(curves: Curves, edge: number, least: number): number {
  const { lanes } = curves;
  const first = curves.at[edge]!;
  const last = first + (curves.count[edge]! - 1) * LANES;
  if (curves.count[edge] === 0 || !(lanes[first + 2]! > least)) return 0;
  let lane = first;
  while (lane < last && lanes[lane + 6]! > least) lane += LANES;
  const width = (lane < last ? lanes[lane + LANES]! : curves.end[edge]!) - lanes[lane]!;
  const steep = lanes[lane + 2]!;
  const bend = lanes[lane + 3]!;
  const before = lanes[lane + 1]! - least * lanes[lane]!;
  const wanted = (Math.sqrt(steep / least) - 1) / bend;
  if (!(wanted < width)) return before + (steep / (1 + bend * width) - least) * width;
  return before + (Math.sqrt(steep) - Math.sqrt(least)) ** 2 / bend;
}

/** How many segments of its curve an edge has behind it once it has sold `x` units. */
export function crossed(curves: Curves, edge: number, x: number): number {
  return (segmentFrom(curves, edge, x) - curves.at[edge]!) / LANES;
}

/** Units that an edge has sold when segment `k` of its curve begins. */
export function startOf({ lanes, at }: Curves, edge: number, k: number): number {
  return lanes[at[edge]! + k * LANES]!;
}
