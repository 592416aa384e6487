import { slopeAt } from "./curves/segments.ts";
import type { Graph } from "./market-graph/graph.ts";
import { spotRate } from "./market-graph/prices/spot-rate.ts";
import type { Judged, Trial } from "./settlement/evaluate.ts";
import type { NoRouteReason, RouteMissing } from "./types.ts";

type Asked = Trial & { readonly allowed: (edge: number) => boolean; readonly late: () => boolean };

/** Halvings in the search for the largest amount. */
const HALVINGS = 24;

/** Says why nothing routes, and the largest amount that would. */
export function diagnose<T extends Asked>(
  asked: T,
  solveIn: (asked: T, amount: bigint) => Judged | undefined,
): RouteMissing {
  const { graph, ends, request } = asked;
  const from = graph.nodeOf.get(ends.tokenIn)!;
  const to = graph.nodeOf.get(ends.tokenOut)!;
  if (!joined(graph, from, to, { maxHops: request.maxHops, allowed: asked.allowed })) {
    const excluded = joined(graph, from, to, { maxHops: request.maxHops, allowed: () => true });
    return missing(excluded ? "excluded" : "no-path", undefined);
  }
  if (isDust(asked, { from, to }, solveIn)) return missing("too-small", undefined);
  const largest = largestAmount(asked, solveIn);
  return missing(reasonFor(asked, largest), largest);
}

function missing(reason: NoRouteReason, largestAmount: bigint | undefined): RouteMissing {
  return { kind: "missing", reason, largestAmount };
}

function reasonFor({ request }: Asked, largest: bigint | undefined): NoRouteReason {
  return largest === undefined || largest < request.amount ? "too-deep" : "too-small";
}

/** Times as much as dust, which routes where dust does not. */
const DUST_STEP = 256n;

/** Whether an amount buys nothing because it is small: told before the long search for the largest, whose time may be up. */
function isDust<T extends Asked>(
  asked: T,
  ends: { readonly from: number; readonly to: number },
  solveIn: (asked: T, amount: bigint) => Judged | undefined,
): boolean {
  const { graph, request, allowed, late } = asked;
  if (request.side === "out") return false;
  const rate = spotRate(graph, ends, allowed);
  if (rate !== undefined && Number(request.amount) * rate < 1) return true;
  return !late() && solveIn(asked, request.amount * DUST_STEP) !== undefined;
}

type Reach = { readonly maxHops: number; readonly allowed: (edge: number) => boolean };

/** Whether any live edges join two nodes within the hops allowed. */
function joined(graph: Graph, from: number, to: number, { maxHops, allowed }: Reach): boolean {
  const seen = new Set([from]);
  let frontier = [from];
  for (let hop = 0; hop < maxHops && !seen.has(to); hop++) {
    frontier = frontier.flatMap((node) => heads(graph, node, allowed)).filter((node) => !seen.has(node));
    for (const node of frontier) seen.add(node);
  }
  return seen.has(to);
}

function heads(graph: Graph, node: number, allowed: (edge: number) => boolean): number[] {
  const { outgoing, edges, tail } = graph.pairs;
  const live = (edge: number) => slopeAt(graph.curves, edge, 0) > 0 && allowed(edge);
  const pairs = outgoing.data.subarray(outgoing.start[node]!, outgoing.start[node]! + outgoing.length[node]!);
  const open = pairs.filter((pair) =>
    edges.data.subarray(edges.start[pair]!, edges.start[pair]! + edges.length[pair]!).some(live),
  );
  return [...open].map((pair) => tail[pair ^ 1]!);
}

/** The largest amount of the given side that routes, to about one part in a million; undefined where none was found. */
function largestAmount<T extends Asked>(
  asked: T,
  solveIn: (asked: T, amount: bigint) => Judged | undefined,
): bigint | undefined {
  const { late } = asked;
  const { side } = asked.request;
  let { low, high } = bracket((amount) => (late() ? undefined : solveIn(asked, amount)));
  for (let k = 0; k < HALVINGS && low !== undefined && !late(); k++) {
    const middle: bigint = (low.route.amountIn + high) / 2n;
    const found = solveIn(asked, middle);
    if (found === undefined) high = middle;
    else low = found;
  }
  return side === "in" ? low?.route.amountIn : low?.route.amountOut;
}

/** The largest power of 256 that routes, and the next, which does not. */
function bracket(solve: (amount: bigint) => Judged | undefined): { low: Judged | undefined; high: bigint } {
  let high = 2n ** 256n;
  for (; high > 1n; high /= 256n) {
    const low = solve(high / 256n);
    if (low !== undefined) return { low, high };
  }
  return { low: undefined, high };
}
