import type { Address } from "../types.ts";
import { type PartialPrices, scaleOf } from "./certificate/local/local.ts";
import { profitAt, spotSlope } from "./curves/segments.ts";
import type { Graph } from "./market-graph/graph.ts";
import type { Query } from "./request.ts";
import type { Judged } from "./settlement/evaluate.ts";
import type { Support } from "./sparse-routes/support.ts";
import type { Candidate, PoolAccount, PoolVerdict, SearchAccount } from "./types.ts";

/**
 * The account of a search, for people: the candidates that were considered, the prices that prove the bound, and what
 * each pool would gain at them. The search does not use any of it.
 */

/** Candidates listed at most; a search for an amount bought settles more. */
const MOST_CANDIDATES = 64;
/**
 * Most directions of pools listed, unless the route has more, and of the best parallel pools for each pair of the
 * route.
 */
const MOST_POOLS = 32;
const BESIDE = 4;

/** Records a settled route. @param estimate what it was expected to net, in units of the token bought */
export function noteCandidate({ candidates }: Query, judged: Judged, estimate?: number): void {
  if (candidates === undefined || candidates.length >= MOST_CANDIDATES) return;
  candidates.push(candidateOf(judged, estimate));
}

function candidateOf({ route, gas, net }: Judged, estimate?: number): Candidate {
  const { steps, amountIn, amountOut } = route;
  return { legs: steps.length, estimate, settled: { amountIn, amountOut, gas, net } };
}

/** Records supports that were not settled. @param unit value of a unit of the token bought */
export function noteEstimates({ candidates }: Query, supports: readonly Support[], unit: number): void {
  for (const { flows, net } of supports)
    if (candidates !== undefined && candidates.length < MOST_CANDIDATES)
      candidates.push({ legs: flows.length, estimate: net / unit, settled: undefined });
}

/** The account of a search. @param marginal prices by node, in units of the token bought; other tokens have base prices */
export function accountOf(query: Query, judged: Judged, marginal: PartialPrices): SearchAccount {
  const { graph, candidates = [] } = query;
  const priceOf = pricing(graph, marginal);
  const used = new Set(judged.plan.flatMap(({ edge }) => (edge < 0 ? [] : [edge])));
  const listed = edgesOf(query, used);
  const prices = new Map<Address, number>();
  for (const node of nodesOf(graph, listed, query)) {
    const price = priceOf(node);
    if (price > 0 && price < Infinity) prices.set(graph.tokens[node]!, price);
  }
  const pools = listed.map((edge) => poolAccount(query, edge, priceOf, used.has(edge)));
  return {
    candidates: [...candidates, ...finalOf(query, judged)],
    prices,
    pools: pools.sort((a, b) => Number(b.verdict === "used") - Number(a.verdict === "used")),
    threw: [...query.faults.pools],
  };
}

/** The route itself, unless a candidate is equal to it. */
function finalOf(query: Query, judged: Judged): Candidate[] {
  const { amountIn, amountOut } = judged.route;
  const isEqual = ({ settled }: Candidate) =>
    settled?.amountIn === amountIn && settled.amountOut === amountOut;
  return query.candidates?.some(isEqual) ? [] : [candidateOf(judged)];
}

function pricing(graph: Graph, marginal: PartialPrices): (node: number) => number {
  const scale = scaleOf(graph, marginal) ?? 0;
  return (node) => marginal.get(node) ?? (graph.base.price[node] ?? 0) * scale;
}

/** Edges in use, then the best parallel ones of each pair in use, then those of the convex optimum, up to the limit. */
function edgesOf({ graph, workspace }: Query, used: ReadonlySet<number>): number[] {
  const listed = new Set(used);
  const { start, length, data } = graph.pairs.edges;
  for (const edge of used) {
    const pair = graph.pair[edge]!;
    if (pair < 0) continue;
    for (let k = start[pair]!; k < start[pair]! + Math.min(BESIDE, length[pair]!); k++) listed.add(data[k]!);
  }
  for (const edge of workspace.primalFlow.flows.keys()) if (isPlain(graph, edge)) listed.add(edge);
  return [...listed].slice(0, Math.max(MOST_POOLS, used.size));
}

/** Whether both ends of an edge are tokens. Edges of joint nodes trade a token for units of a pool's invariant. */
function isPlain({ nodeOf, tokens, tail, head }: Graph, edge: number): boolean {
  return [tail[edge]!, head[edge]!].every((node) => nodeOf.get(tokens[node]!) === node);
}

function nodesOf({ tail, head }: Graph, edges: readonly number[], { from, to }: Query): Set<number> {
  return new Set([from, to, ...edges.flatMap((edge) => [tail[edge]!, head[edge]!])]);
}

function poolAccount(
  query: Query,
  edge: number,
  priceOf: (node: number) => number,
  isUsed: boolean,
): PoolAccount {
  const { graph, outPerGas } = query;
  const { pool } = graph.entries[graph.owner[edge]!]!;
  const worth = priceOf(graph.head[edge]!);
  const rateAtPrices = worth > 0 ? priceOf(graph.tail[edge]!) / worth : 0;
  const gained = rateAtPrices > 0 ? worth * profitAt(graph.curves, edge, rateAtPrices) : 0;
  const earned = gained > 0 && gained < Infinity ? gained : 0;
  const gasCost = graph.gas[edge]! * outPerGas;
  const isLive = graph.curves.count[edge]! > 0;
  return {
    pool: pool.id,
    deployment: pool.deployment,
    tokenIn: pool.tokens[graph.sold[edge]!]!,
    tokenOut: pool.tokens[graph.bought[edge]!]!,
    rate: isLive ? spotSlope(graph.curves, edge) : 0,
    rateAtPrices,
    earned,
    gasCost,
    verdict: verdictOf(query, edge, { isUsed, earned, gasCost }),
  };
}

function verdictOf(
  { allowed }: Query,
  edge: number,
  {
    isUsed,
    earned,
    gasCost,
  }: { readonly isUsed: boolean; readonly earned: number; readonly gasCost: number },
): PoolVerdict {
  if (isUsed) return "used";
  if (!allowed(edge)) return "refused";
  if (earned === 0) return "priced-out";
  return earned <= gasCost ? "below-gas" : "displaced";
}
