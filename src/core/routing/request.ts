import { fillsWhole } from "../rfq.ts";
import type { Pool } from "../types.ts";
import type { Demand } from "./convex/problem.ts";
import { resetScratch } from "./convex/scratch.ts";
import type { Graph } from "./market-graph/graph.ts";
import { nativeValue } from "./market-graph/prices/reference-prices.ts";
import type { Trial } from "./settlement/evaluate.ts";
import type { Candidate, RouteRequest } from "./types.ts";
import type { Workspace } from "./workspace.ts";

/** A request on one version of the graph. */
export type Query = Trial & {
  readonly workspace: Workspace;
  readonly from: number;
  readonly to: number;
  readonly allowed: (edge: number) => boolean;
  /** Whether the request's time is up, or will be `aheadMs` from now. */
  readonly late: (aheadMs?: number) => boolean;
  /** Wei per smallest unit of the token bought, where known. */
  readonly nativePerOut: number | undefined;
  /** When the search began, by the request's clock. */
  readonly began: number;
  /** Every route that was settled so far; undefined where nobody asks. */
  readonly candidates: Candidate[] | undefined;
};

/** @param began by the request's clock, from which its time runs. @returns undefined where a token is in no pool */
export function openQuery(
  graph: Graph,
  workspace: Workspace,
  request: RouteRequest,
  began: number,
): Query | undefined {
  const from = graph.nodeOf.get(request.tokenIn);
  const to = graph.nodeOf.get(request.tokenOut);
  if (from === undefined || to === undefined) return undefined;
  const nativePerOut = nativeValue(graph, to);
  const gasPrice = Number(request.gasPriceWei ?? 0n);
  const deadline = began + request.timeoutMs;
  return {
    graph,
    workspace,
    faults: workspace.faults,
    request,
    from,
    to,
    ends: { tokenIn: request.tokenIn, tokenOut: request.tokenOut },
    outPerGas: nativePerOut === undefined ? 0 : gasPrice / nativePerOut,
    nativePerOut,
    began,
    spent: { settleMs: 0 },
    allowed: allowance(graph, workspace, atItsPlace(graph, from, request.allows)),
    late: (aheadMs = 0) => request.now() + aheadMs > deadline,
    candidates: request.wantsAccount === true ? [] : undefined,
  };
}

/** The query as the convex search wants it: its time is up when there is just enough left to settle what it found. */
export function demandOf(query: Query, amount: bigint): Demand {
  const { from, to, allowed, workspace, request } = query;
  const late = () => lateToSettle(query, Math.min(workspace.primalFlow.flows.size, mostLegs(request)));
  return { from, to, allowed, late, amount: Number(amount) };
}

/** Legs that a route may have, wraps among them. */
export function mostLegs({ maxLegs }: RouteRequest): number {
  return maxLegs > 0 ? maxLegs : Infinity;
}

/** Whether there is no time left to settle so many legs. */
export function lateToSettle({ late, workspace }: Query, legs: number): boolean {
  return late(workspace.pace.msALeg * legs);
}

/** Legs from which on it shows how long each takes, and what of a shorter time is believed at once. */
const TELLING = 100;
const BELIEVED = 1 / 8;

/** Learns from a route that took `ms` how long it takes to settle one. */
export function learnPace({ pace }: Workspace, legs: number, ms: number): void {
  if (legs < TELLING) return;
  const seen = ms / legs;
  pace.msALeg += (seen > pace.msALeg ? 1 : BELIEVED) * (seen - pace.msALeg);
}

/**
 * What a request allows, without the pools that fill whole orders alone where they do not sell the route's own token. The
 * native coin and its wrapped form are one node, and no route buys what it sells, so such a pool's token comes from the
 * caller, wrapped at most.
 */
function atItsPlace(graph: Graph, from: number, allows: (pool: Pool) => boolean): (pool: Pool) => boolean {
  const sellsFirst = (pool: Pool) => pool.tokens.some((token) => graph.nodeOf.get(token) === from);
  return (pool) => allows(pool) && (!fillsWhole(pool) || sellsFirst(pool));
}

/** Asks the request once for each pool. */
function allowance(
  graph: Graph,
  { scratch }: Workspace,
  allows: (pool: Pool) => boolean,
): (edge: number) => boolean {
  resetScratch(scratch, graph);
  const { allowed } = scratch;
  return (edge) => {
    const owner = graph.owner[edge]!;
    if (allowed[owner] === UNASKED) allowed[owner] = allows(graph.entries[owner]!.pool) ? YES : NO;
    return allowed[owner] === YES;
  };
}

const UNASKED = 0;
const YES = 1;
const NO = 2;
