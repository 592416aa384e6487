import { greedyFlows } from "./greedy.ts";
import { better, type Judged, judge } from "./judge.ts";
import { findOptimum } from "./optimum.ts";
import type { Flow } from "./plan.ts";
import { demandOf, type Query } from "./query.ts";

/** A judged route with what proves it: no route pays more than `bound`, or why nothing is proved. */
export type Sale = Judged & { readonly bound: bigint | string };

/** How finely the greedy search cuts the amount; 1 is the single path. */
const CHUNKS = [1, 2, 4, 10, 32];

/** The best route that sells `amount`. */
export function sell(query: Query, amount: bigint): Sale | undefined {
  const { graph, shop, to, request } = query;
  const optimum = findOptimum(graph, shop, demandOf(query, amount));
  if (optimum === undefined) return undefined;
  const flows: Flow[] = [...shop.delivery.flows].map(([edge, sent]) => ({ edge, amount: sent }));
  let best = judge(query, flows, amount);
  if (request.maxLegs > 0 || query.outPerGas > 0 || !optimum.converged)
    best = better(best, sellGreedily(query, amount));
  if (best !== undefined && request.maxLegs > 0 && best.route.steps.length > request.maxLegs) {
    best = sellGreedily(query, amount);
  }
  if (best === undefined) return undefined;
  const bound =
    optimum.bound === undefined ? "some cycle of pools pays" : toUnits(optimum.bound / graph.values.ref[to]!);
  return { ...best, bound };
}

function toUnits(amount: number): bigint | string {
  return amount > 0 && amount < Number.MAX_VALUE ? BigInt(Math.ceil(amount)) : "no bound was found";
}

function sellGreedily(query: Query, amount: bigint): Judged | undefined {
  const { request, allowed, late } = query;
  let best: Judged | undefined;
  for (const chunks of CHUNKS) {
    if (request.maxLegs > 0 && chunks > request.maxLegs) break;
    const judged = judge(query, greedyFlows(query, Number(amount), { chunks, allowed }), amount);
    if (judged !== undefined && !(request.maxLegs > 0 && judged.route.steps.length > request.maxLegs)) {
      best = better(best, judged);
    }
    if (late()) break;
  }
  return best;
}
