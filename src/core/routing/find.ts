import { ALL_Q32, NATIVE, type Pool, type Route, type Step } from "../types.ts";
import { slopeAt } from "./curves.ts";
import { diagnose } from "./diagnose.ts";
import { findExactOut } from "./exact-out.ts";
import type { Graph } from "./graph.ts";
import { greedyFlows } from "./greedy.ts";
import { better, type Judged, judge, settleContext, type Trial } from "./judge.ts";
import { settle } from "./settle.ts";
import type { RouteFound, RouteRequest, RouteResult } from "./types.ts";
import type { Values } from "./values.ts";

/** How finely the amount is cut; 1 is the single path. All are tried, the judge picks. */
const CHUNKS = [1, 2, 4, 10, 32];

/** A request on one version of the graph. */
export type Query = Trial & {
  readonly values: Values;
  readonly allowed: (edge: number) => boolean;
};

/** Finds, settles and explains one request. */
export function findRoute(graph: Graph, values: Values, request: RouteRequest): RouteResult {
  const query = openQuery(graph, values, request);
  if (query === undefined) return { kind: "missing", reason: "unknown-token", largestAmount: undefined };
  const judged = solve(query);
  return judged === undefined ? diagnose(query, solveIn) : present(query, judged);
}

function openQuery(graph: Graph, values: Values, request: RouteRequest): Query | undefined {
  const from = graph.nodeOf.get(request.tokenIn);
  const to = graph.nodeOf.get(request.tokenOut);
  if (from === undefined || to === undefined) return undefined;
  const perOut = values.native[to]!;
  const outPerGas =
    request.gasPriceWei !== undefined && perOut > 0 ? Number(request.gasPriceWei) / perOut : 0;
  const ends = { tokenIn: request.tokenIn, tokenOut: request.tokenOut };
  return { graph, request, ends, outPerGas, values, allowed: allowance(graph, request.allows) };
}

/** Asks the request once for each pool. */
function allowance(graph: Graph, allows: (pool: Pool) => boolean): (edge: number) => boolean {
  const answers = new Map<number, boolean>();
  return (edge) => {
    const owner = graph.owner[edge]!;
    let answer = answers.get(owner);
    if (answer === undefined) {
      answer = allows(graph.entries[owner]!.pool);
      answers.set(owner, answer);
    }
    return answer;
  };
}

function solve(query: Query): Judged | undefined {
  const { graph, request, ends } = query;
  if (request.amount <= 0n || ends.tokenIn === ends.tokenOut) return undefined;
  if (graph.nodeOf.get(ends.tokenIn) === graph.nodeOf.get(ends.tokenOut)) return wrapOnly(query);
  return request.side === "in" ? solveIn(query, request.amount) : findExactOut(query, solveIn);
}

/** The best route that sells `amount`. */
function solveIn(query: Query, amount: bigint): Judged | undefined {
  const { request } = query;
  const deadline = request.now() + request.timeoutMs;
  let best: Judged | undefined;
  for (const chunks of CHUNKS) {
    if (request.maxLegs > 0 && chunks > request.maxLegs) break;
    const flows = greedyFlows(query, Number(amount), {
      chunks,
      native: query.values.native,
      allowed: query.allowed,
    });
    const judged = judge(query, flows, amount);
    if (judged !== undefined && !(request.maxLegs > 0 && judged.route.steps.length > request.maxLegs)) {
      best = better(best, judged);
    }
    if (request.now() > deadline) break;
  }
  // A trade smaller than its gas is still the caller's to make: the answer is a route and what it nets, not a refusal.
  return best === undefined && query.outPerGas > 0 ? solveIn({ ...query, outPerGas: 0 }, amount) : best;
}

/** The native coin against its wrapped form: one step, unit for unit. */
function wrapOnly(query: Query): Judged | undefined {
  const { graph, request, ends } = query;
  if (graph.wrap === undefined) return undefined;
  const i = graph.wrap.tokens.indexOf(ends.tokenIn);
  const plan = [{ pool: graph.wrap, i, j: 1 - i, shareQ32: ALL_Q32, edge: -1 }];
  const settled = settle(plan, request.amount, settleContext(query));
  if (settled.kind === "failed") return undefined;
  const { steps, amountOut, gas } = settled;
  const route: Route = { ...ends, amountIn: request.amount, amountOut, steps };
  return { route, gas, net: amountOut, flows: [], plan };
}

function present(query: Query, { route, gas }: Judged): RouteFound {
  const perOut = query.values.native[query.graph.nodeOf.get(route.tokenOut)!]!;
  return {
    kind: "found",
    route,
    spotPrice: spotPrice(query.graph, route),
    optimality: { upperBound: null, reason: "no proof was computed" },
    nativePerOut: perOut > 0 ? perOut : undefined,
    gas,
  };
}

/** What the route pays per unit for a vanishing amount, in the shares of the settled amounts. */
function spotPrice(graph: Graph, route: Route): number {
  const registers = new Map<string, number>([[route.tokenIn, 1]]);
  for (const step of route.steps) {
    const sold = step.pool.tokens[step.i]!;
    const bought = step.pool.tokens[step.j]!;
    const left = registers.get(sold) ?? 0;
    const taken = step.shareQ32 === ALL_Q32 ? left : (left * step.shareQ32) / ALL_Q32;
    registers.set(sold, left - taken);
    registers.set(bought, (registers.get(bought) ?? 0) + taken * spotOf(graph, step));
  }
  return registers.get(route.tokenOut) ?? 0;
}

function spotOf(graph: Graph, { pool, i, j }: Step): number {
  if (pool.tokens.includes(NATIVE) && pool.id === graph.wrap?.id) return 1;
  const { firstEdge } = graph.entries[graph.entryOf.get(pool.id)!]!;
  return slopeAt(graph.curves, firstEdge + i * (pool.tokens.length - 1) + (j < i ? j : j - 1), 0);
}
