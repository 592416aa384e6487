/**
 * Curves: what one direction of a pool pays.
 *
 * In:  a protocol's own maths, exact rational pieces or a function of the amount in doubles (`compile.ts`).
 * Out: for each edge e a concave f_e(x) of hyperbolic segments, f(x_k + h) = y_k + m_k·h / (1 + c_k·h), with closed
 *      forms for the output f(x), the marginal price f'(x) = m_k / (1 + c_k·h)², the most that can be earned at a price,
 *      max_x f(x) - p·x, and the amount at which the marginal price is p (`response.ts`).
 * Unit: smallest units, in doubles. They serve the search alone; amounts in answers are settled in integers.
 * Cost: O(log segments) at an amount, O(segments) at a price.
 * Reference: Angeris, Chitra, "Improved Price Oracles: Constant Function Market Makers", arXiv 2003.10001, on concave
 * trading functions; Adams et al., Uniswap v3 Core (2021), section 2, on a range of ticks as a hyperbola.
 */
import { cut, enlarged, grown } from "../../math/rows.ts";
import type { Curve } from "../../protocol.ts";

/** Doubles per segment: its start, the output and the marginal price at its start, and its curvature. */
export const LANES = 4;
const MOST_SEGMENTS = 2 ** 16 - 1;

/** The curves of all edges, as `Curve` describes them, in one typed array. An edge without segments is dead. */
export type Curves = {
  /** First lane of each edge's segments. */
  at: Int32Array;
  count: Uint16Array;
  room: Uint16Array;
  /** The most that can be sold to each edge, smallest units. */
  end: Float64Array;
  lanes: Float64Array;
  used: number;
  /** Set while a whole market is loaded. */
  draft: Draft | undefined;
};

/**
 * Lanes of a market that is being loaded, in plain lists until their number is known. The runtime collects garbage in
 * all of its heap whenever typed arrays of some total size have been allocated, so the typed array is allocated once.
 */
type Draft = { full: number[][]; last: number[]; count: number };

const DRAFT_BITS = 16;
const DRAFT_LANES = 1 << DRAFT_BITS;
/**
 * Factor on the length of a loaded market's lanes. It leaves room for curves that grow and for those of the market
 * without arbitrage, so that no request waits while all lanes are copied.
 */
const SPARE = 1.03;
/** Filled with fractions, so that the runtime stores its copies as arrays of doubles from the start. */
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

/**
 * Gives a curve room at the end of the lanes: for its own segments at first, and for half as many again once it has
 * outgrown its room. The abandoned lanes then stay within a constant factor of those in use.
 */
function makeRoom(curves: Curves, edge: number, count: number): void {
  if (count > MOST_SEGMENTS) throw new RangeError(`a curve of ${count} segments`);
  const room = curves.room[edge] === 0 ? count : Math.min(MOST_SEGMENTS, Math.ceil(count * 1.5));
  curves.lanes = enlarged(curves.lanes, (curves.used + room) * LANES);
  curves.at[edge] = curves.used * LANES;
  curves.room[edge] = room;
  curves.used += room;
}

/** Stores a copy of the curve of edge `other` of `from` at the end of the lanes, as the curve of `edge`. */
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

/** Makes `edge` refer to the curve of edge `other` of `from`: the same curves, or curves that share these lanes. */
export function shareCurve(curves: Curves, edge: number, from: Curves, other: number): void {
  reserveEdge(curves, edge);
  for (const key of ["at", "count", "room", "end"] as const) curves[key][edge] = from[key][other]!;
}

/** Begins a draft: until `endDraft`, curves that are stored only go into the draft, and none of them may be read. */
export function beginDraft(curves: Curves): void {
  curves.lanes = cut(curves.lanes, curves.used * LANES);
  curves.draft = { full: [], last: BLANK.slice(), count: 0 };
}

/** Stores the curve of `edge` in the draft. */
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

/** Copies the curves of the draft to the lanes, in the order of the edges. */
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
    // A curve that was removed after it was drafted gets no room: its edge must not keep lanes that another owns now.
    at[edge] = end;
    room[edge] = count[edge]!;
    const last = first + count[edge]! * LANES;
    for (let k = first; k < last; k++) lanes[end++] = lists[k >> DRAFT_BITS]![k & (DRAFT_LANES - 1)]!;
  }
  curves.draft = undefined;
  curves.lanes = lanes;
  curves.used = end / LANES;
}

/** Makes room for `edge`, which is dead until a curve is stored. */
export function reserveEdge(curves: Curves, edge: number): void {
  if (curves.at.length > edge) return;
  curves.at = enlarged(curves.at, edge + 1);
  curves.count = enlarged(curves.count, edge + 1);
  curves.room = enlarged(curves.room, edge + 1);
  curves.end = enlarged(curves.end, edge + 1);
}

/** Frees the room for edges beyond the first `edges`. */
export function packCurves(curves: Curves, edges: number): void {
  for (const key of ["at", "count", "room", "end"] as const)
    (curves[key] as Curves[typeof key]) = cut(curves[key], edges);
}

/** First lane of the segment of `edge` that contains `x`. */
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

/** What `edge` pays for `more` units sold after `taken` units. */
export function moreFor(curves: Curves, edge: number, taken: number, more: number): number {
  return outputAt(curves, edge, taken + more) - (taken > 0 ? outputAt(curves, edge, taken) : 0);
}

/** Marginal price of `edge` after `x` units were sold to it; 0 where it is dead or cannot take `x`. */
export function slopeAt(curves: Curves, edge: number, x: number): number {
  if (!(x <= curves.end[edge]!) || curves.count[edge] === 0) return 0;
  const lane = segmentFrom(curves, edge, x);
  const { lanes } = curves;
  const bend = 1 + lanes[lane + 3]! * (x - lanes[lane]!);
  return lanes[lane + 2]! / (bend * bend);
}

/** Marginal price of `edge` before any trade, which is the most that it ever pays for a unit; 0 where it is dead. */
export function spotSlope({ lanes, at, count }: Curves, edge: number): number {
  return count[edge] === 0 ? 0 : lanes[at[edge]! + 2]!;
}

/** Factor by which rounding may lift what is paid above the price before any trade. */
export const PRICE_ROUNDING = 1 + 1e-9;

/** Upper bound on what `edge` pays for `x` units after any trade: `x` at its spot price. Cheaper than an evaluation. */
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
 * The most that `edge` earns where a unit of its input costs `least` units of its output: max_x f(x) - least·x.
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

/** Number of segments of its curve that `edge` has passed after `x` units were sold to it. */
export function crossed(curves: Curves, edge: number, x: number): number {
  return (segmentFrom(curves, edge, x) - curves.at[edge]!) / LANES;
}

/** Units sold to `edge` where segment `k` of its curve begins. */
export function startOf({ lanes, at }: Curves, edge: number, k: number): number {
  return lanes[at[edge]! + k * LANES]!;
}
