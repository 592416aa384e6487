import { fillsWhole } from "../rfq.ts";
import { NATIVE, type Pool } from "../types.ts";
import type { Legs } from "./column-generation/stopping.ts";
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
  /** Milliseconds to the request's deadline, and whether it has passed, or will have in `aheadMs`. */
  readonly leftMs: () => number;
  readonly late: (aheadMs?: number) => boolean;
  /** Wei of the native coin per smallest unit of the token bought; undefined if unknown. */
  readonly nativePerOut: number | undefined;
  /** `isCut`: whether the search for some optimum of the request was ended early. */
  readonly progress: { isCut: boolean };
  /** When the search began, by the request's clock. */
  readonly began: number;
  /** All routes settled so far; undefined unless the request wants an account. */
  readonly candidates: Candidate[] | undefined;
};

/** Opens a request. @param began time by its clock from which the deadline counts. @returns undefined if a token is in no pool */
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
  const leftMs = () => began + request.timeoutMs - request.now();
  return {
    graph,
    workspace,
    faults: workspace.faults,
    refused: new Set(),
    request,
    from,
    to,
    ends: { tokenIn: request.tokenIn, tokenOut: request.tokenOut },
    outPerGas: nativePerOut === undefined ? 0 : gasPrice / nativePerOut,
    nativePerOut,
    began,
    spent: { settleMs: 0 },
    progress: { isCut: false },
    allowed: allowance(graph, workspace, atItsPlace(graph, from, request.allows)),
    leftMs,
    late: (aheadMs = 0) => leftMs() < aheadMs,
    candidates: request.wantsAccount === true ? [] : undefined,
  };
}

/** The query as the search reads it. Its deadline leaves enough time to settle what is found. */
export function demandOf(query: Query, amount: bigint): Demand {
  const { from, to, allowed, workspace, request } = query;
  const late = () => lateToSettle(query, Math.min(workspace.primalFlow.flows.size, mostLegs(request)));
  return { from, to, allowed, late, amount: Number(amount) };
}

/** Cap on the legs of a route, wraps included. */
export function mostLegs({ maxLegs }: RouteRequest): number {
  return maxLegs > 0 ? maxLegs : Infinity;
}

/** The cap on legs less the wraps at the ends. */
export function legCap({ request, ends }: Query): number {
  const wraps = Number(ends.tokenIn === NATIVE) + Number(ends.tokenOut === NATIVE);
  return Math.max(1, mostLegs(request) - wraps);
}

export function legsOf({ outPerGas, request }: Query): Legs {
  if (outPerGas > 0) return "paid";
  return request.maxLegs > 0 ? "capped" : "free";
}

/**
 * Time that the search for the optimum leaves for choosing the legs of the route: this share of the remaining time, and no more than
 * so many milliseconds. A careful choice after an optimum that was cut short nets more than a hasty one after a better optimum.
 */
const RESERVED = { share: 0.5, mostMs: 100 };

export function reservedMs(query: Query): number {
  return legsOf(query) === "free" ? 0 : Math.min(RESERVED.share * query.leftMs(), RESERVED.mostMs);
}

/** Whether there is not enough time left to settle this many legs. */
export function lateToSettle({ late, workspace }: Query, legs: number): boolean {
  return late(workspace.pace.msALeg * legs);
}

/** Number of legs from which a settlement is measured, and the weight of a measurement that is shorter than the known time. */
const TELLING = 100;
const BELIEVED = 1 / 8;

/** Updates the time to settle a leg by a route that took `ms`. */
export function learnPace({ pace }: Workspace, legs: number, ms: number): void {
  if (legs < TELLING) return;
  const seen = ms / legs;
  pace.msALeg += (seen > pace.msALeg ? 1 : BELIEVED) * (seen - pace.msALeg);
}

/**
 * The pools that a request allows, without those that fill only whole orders unless they are sold the order's own token. The native
 * coin and its wrapped form are one node, and no route buys the token that it sells, so that token comes from the caller.
 */
function atItsPlace(graph: Graph, from: number, allows: (pool: Pool) => boolean): (pool: Pool) => boolean {
  const sellsFirst = (pool: Pool) => pool.tokens.some((token) => graph.nodeOf.get(token) === from);
  return (pool) => allows(pool) && (!fillsWhole(pool) || sellsFirst(pool));
}

/** Caches what the request allows, by pool. */
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
