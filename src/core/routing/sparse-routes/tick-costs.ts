import { crossed, outputAt, startOf } from "../curves/segments.ts";
import type { Flow } from "../settlement/layout.ts";
import { betterSupport, type LegChoice, type Limits, type Support, solveSupport } from "./support.ts";

/** By edge of the graph, the units of gas of its settled crossing. */
export type GasOf = ReadonlyMap<number, number>;

/**
 * Learns from settled flows, by protocol, the mean gas of a crossed segment boundary above the base gas of its edge: a
 * pool with ticks costs gas for each initialised tick that is crossed. Writes it to `choice.crossing`, in value, for
 * edges that have none yet.
 *
 * @returns whether something new was learned
 */
export function learnCrossings(
  choice: LegChoice,
  flows: readonly Flow[],
  gasOf: GasOf,
  perGas: number,
): boolean {
  const { graph, workspace, crossing } = choice;
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
/** Number of crossed segment boundaries, counted from the last, short of which an edge may be held. */
const DEEPEST = 3;
/** Share of the amount by which an edge is held short of a segment boundary, so that rounding does not cross it. */
const SHORT = 1e-6;
/**
 * Further share in a second version of the limits, for orders whose amount is less precise because curves upstream are
 * sampled.
 */
const SHORTER = 5e-6;
/** Least improvement of a step, as a share of the supply. */
const IMPROVEMENT = 1e-9;

/**
 * Most supports whose edges are held short of segment boundaries. Each costs a few solutions; with two, single small orders lost up to
 * 55 bp (`docs/routing-ablation.md`).
 */
const MOST_HELD = 5;

/**
 * Supports with edges held short of segment boundaries, from those that would net more than the best one if they crossed none.
 *
 * @param supports by falling net
 */
export function heldShort(choice: LegChoice, supports: readonly Support[]): Support[] {
  const least = supports[0]?.net ?? 0;
  const ofCrossings = ({ edges, costs }: Support) =>
    costs.reduce((sum, cost, k) => sum + cost - choice.cost[edges[k]!]!, 0);
  return supports
    .filter((one) => one.net + ofCrossings(one) > least)
    .slice(0, MOST_HELD)
    .flatMap((one) => trim(choice, one));
}

/**
 * Holds edges short of segment boundaries that are not worth the gas of crossing them, one after the other. At a
 * support's prices an edge loses at least what it earned beyond the limit.
 *
 * @returns the best support, and if limits were added, that support solved with larger margins
 */
function trim(choice: LegChoice, start: Support): readonly Support[] {
  let best = start;
  for (let step = 0; step < STEPS && !choice.late(); step++) {
    const next = bestLimit(choice, best);
    if (!(next.net > best.net + IMPROVEMENT * choice.workspace.problem.supply)) break;
    best = next;
  }
  if (best === start || choice.late()) return [best];
  const limits = new Map([...best.limits].map(([e, most]) => [e, most * (1 - SHORTER)]));
  return [best, solveSupport(choice, best.edges, { prices: best.prices, limits })];
}

function bestLimit(choice: LegChoice, from: Support): Support {
  let best = from;
  const found = from.edges.flatMap((e, k) => limitsOf(choice, from, { e, x: from.flows[k]!.amount }));
  found.sort((a, b) => b.gain - a.gain);
  for (const { e, most, gain } of found.slice(0, TRIES)) {
    if (from.net + gain <= best.net) break;
    const limits: Limits = new Map([...from.limits, [e, most]]);
    best = betterSupport(best, solveSupport(choice, from.edges, { prices: from.prices, limits }))!;
  }
  return best;
}

type Limit = { readonly e: number; readonly most: number; readonly gain: number };

/** The possible limits of an edge that sells `x` smallest units, each with an upper bound on its gain, in value. */
function limitsOf(
  { graph, workspace, crossing }: LegChoice,
  { prices }: Support,
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
