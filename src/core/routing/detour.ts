import type { Curves } from "./curves.ts";
import type { Graph } from "./graph.ts";
import { DETOUR_EDGES, type Detour, type Scratch } from "./scratch.ts";

const STEPS = 7;

/**
 * The worth of a token at which as much of it would be brought as taken, between what it costs at spot and what it
 * fetches: the pools around it then earn least, and that is all that opening this detour alone can gain.
 */
export function balancedWorth(
  graph: Graph,
  scratch: Scratch,
  node: number,
  allowed: (edge: number) => boolean,
): number {
  const { detour } = scratch;
  const lowest = 1 / scratch.fore[node]!;
  const highest = scratch.back[node]!;
  detour.count = 0;
  gatherSide(graph, scratch, { node, brings: 1, bar: highest, allowed });
  gatherSide(graph, scratch, { node, brings: 0, bar: lowest, allowed });
  const ref = graph.values.ref[node]!;
  let low = Math.log(lowest);
  let high = Math.log(highest);
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (surplus(detour, graph.curves, Math.exp(middle) * ref) > 0) high = middle;
    else low = middle;
  }
  return Math.exp((low + high) / 2);
}

type Side = {
  readonly node: number;
  readonly brings: 0 | 1;
  /** The best worth of the token for this side: pools that do not pay even then are left out. */
  readonly bar: number;
  readonly allowed: (edge: number) => boolean;
};

function gatherSide(graph: Graph, scratch: Scratch, side: Side): void {
  const { pairs, values } = graph;
  const brings = side.brings === 1;
  const { start, length, data } = brings ? pairs.inward : pairs.onward;
  const far = brings ? pairs.tail : pairs.head;
  const last = start[side.node]! + length[side.node]!;
  for (let k = start[side.node]!; k < last; k++) {
    const pair = data[k]!;
    const other = far[pair]!;
    const value = worthOf(scratch, other, brings);
    const pays = brings ? pairs.spot[pair]! * side.bar > value : pairs.spot[pair]! * value > side.bar;
    if (pays) gatherEdges(graph, scratch.detour, pair, { side, value: value * values.ref[other]! });
  }
}

/** What a neighbour is worth; one that is neither in use nor a detour brings nothing (Infinity) and fetches its `back`. */
function worthOf({ worth, back, fore, fixed }: Scratch, node: number, brings: boolean): number {
  if (fixed[node] !== 0 || fore[node]! > 0) return worth[node]!;
  return brings ? Infinity : back[node]!;
}

function gatherEdges(
  { pairs, curves }: Graph,
  detour: Detour,
  pair: number,
  { side, value }: { side: Side; value: number },
): void {
  const { start, length, data } = pairs.edges;
  for (let k = start[pair]!; k < start[pair]! + length[pair]! && detour.count < DETOUR_EDGES; k++) {
    if (curves.count[data[k]!] === 0 || !side.allowed(data[k]!)) continue;
    detour.edge[detour.count] = data[k]!;
    detour.brings[detour.count] = side.brings;
    detour.other[detour.count] = value;
    detour.count++;
  }
}

/** Units brought less units taken where one unit is worth `unit`. */
function surplus({ count, edge, brings, other }: Detour, curves: Curves, unit: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) {
    if (brings[k] === 1) sum += boughtAt(curves, edge[k]!, other[k]! / unit);
    else sum -= soldAt(curves, edge[k]!, unit / other[k]!);
  }
  return sum;
}

function soldAt(curves: Curves, edge: number, least: number): number {
  const lane = laneAt(curves, edge, least);
  return lane < 0 ? 0 : curves.lanes[lane]! + takenIn(curves, edge, lane, least);
}

function boughtAt(curves: Curves, edge: number, least: number): number {
  const lane = laneAt(curves, edge, least);
  if (lane < 0) return 0;
  const { lanes } = curves;
  const taken = takenIn(curves, edge, lane, least);
  return lanes[lane + 1]! + (lanes[lane + 2]! * taken) / (1 + lanes[lane + 3]! * taken);
}

/** The last segment whose price is above `least`, or -1. */
function laneAt({ lanes, at, count }: Curves, edge: number, least: number): number {
  let lane = at[edge]!;
  const last = lane + (count[edge]! - 1) * 4;
  if (!(lanes[lane + 2]! > least)) return -1;
  while (lane < last && lanes[lane + 6]! > least) lane += 4;
  return lane;
}

function takenIn({ lanes, at, count, end }: Curves, edge: number, lane: number, least: number): number {
  const last = at[edge]! + (count[edge]! - 1) * 4;
  const width = (lane < last ? lanes[lane + 4]! : end[edge]!) - lanes[lane]!;
  const wanted = (Math.sqrt(lanes[lane + 2]! / least) - 1) / lanes[lane + 3]!;
  return wanted < width ? wanted : width;
}
