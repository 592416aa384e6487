import { NATIVE } from "../types.ts";
import { noteCandidate, noteEstimates } from "./account.ts";
import { boundsAt, isProved } from "./bounds.ts";
import type { Bounds, Unproved } from "./certificate/certify.ts";
import { scaleOf } from "./certificate/local/local.ts";
import { type Arbitrage, NO_ARBITRAGE, takeArbitrage } from "./column-generation/arbitrage.ts";
import { findOptimum, type Optimum } from "./column-generation/optimum.ts";
import type { Legs } from "./column-generation/stopping.ts";
import type { Demand } from "./convex/problem.ts";
import { outputAt } from "./curves/segments.ts";
import type { Graph } from "./market-graph/graph.ts";
import { demandOf, lateToSettle, learnPace, mostLegs, type Query } from "./request.ts";
import { better, type Judged, judge } from "./settlement/evaluate.ts";
import type { Flow } from "./settlement/layout.ts";
import { type Losses, tidy } from "./sparse-routes/pruning.ts";
import { type RealOutputs, realOutputs } from "./sparse-routes/real-outputs/fallback.ts";
import type { Support } from "./sparse-routes/support.ts";
import { type ChoiceRules, chooseLegs, type LegRules } from "./sparse-routes/support-search.ts";

/** A judged route with what proves it: no route pays more than `bound`, or why nothing is proved. */
export type Sale = Judged & {
  readonly bound: bigint | string;
  /** The bounds of the optimum's prices for the sale of `amount`, where the search asked for them. */
  readonly proved?: { readonly amount: bigint; readonly bounds: Bounds | Unproved };
};

/** What an order may gain by arbitrage, as a share of its optimum, above which prices say little, and sets are found by real outputs. */
const ASTRAY = 1;

/**
 * What an order may gain by arbitrage that it can reach, as a share of its optimum, above which sets found by real outputs alone are
 * tried besides the optimum's: where legs cost gas, and where they are free.
 */
const NOTABLE = { paid: 2e-3, free: 2e-2 };

/** Share of its bound that an optimum may be short of and is sure. */
const NEAR = 1e-3;
/** Share of its bound that the route of an optimum that is not sure may be short of and still needs no sets found by real outputs. */
const NEAR_UNSURE = 2e-2;

/** Share that a route of free legs may be short of the optimum, as it is and once it is tidied, and legs that are few. */
const DONE = 9e-7;
const TIDY = 3e-5;
/** The same under a cap, where routes of other arrangements compete with as few legs. */
const TIDY_CAPPED = 9e-7;
const FEW = 12;
/** Legs of an optimum beyond which a choice of few is no match for it, where all are allowed and free. */
const MOST_CHOSEN = 150;
/** Sets of legs that are settled exactly, and where rounding takes more than a share, so that luck decides. */
const JUDGED = 6;
const JUDGED_COARSE = 20;
const COARSE = 3e-7;
/** Share of the amount out by which a set is below the best route so far, by estimate, and is not settled. */
const HOPELESS = 1e-5;

/** The best route that sells `amount`. */
export function sell(query: Query, amount: bigint): Sale | undefined {
  const { graph, workspace, to } = query;
  const demand = demandOf(query, amount);
  const unit = graph.values.ref[to]!;
  const rules = { perGas: query.outPerGas * unit, cap: legCap(query) };
  const market = graph.arbitrageFree.market ?? graph;
  const optimum = findOptimum(market, workspace, demand, legsOf(rules));
  const { share, reachable, edges: gaining } = arbitrageOf(query, demand, rules, optimum);
  const flows: Flow[] = [...workspace.primalFlow.flows].map(([edge, sent]) => ({ edge, amount: sent }));
  const sure = isSure(optimum);
  const isEnough = (optimum?.bound !== undefined && share < ASTRAY) || demand.late();
  const { sets: realSets, values } = isEnough ? NOTHING_REAL : realOutputsOf(query, demand, rules);
  const whole = flows.length <= rules.cap && rules.perGas === 0;
  let best = whole ? wholeRoute(query, { flows, amount, optimum, sure }) : undefined;
  best = bestOf(query, realSets, { amount, best });
  if (!whole || !sure || gaining.length > 0 || isShort(best, optimum, { ...rules, unit })) {
    best = fewLegs(query, demand, { ...rules, market, gaining, realSets, values, optimum, amount, best });
  }
  const bound = boundOf(optimum, unit);
  return orWithoutPrices(query, demand, rules, {
    amount,
    best,
    bound,
    sure,
    share: isEnough ? reachable : undefined,
  });
}

