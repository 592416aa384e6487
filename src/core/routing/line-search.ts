import type { Problem } from "./problem.ts";
import { LEAST_BEND, type Newton, slopeAlong, walk } from "./respond.ts";

/** Looks at which the search of one line ends at the latest. */
const MOST_LOOKS = 40;
/** Share of the slope at its beginning that a line may still have where the search ends. */
const FLAT = 0.1;
/** A boundary this near to an end of the stretch, as a share of it, is that end. */
const EDGE = 1e-3;

/** A stretch of the line between a fall and a rise of the dual value. */
type Stretch = { low: number; high: number; falls: number; rises: number };

/**
 * Goes along the step to about where the dual value is least. It is convex, but where an edge is almost straight it has all
 * but a kink, and the least is there: such an edge takes nothing on one side and all on the other. The prices between which
 * it gives way are known, so the search goes there.
 *
 * @param fall slope at the beginning, below 0
 * @returns the dual value at the prices that it leaves
 */
export function searchLine(newton: Newton, problem: Problem, fall: number): number {
  const { near, far } = newton;
  const { sold, edges } = problem;
  near.set(sold.subarray(0, edges));
  let value = walk(newton, problem, 1);
  const stretch: Stretch = { low: 0, high: 1, falls: fall, rises: slopeAlong(newton, problem) };
  if (!(stretch.rises > FLAT * -fall)) return value;
  far.set(sold.subarray(0, edges));
  for (let look = 0; look < MOST_LOOKS; look++) {
    const at = nextOf(newton, problem, stretch);
    value = walk(newton, problem, at);
    const slope = slopeAlong(newton, problem);
    if (Math.abs(slope) < FLAT * -fall || !(stretch.high - stretch.low > 1e-15)) return value;
    if (slope < 0) {
      [stretch.low, stretch.falls] = [at, slope];
      near.set(sold.subarray(0, edges));
    } else {
      [stretch.high, stretch.rises] = [at, slope];
      far.set(sold.subarray(0, edges));
    }
  }
  return value;
}

/** Where to look next: a boundary of what the edge that changes most does in the stretch, else where slopes would meet 0. */
function nextOf(newton: Newton, problem: Problem, stretch: Stretch): number {
  const { low, high, falls, rises } = stretch;
  const e = mostChanged(newton, problem);
  const margin = EDGE * (high - low);
  const inside = (at: number) => at > low + margin && at < high - margin;
  const [first, second] = boundaries(newton, problem, e);
  if (inside(first)) return first;
  if (inside(second)) return second;
  const chord = low + ((high - low) * falls) / (falls - rises);
  return inside(chord) ? chord : (low + high) / 2;
}

/** The edge whose sales change most over the stretch, in value. */
function mostChanged({ near, far }: Newton, { edges, tail, ref }: Problem): number {
  let most = -1;
  let changed = -1;
  for (let e = 0; e < edges; e++) {
    const change = Math.abs(far[e]! - near[e]!) * ref[tail[e]!]!;
    if (change > most) {
      most = change;
      changed = e;
    }
  }
  return changed;
}

/** Where on the line an edge begins and ends to give way in the segment in which it changes most. */
function boundaries(
  { near, far, before, step, most, curves: { lanes, at, count, end } }: Newton,
  { tail, head, edge, ref, supply }: Problem,
  e: number,
): readonly [number, number] {
  const [from, to] = near[e]! < far[e]! ? [near[e]!, far[e]!] : [far[e]!, near[e]!];
  const last = at[edge[e]!]! + (count[edge[e]!]! - 1) * 4;
  const stop = Math.min(end[edge[e]!]!, most[e]!);
  const [u, v] = [tail[e]!, head[e]!];
  let widest = -1;
  let [steep, bend, width] = [0, 0, 0];
  for (let l = at[edge[e]!]!; l <= last && lanes[l]! < to; l += 4) {
    const upTo = Math.min(l < last ? lanes[l + 4]! : stop, stop);
    const overlap = Math.min(upTo, to) - Math.max(lanes[l]!, from);
    if (!(overlap > widest)) continue;
    widest = overlap;
    const least = l < last ? 0 : (LEAST_BEND * ref[u]!) / supply;
    [steep, bend, width] = [lanes[l + 2]!, Math.max(lanes[l + 3]!, least), upTo - lanes[l]!];
  }
  const fallen = 1 + bend * width;
  const perStep = step[u]! - step[v]!;
  const start = (before[u]! * ref[u]!) / (before[v]! * ref[v]!);
  const first = Math.log(steep / start) / perStep;
  const second = first - (2 * Math.log(fallen)) / perStep;
  return first < second ? [first, second] : [second, first];
}
