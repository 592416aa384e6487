import { NATIVE } from "../types.ts";
import type { Graph } from "./graph.ts";
import { greedyFlows } from "./greedy.ts";
import { better, type Judged, judge } from "./judge.ts";
import { chooseLegs } from "./legs.ts";
import { findOptimum } from "./optimum.ts";
import type { Flow } from "./plan.ts";
import { demandOf, type Query } from "./query.ts";
import type { Workshop } from "./workshop.ts";

/** A judged route with what proves it: no route pays more than `bound`, or why nothing is proved. */
export type Sale = Judged & { readonly bound: bigint | string };

/** How finely the greedy search cuts the amount; 1 is the single path. */
const CHUNKS = [1, 2, 4, 10, 32];

/** Where rounding takes more than this share of the order, fewer legs are tried even where they are free. */
const ROUNDING_SHARE = 2e-6;
/** Sets of legs that are settled exactly. */
const JUDGED = 5;

/** The best route that sells `amount`. */
export function sell(query: Query, amount: bigint): Sale | undefined {
  const { graph, shop, to } = query;
  const demand = demandOf(query, amount);
  const optimum = findOptimum(graph, shop, demand);
  if (optimum === undefined) return undefined;
  const flows: Flow[] = [...shop.delivery.flows].map(([edge, sent]) => ({ edge, amount: sent }));
  const cap = legCap(query);
  const rules = { perGas: query.outPerGas * graph.values.ref[to]!, cap };
  const whole = flows.length <= cap && rules.perGas === 0;
  let best = whole ? within(query, judge(query, flows, amount)) : undefined;
  if (!whole || crossesTwice(graph, flows) || roundingShare(graph, shop, flows) > ROUNDING_SHARE) {
    for (const choice of chooseLegs(graph, shop, demand, rules).slice(0, JUDGED)) {
      best = better(best, within(query, judge(query, choice.flows, amount)));
    }
  }
  best ??= sellGreedily(query, amount);
  if (best === undefined) return undefined;
  const bound =
    optimum.bound === undefined ? "some cycle of pools pays" : toUnits(optimum.bound / graph.values.ref[to]!);
  return { ...best, bound };
}

/** Whether some pool is crossed by more than one of its pairs, whose curves do not know of each other. */
function crossesTwice({ owner }: Graph, flows: readonly Flow[]): boolean {
  return new Set(flows.map(({ edge }) => owner[edge]!)).size < flows.length;
}

/** The route, unless it has more legs than asked for. */
function within({ request }: Query, judged: Judged | undefined): Judged | undefined {
  const legs = judged?.route.steps.length ?? 0;
  return request.maxLegs > 0 && legs > request.maxLegs ? undefined : judged;
}

/** What a unit lost on each leg comes to, as a share of the order. */
function roundingShare({ head, values }: Graph, { problem }: Workshop, flows: readonly Flow[]): number {
  let lost = 0;
  for (const { edge } of flows) lost += values.ref[head[edge]!]!;
  return lost / problem.supply;
}

/** Legs allowed but for the wraps at the ends. */
function legCap({ request, ends }: Query): number {
  if (request.maxLegs <= 0) return Infinity;
  const wraps = Number(ends.tokenIn === NATIVE) + Number(ends.tokenOut === NATIVE);
  return Math.max(1, request.maxLegs - wraps);
}

function toUnits(amount: number): bigint | string {
  return amount > 0 && amount < Number.MAX_VALUE ? BigInt(Math.ceil(amount)) : "no bound was found";
}

function sellGreedily(query: Query, amount: bigint): Judged | undefined {
  const { request, allowed, late } = query;
  let best: Judged | undefined;
  for (const chunks of CHUNKS) {
    if (request.maxLegs > 0 && chunks > request.maxLegs) break;
    const flows = greedyFlows(query, Number(amount), { chunks, allowed });
    best = better(best, within(query, judge(query, flows, amount)));
    if (late()) break;
  }
  return best;
}