/** The best route so far, its bound, and whether the optimum is near its own. */
type Found = {
  readonly amount: bigint;
  readonly best: Judged | undefined;
  readonly bound: bigint | string;
  readonly sure: boolean;
  /** What the order may gain by arbitrage that it reaches as a share of it; undefined where real outputs were searched. */
  readonly share: number | undefined;
};

/**
 * The best route so far or, where arbitrage is notable or the optimum is not near its bound, and the route is not proved to be near
 * the best, one that real outputs alone find.
 */
function orWithoutPrices(query: Query, demand: Demand, rules: LegRules, found: Found): Sale | undefined {
  const { amount, best, bound, sure, share } = found;
  if (share === undefined || demand.late()) return best && { ...best, bound };
  const isNotable = share > (rules.perGas > 0 ? NOTABLE.paid : NOTABLE.free);
  if (sure && !isNotable && best !== undefined) return { ...best, bound };
  const bounds = boundsAt(query, query.workspace.dual, amount);
  const isEnough = isProved(query, best, bounds, isNotable ? 0 : NEAR_UNSURE);
  const judged = isEnough ? best : withoutPrices(query, demand, rules, found);
  return judged && { ...judged, bound, proved: { amount, bounds } };
}

/** Whether the optimum is near its bound. */
function isSure(optimum: Optimum | undefined): boolean {
  return optimum?.bound !== undefined && optimum.delivered > (1 - NEAR) * optimum.bound;
}

/** The best of a route and of what is found without an optimum, by real outputs alone. */
function withoutPrices(
  query: Query,
  demand: Demand,
  rules: LegRules,
  { amount, best }: Found,
): Judged | undefined {
  const { sets: realSets, values } = realOutputsOf(query, demand, rules);
  const found = bestOf(query, realSets, { amount, best });
  const choosing = { ...rules, market: query.graph, gaining: [], realSets, values };
  return fewLegs(query, demand, { ...choosing, optimum: undefined, amount, best: found });
}

const NOTHING_REAL = { sets: [], values: undefined };

function realOutputsOf({ graph, workspace, request }: Query, demand: Demand, rules: LegRules): RealOutputs {
  return realOutputs(graph, workspace, demand, { ...rules, hops: request.maxHops });
}

/** What the order may gain by arbitrage beside its optimum. */
function arbitrageOf(
  { graph, workspace }: Query,
  demand: Demand,
  rules: LegRules,
  optimum: Optimum | undefined,
): Arbitrage {
  if (optimum === undefined) return NO_ARBITRAGE;
  const { delivered } = optimum;
  return takeArbitrage(graph, workspace, demand, {
    ...rules,
    delivered,
    scale: scaleOf(graph, workspace.dual),
  });
}

function legsOf({ perGas, cap }: LegRules): Legs {
  if (perGas > 0) return "paid";
  return cap < Infinity ? "capped" : "free";
}

/** The best of a route and of sets of flows, as far as there is time. */
function bestOf(
  query: Query,
  sets: readonly (readonly Flow[])[],
  { amount, best }: { readonly amount: bigint; readonly best: Judged | undefined },
): Judged | undefined {
  let found = best;
  for (const set of sets) {
    if (found !== undefined && query.late()) break;
    found = better(found, tryOut(query, set, amount));
  }
  return found;
}

/**
 * Whether the time is up, and there is nothing to choose from, or what was found needs no choice of legs: where gas counts,
 * many legs may cost more than they bring.
 */
function isOver({ late }: Demand, { best, optimum, perGas }: Omit<Choosing, "amount">): boolean {
  return (optimum === undefined || (best !== undefined && perGas === 0)) && late();
}

/** Whether a route is short of the optimum by what a choice of few legs might win back. */
function isShort(
  best: Judged | undefined,
  optimum: Optimum | undefined,
  { cap, unit }: { readonly cap: number; readonly unit: number },
): boolean {
  if (best !== undefined && best.route.steps.length > MOST_CHOSEN) return false;
  return shortOf(best, optimum, unit) > (cap < Infinity ? TIDY_CAPPED : TIDY);
}

type Choosing = Omit<ChoiceRules, "gasOf" | "ends"> & {
  readonly amount: bigint;
  readonly best: Judged | undefined;
  readonly optimum: Optimum | undefined;
};

