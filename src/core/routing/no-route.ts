import type { Rows } from "../math/rows.ts";
import { mostOut, slopeAt } from "./curves/segments.ts";
import type { Graph } from "./market-graph/graph.ts";
import { spotRate } from "./market-graph/prices/spot-rate.ts";
import type { Query } from "./request.ts";
import type { Judged, Trial } from "./settlement/evaluate.ts";
import type { NoRouteReason, RouteMissing } from "./types.ts";

type Asked = Trial & { readonly allowed: (edge: number) => boolean; readonly late: () => boolean };

/** Halvings in the search for the largest amount. */
const HALVINGS = 24;

/** The reason why an order does not route, and the largest amount that would. */
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

/** Factor above dust at which a sale routes if only dust is refused. */
const DUST_STEP = 256n;

/**
 * Whether an amount buys nothing because it is too small. Found before the long search for the largest amount, which
 * may hit the deadline.
 */
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

/** Factor on what the curves say can be bought, since a pool may pay slightly more than its curve. */
const BEYOND = 2;

/** Whether more is wanted than all pools of the token can pay together. Found without a search, which would try ever larger sales. */
export function isBeyondAll({ graph, to, request, allowed }: Query): boolean {
  if (request.side === "in") return false;
  const { outgoing, edges } = graph.pairs;
  const least = Number(request.amount) / BEYOND;
  let most = 0;
  for (const pair of rowOf(outgoing, to)) {
    for (const edge of rowOf(edges, pair ^ 1)) if (allowed(edge)) most += mostOut(graph.curves, edge);
    if (!(most < least)) return false;
  }
  return true;
}

const rowOf = ({ data, start, length }: Rows, row: number) =>
  data.subarray(start[row]!, start[row]! + length[row]!);

type Reach = { readonly maxHops: number; readonly allowed: (edge: number) => boolean };

/** Whether edges that may be used join two nodes within the hops allowed. */
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
  const open = rowOf(outgoing, node).filter((pair) => rowOf(edges, pair).some(live));
  return [...open].map((pair) => tail[pair ^ 1]!);
}

/** The largest amount of the given side that routes, found until the deadline; undefined if none is. */
function largestAmount<T extends Asked>(
  asked: T,
  solveIn: (asked: T, amount: bigint) => Judged | undefined,
): bigint | undefined {
  return asked.request.side === "in" ? largestSold(asked, solveIn) : largestBought(asked, solveIn);
}

/** The largest sale, to within one part in 65,000 or to where the deadline ends the search. */
function largestSold<T extends Asked>(
  asked: T,
  solveIn: (asked: T, amount: bigint) => Judged | undefined,
): bigint | undefined {
  const { late } = asked;
  let { low, high } = bracket((amount) => (late() ? undefined : solveIn(asked, amount)));
  for (let k = 0; k < HALVINGS && low !== undefined && !late(); k++) {
    const middle: bigint = (low.route.amountIn + high) / 2n;
    const found = solveIn(asked, middle);
    if (found === undefined) high = middle;
    else low = found;
  }
  return low?.route.amountIn;
}

/** An amount larger than the supply of any token. */
const EVERYTHING = 2n ** 120n;

/**
 * The most that sales of powers of 256 pay. The largest amounts exceed what most pools accept, and small ones do not empty
 * them, so the best lies between.
 */
function largestBought<T extends Asked>(
  asked: T,
  solveIn: (asked: T, amount: bigint) => Judged | undefined,
): bigint | undefined {
  let most: bigint | undefined;
  for (let amount = EVERYTHING; amount > 1n && !asked.late(); amount /= 256n) {
    const paid = solveIn(asked, amount)?.route.amountOut;
    if (paid === undefined) continue;
    if (most !== undefined && paid < most) break;
    most = paid;
  }
  return most;
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
