import { noteCandidate } from "./account.ts";
import { boundsAt, marginalPrices } from "./bounds.ts";
import type { Bounds } from "./certificate/certify.ts";
import { LEG_GAS } from "./certificate/statement.ts";
import { outputAt, profitAt, spotSlope } from "./curves/segments.ts";
import { type LeastPath, leastPath } from "./market-graph/least-path.ts";
import { mostLegs, type Query } from "./request.ts";
import type { Sale } from "./sale.ts";
import { type Judged, judge } from "./settlement/evaluate.ts";
import type { Flow } from "./settlement/layout.ts";

/**
 * The best single path of an order, where its own prices prove that nothing nets more: then no other search is needed.
 *
 * In: an order whose gas counts. Out: the path that loses least of the order's value at base prices, by its gas and by what
 * its pools pay less than these prices, if its optimality gap net of gas, against the bound at its own marginal prices, is
 * within tolerance. That holds for many orders of which no part is worth the gas of a further pool.
 */

/**
 * Optimality gap at which a path is optimal: a share of its net amount, or a number of legs of `LEG_GAS`, whichever is more, and
 * always one smallest unit. A larger one ends more searches early, each of which may lose as much; by these no measured order
 * nets less (ADR 0015, `npm run bench:routing` with gas counted).
 */
const OPTIMAL = { share: 1e-6, legs: 1e-3 };
/**
 * Cap on the number of pairs of a path's tokens, without the token of most pairs: the pools of all others are evaluated for the
 * proof. More would prove paths over two hubs of a large market, and cost milliseconds where they are not optimal
 * (`npm run bench:routing` over 20,000 pools and more).
 */
const MOST_PAIRS = 4096;

/** The sale along a path that is proved to net as much as any. Leaves its prices in place of those of an optimum. */
export function provedSale(query: Query, amount: bigint): Sale | undefined {
  if (!(query.outPerGas > 0) || query.request.side === "out") return undefined;
  const found = provedPath(query, amount);
  if (found === undefined) return undefined;
  const { judged, prices, bounds } = found;
  const { dual, primalFlow } = query.workspace;
  dual.clear();
  for (const [node, price] of prices) dual.set(node, price);
  primalFlow.flows.clear();
  const proved = { amount, bounds, staysPut: true };
  return { ...judged, bound: BigInt(Math.ceil(bounds.gross)), isCut: false, reachable: 0, proved };
}

type ProvedPath = {
  readonly judged: Judged;
  readonly prices: ReadonlyMap<number, number>;
  readonly bounds: Bounds;
};

function provedPath(query: Query, amount: bigint): ProvedPath | undefined {
  const { graph } = query;
  const { edges } = cheapestPath(query, Number(amount));
  if (edges.length === 0 || edges.length > mostLegs(query.request) || isBusy(query, edges)) return undefined;
  const judged = judge(query, flowsAlong(query, edges, Number(amount)), amount);
  if (judged === undefined || judged.route.steps.length > mostLegs(query.request)) return undefined;
  noteCandidate(query, judged);
  const prices = marginalPrices(query, judged);
  const above = toleranceOf(query, judged);
  if (isBeaten(query, edges, prices, above)) return undefined;
  const passed = new Set(edges.map((edge) => graph.owner[edge]!));
  const bounds = boundsAt(query, prices, amount, { staysPut: true, giveUp: { above, passed } });
  if ("reason" in bounds || openOf(bounds, judged) > above) return undefined;
  return { judged, prices, bounds };
}

/** What a bound leaves open, without what rounding of pools of constant price may add to it on every route. */
function openOf({ gross, net, priceIn, gained }: Bounds, judged: Judged): number {
  const raised = gross - (priceIn * Number(judged.route.amountIn) + gained);
  return net - raised - Number(judged.net);
}

function toleranceOf({ outPerGas }: Query, { net }: Judged): number {
  return Math.max(1, OPTIMAL.share * Number(net), OPTIMAL.legs * LEG_GAS * outPerGas);
}

/** The path that loses least of the order's value at base prices. */
function cheapestPath({ graph, from, to, allowed, outPerGas }: Query, amount: number): LeastPath {
  const { base, curves, tail, head, gas, leastGas } = graph;
  const value = base.price[from]! * amount;
  const perGas = outPerGas * base.price[to]!;
  if (!(value > 0 && perGas > 0 && value < Infinity)) return { loss: 0, edges: [] };
  const soldTo = (edge: number) => value / base.price[tail[edge]!]!;
  const worth = (edge: number) => base.price[head[edge]!]!;
  const of = (edge: number) => {
    if (curves.count[edge] === 0 || !allowed(edge)) return Infinity;
    const loss = gas[edge]! * perGas + value - worth(edge) * outputAt(curves, edge, soldTo(edge));
    return loss > 0 ? loss : loss <= 0 ? 0 : Infinity;
  };
  const since = (edge: number) =>
    leastGas * perGas + value - worth(edge) * soldTo(edge) * spotSlope(curves, edge);
  return leastPath(graph, { from, to }, { of, since, leastAt: () => 0 });
}

/** Whether the tokens of a path have very many pairs, besides the one that has most, whose price stays. */
function isBusy({ graph: { tail, head, pairs } }: Query, edges: readonly number[]): boolean {
  const degrees = [tail[edges[0]!]!, ...edges.map((edge) => head[edge]!)].map((node) => pairs.degree[node]!);
  return degrees.reduce((sum, degree) => sum + degree, 0) - Math.max(...degrees) > MOST_PAIRS;
}

function flowsAlong({ graph }: Query, edges: readonly number[], amount: number): Flow[] {
  let sold = amount;
  return edges.map((edge) => {
    const flow = { edge, amount: sold };
    sold = outputAt(graph.curves, edge, sold);
    return flow;
  });
}

/** Whether a pool beside one of the path would gain more than its gas, and `above`, at the path's prices. */
function isBeaten(
  query: Query,
  edges: readonly number[],
  prices: ReadonlyMap<number, number>,
  above: number,
): boolean {
  const { tail, head } = query.graph;
  return edges.some((edge) => {
    const [paid, worth] = [prices.get(tail[edge]!) ?? 0, prices.get(head[edge]!) ?? 0];
    return hasBetter(query, edge, { paid, worth, above });
  });
}

/** @param at the prices of the tokens that the edge sells and buys */
function hasBetter(
  { graph: { curves, gas, pair, pairs }, outPerGas, allowed }: Query,
  edge: number,
  at: { readonly paid: number; readonly worth: number; readonly above: number },
): boolean {
  const { start, length, data } = pairs.edges;
  const row = pair[edge]!;
  for (let k = start[row]!; k < start[row]! + length[row]!; k++) {
    const other = data[k]!;
    // The best spot price comes first.
    if (!(spotSlope(curves, other) * at.worth > at.paid)) return false;
    if (other === edge || !allowed(other)) continue;
    if (at.worth * profitAt(curves, other, at.paid / at.worth) > gas[other]! * outPerGas + at.above)
      return true;
  }
  return false;
}