/** The best of a route in hand and of those over few legs. */
function fewLegs(
  query: Query,
  demand: Demand,
  { amount, best, optimum, ...rules }: Choosing,
): Judged | undefined {
  if (isOver(demand, { ...rules, best, optimum })) return best;
  const { graph, workspace, to } = query;
  const settled = new Map<readonly Flow[], Judged | undefined>();
  const settle = (flows: readonly Flow[]) => {
    if (!settled.has(flows)) settled.set(flows, tryOut(query, flows, amount));
    return settled.get(flows);
  };
  const gasOf = (flows: readonly Flow[]) => gasByEdge(settle(flows));
  const { ends, request } = query;
  const choices = chooseLegs(graph, workspace, demand, { ...rules, cap: mostLegs(request), ends, gasOf });
  let found = best;
  const most = isCoarse(choices, rules) ? JUDGED_COARSE : JUDGED;
  const unit = graph.values.ref[to]!;
  let tried = 0;
  for (const { flows, net } of choices.slice(0, most)) {
    if (found !== undefined && tried > 0 && demand.late()) break;
    if (isHopeless(net / unit, found)) break;
    found = better(found, settle(flows));
    tried++;
  }
  noteEstimates(query, choices.slice(tried), unit);
  return found;
}

/** Whether what is expected of a set, in units of the token bought, is well below the best so far. */
function isHopeless(net: number, best: Judged | undefined): boolean {
  return best !== undefined && net - Number(best.net) < -HOPELESS * Number(best.route.amountOut);
}

function isCoarse([first]: readonly Support[], { perGas }: LegRules): boolean {
  return first !== undefined && perGas === 0 && first.value - first.net > COARSE * first.value;
}

function gasByEdge(judged: Judged | undefined): ReadonlyMap<number, number> | undefined {
  return judged && new Map(judged.plan.map(({ edge }, k) => [edge, judged.route.steps[k]!.gas]));
}

type Whole = {
  readonly flows: readonly Flow[];
  readonly amount: bigint;
  readonly optimum: Optimum | undefined;
  readonly sure: boolean;
};

/** The optimum as it is; tidied where it is sure, and rounding takes of it. */
function wholeRoute(query: Query, { flows, amount, optimum, sure }: Whole): Judged | undefined {
  const { graph, workspace, to } = query;
  const unit = graph.values.ref[to]!;
  const best = flows.length > 0 ? tryOut(query, flows, amount) : undefined;
  if (!sure || lateToSettle(query, flows.length) || shortOf(best, optimum, unit) <= DONE) return best;
  const tidied = tidy(graph, workspace, flows, { losses: lossesOf(graph, best), late: query.late });
  if (tidied === undefined || isHopeless(tidied.net / unit, best)) return best;
  if (best !== undefined && lateToSettle(query, tidied.flows.length)) return best;
  return better(best, tryOut(query, tidied.flows, amount));
}

/** By edge, how much less a settled step paid than its curve says. */
function lossesOf({ curves }: Graph, judged: Judged | undefined): Losses {
  const losses = new Map<number, number>();
  for (const [k, { edge }] of (judged?.plan ?? []).entries()) {
    if (edge < 0) continue;
    const { amountIn, amountOut } = judged!.route.steps[k]!;
    losses.set(edge, outputAt(curves, edge, Number(amountIn)) - Number(amountOut));
  }
  return losses;
}

/**
 * What a route is short of the bound, as a share of it; of many legs, what rounding took of what they deliver in doubles,
 * as that costs little to put right.
 */
function shortOf(best: Judged | undefined, optimum: Optimum | undefined, unit: number): number {
  if (best === undefined || optimum?.bound === undefined) return 1;
  const most = best.route.steps.length > FEW ? optimum.delivered : optimum.bound;
  return 1 - (Number(best.route.amountOut) * unit) / most;
}

function boundOf(optimum: Optimum | undefined, unit: number): bigint | string {
  if (optimum?.bound === undefined) return "some cycle of pools pays";
  return toUnits(optimum.bound / unit);
}

/** Judges flows. @returns the route, unless it has more legs than asked for */
function tryOut(query: Query, flows: readonly Flow[], amount: bigint): Judged | undefined {
  const { request, workspace } = query;
  const began = request.now();
  const judged = judge(query, flows, amount);
  const legs = judged?.route.steps.length ?? 0;
  learnPace(workspace, legs, request.now() - began);
  if (judged !== undefined) noteCandidate(query, judged);
  return request.maxLegs > 0 && legs > request.maxLegs ? undefined : judged;
}

/** Legs allowed but for the wraps at the ends. */
function legCap({ request, ends }: Query): number {
  const wraps = Number(ends.tokenIn === NATIVE) + Number(ends.tokenOut === NATIVE);
  return Math.max(1, mostLegs(request) - wraps);
}

function toUnits(amount: number): bigint | string {
  return amount > 0 && amount < Number.MAX_VALUE ? BigInt(Math.ceil(amount)) : "no bound was found";
}
