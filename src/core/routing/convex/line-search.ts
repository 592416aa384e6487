import { soldWithin } from "../curves/response.ts";
import { LANES } from "../curves/segments.ts";
import {
  BEND,
  BOUGHT,
  leastBend,
  type Newton,
  pieceAt,
  SOLD,
  STEEP,
  slopeAlong,
  WIDTH,
  walk,
} from "./edge-response.ts";
import type { Problem } from "./problem.ts";

/** Evaluations of the dual value along one line, at most. */
const MOST_PROBES = 40;
/** The search ends where the slope is below this share of the initial one. */
const FLAT = 0.3;
/** The search ends where its interval is shorter than this share of its upper end: the minimum is at a kink. */
const KINK = 1e-10;
/** Steps of the search on the model of an interval before the next evaluation. */
const TRIES = 24;
/** One of this many steps bisects: at a discontinuous slope, interpolation alone hardly advances. */
const BISECTING = 3;

/** An interval of the line, with the slope at its lower end, which is negative, and at its upper end. */
type Stretch = { low: number; high: number; falls: number; rises: number };

/**
 * Moves along the step to about the minimum of the dual value. The dual is convex, but an almost straight edge makes it nearly
 * kinked, and the minimum is at the kink: such an edge sells nothing on one side of it and everything on the other.
 *
 * @param fall slope at the beginning, below 0
 * @returns the dual value at the prices that it leaves
 */
export function searchLine(newton: Newton, problem: Problem, fall: number): number {
  const { near, far } = newton;
  const sold = problem.sold.subarray(0, problem.edges);
  near.set(sold);
  let value = walk(newton, problem, 1);
  const stretch = { low: 0, high: 1, falls: fall, rises: slopeAlong(newton, problem) };
  if (!(stretch.rises > FLAT * -fall)) return value;
  far.set(sold);
  let last = 0;
  for (let probe = 0; probe < MOST_PROBES && stretch.high - stretch.low > KINK * stretch.high; probe++) {
    const at = nextOf(newton, problem, stretch);
    value = walk(newton, problem, at);
    const slope = slopeAlong(newton, problem);
    if (Math.abs(slope) < FLAT * -fall) return value;
    if (last * slope > 0) weaken(stretch, slope);
    narrow(stretch, at, slope);
    (slope < 0 ? near : far).set(sold);
    last = slope;
  }
  return value;
}

/** Halves the slope at the end of the interval that did not move, so that the next probe comes nearer to it (Illinois method). */
function weaken(stretch: Stretch, slope: number): void {
  if (slope < 0) stretch.rises /= 2;
  else stretch.falls /= 2;
}

function narrow(stretch: Stretch, at: number, slope: number): void {
  if (slope < 0) {
    stretch.low = at;
    stretch.falls = slope;
  } else {
    stretch.high = at;
    stretch.rises = slope;
  }
}

/**
 * The next place to evaluate: the zero of a model of the slope in which the edge that changes it most is exact and all others
 * change linearly over the interval. An almost straight edge makes a kink that linear interpolation does not predict.
 */
function nextOf(newton: Newton, problem: Problem, stretch: Stretch): number {
  const { low, high, falls, rises } = stretch;
  const e = mostChanged(newton, problem);
  const before = falls - pushOf(newton, problem, e, low);
  const after = rises - pushOf(newton, problem, e, high);
  const rest = Math.max(0, after - before) / (high - low);
  const slopeAt = (at: number) => before + rest * (at - low) + pushOf(newton, problem, e, at);
  const part = { low, high, falls, rises };
  for (const at of boundaries(newton, problem, e))
    if (at > part.low && at < part.high) narrow(part, at, slopeAt(at));
  for (let k = 0; k < TRIES; k++) {
    const at = k % BISECTING === BISECTING - 1 ? (part.low + part.high) / 2 : chordOf(part);
    if (!(at > part.low && at < part.high)) return at;
    const slope = slopeAt(at);
    if (Math.abs(slope) < FLAT * -falls) return at;
    narrow(part, at, slope);
  }
  return (part.low + part.high) / 2;
}

/** The zero of the linear interpolation of the slope. */
function chordOf({ low, high, falls, rises }: Stretch): number {
  return low + ((high - low) * falls) / (falls - rises);
}

/** The contribution of an edge to the slope at a share of the step. */
function pushOf(newton: Newton, problem: Problem, e: number, share: number): number {
  const { before, step, spot, piece } = newton;
  const { tail, head, ref } = problem;
  const u = tail[e]!;
  const v = head[e]!;
  const cost = before[u]! * Math.exp(share * step[u]!) * ref[u]!;
  const paid = before[v]! * Math.exp(share * step[v]!) * ref[v]!;
  if (!(spot[e]! * paid > cost)) return 0;
  const k = pieceAt(newton, problem, e, cost / paid);
  const bend = piece[k + BEND]!;
  const h = soldWithin(Math.sqrt((piece[k + STEEP]! * paid) / cost), bend, piece[k + WIDTH]!);
  const out = piece[k + BOUGHT]! + (piece[k + STEEP]! * h) / (1 + bend * h);
  return step[v]! * paid * out - step[u]! * cost * (piece[k + SOLD]! + h);
}

/** The edge whose sales change the slope most over the interval. */
function mostChanged({ near, far, step }: Newton, { edges, tail, head, ref }: Problem): number {
  let most = -1;
  let changed = -1;
  for (let e = 0; e < edges; e++) {
    if (far[e] === near[e]) continue;
    const change = Math.abs((far[e]! - near[e]!) * (step[tail[e]!]! - step[head[e]!]!)) * ref[tail[e]!]!;
    if (change > most) {
      most = change;
      changed = e;
    }
  }
  return changed;
}

/** The places on the line where an edge enters and leaves the segment in which it changes most. */
function boundaries(
  { near, far, before, step, most }: Newton,
  problem: Problem,
  e: number,
): readonly [number, number] {
  const { tail, head, ref } = problem;
  const { lanes, at, count, end } = problem.curves;
  const from = Math.min(near[e]!, far[e]!);
  const to = Math.max(near[e]!, far[e]!);
  const last = at[e]! + (count[e]! - 1) * LANES;
  const stop = Math.min(end[e]!, most[e]!);
  const u = tail[e]!;
  const v = head[e]!;
  let widest = -1;
  let steep = 0;
  let bend = 0;
  let width = 0;
  for (let l = at[e]!; l <= last && lanes[l]! < to; l += LANES) {
    const upTo = Math.min(l < last ? lanes[l + LANES]! : stop, stop);
    const overlap = Math.min(upTo, to) - Math.max(lanes[l]!, from);
    if (!(overlap > widest)) continue;
    widest = overlap;
    const least = l < last ? 0 : leastBend(problem, e);
    steep = lanes[l + 2]!;
    bend = Math.max(lanes[l + 3]!, least);
    width = upTo - lanes[l]!;
  }
  const fallen = 1 + bend * width;
  const perStep = step[u]! - step[v]!;
  const start = (before[u]! * ref[u]!) / (before[v]! * ref[v]!);
  const first = Math.log(steep / start) / perStep;
  const second = first - (2 * Math.log(fallen)) / perStep;
  return first < second ? [first, second] : [second, first];
}
