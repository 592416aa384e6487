import { crossed, outputAt, startOf } from "../curves/segments.ts";
import type { Flow } from "../settlement/layout.ts";
import { betterPick, type Limits, type Pick, type Picker, pick } from "./support.ts";

/** Gas units that each edge of the graph took when it was settled. */
export type GasOf = ReadonlyMap<number, number>;

/**
 * Works out, by protocol, what each segment that a settled edge left behind cost over the typical gas: a pool with ticks
 * charges for those that are crossed. What was learned once stands.
 *
 * @returns whether anything is known that was not
 */
export function learnCrossings(
  picker: Picker,
  flows: readonly Flow[],
  gasOf: GasOf,
  perGas: number,
): boolean {
  const { graph, workspace, crossing } = picker;
  const { problem } = workspace;
  const seen = new Map<string, { extra: number; segments: number }>();
  const protocolOf = (edge: number) => graph.entries[graph.owner[edge]!]!.pool.protocol;
  for (const { edge, amount } of flows) {
    const segments = crossed(graph.curves, edge, amount);
    const gas = gasOf.get(edge);
    if (segments === 0 || gas === undefined) continue;
    const sum = seen.get(protocolOf(edge)) ?? { extra: 0, segments: 0 };
    seen.set(protocolOf(edge), {
      extra: sum.extra + gas - graph.gas[edge]!,
      segments: sum.segments + segments,
    });
  }
  let learned = false;
  for (let e = 0; seen.size > 0 && e < problem.edges; e++) {
    const sum = seen.get(protocolOf(problem.edge[e]!));
    if (sum === undefined || !(sum.extra > 0) || crossing[e]! > 0) continue;
    crossing[e] = (sum.extra / sum.segments) * perGas;
    learned = true;
  }
  return learned;
}

const STEPS = 6;
const TRIES = 3;
/** Segments that an edge may be held short of where it would end. */
const DEEPEST = 3;
/** An edge is held this share short of where the next segment begins, so that rounding does not cross it. */
const SHORT = 1e-6;
/** By how much more where what arrives is off by more: curves drawn between nodes upstream. */
const SHORTER = 5e-6;
/** In shares of the supply. */
const IMPROVEMENT = 1e-9;

/**
 * Holds edges short of segments that are not worth what it costs to cross them, one after the other: at a pick's prices
 * an edge loses at least what it earned beyond the limit.
 *
 * @returns the best, and the same held further short where limits hold
 */
export function trim(picker: Picker, start: Pick): readonly Pick[] {
  let best = start;
  for (let step = 0; step < STEPS && !picker.late(); step++) {
    const next = bestLimit(picker, best);
    if (!(next.net > best.net + IMPROVEMENT * picker.workspace.problem.supply)) break;
    best = next;
  }
  if (best === start || picker.late()) return [best];
  const limits = new Map([...best.limits].map(([e, most]) => [e, most * (1 - SHORTER)]));
  return [best, pick(picker, best.edges, { prices: best.prices, limits })];
}

function bestLimit(picker: Picker, from: Pick): Pick {
  let best = from;
  const found = from.edges.flatMap((e, k) => limitsOf(picker, from, { e, x: from.flows[k]!.amount }));
  found.sort((a, b) => b.gain - a.gain);
  for (const { e, most, gain } of found.slice(0, TRIES)) {
    if (from.net + gain <= best.net) break;
    const limits: Limits = new Map([...from.limits, [e, most]]);
    best = betterPick(best, pick(picker, from.edges, { prices: from.prices, limits }))!;
  }
  return best;
}

type Limit = { readonly e: number; readonly most: number; readonly gain: number };

/** Limits of an edge that sells `x`, with the most that each can gain. */
function limitsOf(
  { graph, workspace, crossing }: Picker,
  { prices }: Pick,
  at: { e: number; x: number },
): Limit[] {
  const { problem } = workspace;
  const { curves } = graph;
  const { e, x } = at;
  if (crossing[e] === 0) return [];
  const edge = problem.edge[e]!;
  const cost = prices[problem.tail[e]!]! * problem.ref[problem.tail[e]!]!;
  const paid = prices[problem.head[e]!]! * problem.ref[problem.head[e]!]!;
  const earned = (sold: number) => outputAt(curves, edge, sold) * paid - sold * cost;
  const segments = crossed(curves, edge, x);
  const limits: Limit[] = [];
  for (let k = segments - 1; k >= 0 && k >= segments - DEEPEST; k--) {
    const most = startOf(curves, edge, k + 1) * (1 - SHORT);
    const gain = (segments - k) * crossing[e]! - (earned(x) - earned(most));
    if (gain > 0) limits.push({ e, most, gain });
  }
  return limits;
}
