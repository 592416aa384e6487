import { noteCandidate, noteEstimates } from "./account.ts";
import { boundOf, boundsAt, isProved } from "./bounds.ts";
import { scaleOf } from "./certificate/local/local.ts";
import { type Arbitrage, NO_ARBITRAGE, takeArbitrage } from "./column-generation/arbitrage.ts";
import { findOptimum, type Optimum } from "./column-generation/optimum.ts";
import type { Demand } from "./convex/problem.ts";
import { outputAt } from "./curves/segments.ts";
import type { Graph } from "./market-graph/graph.ts";
import {
  demandOf,
  lateToSettle,
  learnPace,
  legCap,
  legsOf,
  mostLegs,
  type Query,
  reservedMs,
} from "./request.ts";
import type { Sale } from "./sale.ts";
import { better, type Judged, judge } from "./settlement/evaluate.ts";
import type { Flow } from "./settlement/layout.ts";
import { type Losses, tidy } from "./sparse-routes/pruning.ts";
import { type RealOutputs, realOutputs } from "./sparse-routes/real-outputs/fallback.ts";
import type { Support } from "./sparse-routes/support.ts";
import { type ChoiceRules, chooseLegs, type LegRules } from "./sparse-routes/support-search.ts";

/** If reachable arbitrage exceeds this share of the optimum, prices say little and supports are found by real outputs first. */
const ASTRAY = 1;

/** With more reachable arbitrage than this share of the optimum, supports found by real outputs are tried too: gas counted, and free. */
const NOTABLE = { paid: 2e-3, free: 2e-2 };

/** An optimum within this share of its bound counts as sure. */
const NEAR = 1e-3;
/** If the optimum is not sure, a route within this share of its bound still needs no supports found by real outputs. */
const NEAR_UNSURE = 2e-2;

/** With free legs, a route within these shares of the optimum is final: as it is, and after pruning; and the number of legs that is few. */
const DONE = 9e-7;
const TIDY = 3e-5;
/** Under a cap, a route within this share of the optimum is final: other arrangements of few legs compete with it. */
const TIDY_CAPPED = 9e-7;
const FEW = 12;
/** If a route of free legs has more legs than this, choosing few legs is not tried: it could not compete. */
const MOST_CHOSEN = 150;
/** Number of supports that are settled exactly; more if rounding costs more than the share `COARSE`, so that it decides. */
const JUDGED = 6;
const JUDGED_COARSE = 20;
const COARSE = 3e-7;
/** A support whose estimate is below the best route by more than this share of the amount out is not settled. */
const HOPELESS = 1e-5;

/** The best route that the convex problem, the choice of few legs and, where needed, real outputs find. */
export function searchedSale(query: Query, amount: bigint): Sale | undefined {
  const { graph, workspace, to } = query;
  const demand = demandOf(query, amount);
  const unit = graph.values.ref[to]!;
  const rules = { perGas: query.outPerGas * unit, cap: legCap(query) };
  const market = graph.arbitrageFree.market ?? graph;
  const keptMs = reservedMs(query);
  const late = () => demand.late() || query.late(keptMs);
  const optimum = findOptimum(market, workspace, { ...demand, late }, legsOf(query));
  const isCut = late();
  if (isCut) query.progress.isCut = true;
  const { reachable, edges: gaining } = arbitrageOf(query, demand, rules, optimum);
  const flows: Flow[] = [...workspace.primalFlow.flows].map(([edge, sent]) => ({ edge, amount: sent }));
  const sure = isSure(optimum);
  const isEnough = (optimum?.bound !== undefined && reachable < ASTRAY) || isCut || demand.late();
  const { sets: realSets, values } = isEnough ? NOTHING_REAL : realOutputsOf(query, demand, rules);
  const whole = flows.length <= rules.cap && rules.perGas === 0;
  let best = whole ? wholeRoute(query, { flows, amount, optimum, sure }) : undefined;
  best = bestOf(query, realSets, { amount, best });
  if (!whole || !sure || gaining.length > 0 || isShort(best, optimum, { ...rules, unit })) {
    const choosing = { ...rules, isCut, market, gaining, realSets, values };
    best = fewLegs(query, demand, { ...choosing, optimum, amount, best });
  }
  const bound = boundOf(optimum?.bound, unit);
  return orWithoutPrices(query, demand, rules, {
    amount,
    best,
    bound,
    isCut,
    sure,
    reachable,
    isAstray: !isEnough,
  });
}

/** The best route so far, the convex bound, and whether the optimum is sure. */
type Found = {
  readonly amount: bigint;
  readonly best: Judged | undefined;
  readonly bound: bigint | string;
  readonly isCut: boolean;
  readonly sure: boolean;
  /** Reachable arbitrage as a share of the optimum. */
  readonly reachable: number;
  /** Whether supports were found by real outputs already. */
  readonly isAstray: boolean;
};

/**
 * The best route so far, or one that real outputs find. These are searched if arbitrage is notable or the optimum is not sure, and
 * the route is not proved to be near the best.
 */
function orWithoutPrices(query: Query, demand: Demand, rules: LegRules, found: Found): Sale | undefined {
  const { amount, best, bound, isCut, sure, reachable, isAstray } = found;
  const said = { bound, isCut, reachable };
  if (isAstray || isCut || demand.late()) return best && { ...best, ...said };
  const isNotable = reachable > (rules.perGas > 0 ? NOTABLE.paid : NOTABLE.free);
  if (sure && !isNotable && best !== undefined) return { ...best, ...said };
  const bounds = boundsAt(query, query.workspace.dual, amount);
  const isEnough = isProved(query, best, bounds, isNotable ? 0 : NEAR_UNSURE);
  const judged = isEnough ? best : withoutPrices(query, demand, rules, found);
  return judged && { ...judged, ...said, proved: { amount, bounds, staysPut: false } };
}

/** Whether the optimum is near its convex bound. */
function isSure(optimum: Optimum | undefined): boolean {
  return optimum?.bound !== undefined && optimum.delivered > (1 - NEAR) * optimum.bound;
}

/** The better of a route and what real outputs find without an optimum. */
function withoutPrices(
  query: Query,
  demand: Demand,
  rules: LegRules,
  { amount, best }: Found,
): Judged | undefined {
  const { sets: realSets, values } = realOutputsOf(query, demand, rules);
  const found = bestOf(query, realSets, { amount, best });
  const choosing = { ...rules, isCut: false, market: query.graph, gaining: [], realSets, values };
  return fewLegs(query, demand, { ...choosing, optimum: undefined, amount, best: found });
}

const NOTHING_REAL = { sets: [], values: undefined };

function realOutputsOf({ graph, workspace, request }: Query, demand: Demand, rules: LegRules): RealOutputs {
  return realOutputs(graph, workspace, demand, { ...rules, hops: request.maxHops });
}

/** The arbitrage that the order may gain in addition to its optimum. */
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

/** The best of a route and of sets of flows, which are settled in order until the deadline. */
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
 * Whether the deadline has passed and choosing few legs can be skipped: there is nothing to choose from, or a route exists and
 * gas is not counted. If gas counts, many legs may cost more than they bring.
 */
function isOver({ late }: Demand, { best, optimum, perGas }: Omit<Choosing, "amount">): boolean {
  return (optimum === undefined || (best !== undefined && perGas === 0)) && late();
}

/** Whether a route is so far below the optimum that a choice of few legs may be better. */
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

/** The best of a known route and the routes of few legs that the support search finds. */
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

/** Whether the estimate of a support, in units of the token bought, is well below the best route. */
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

/** The route of the whole optimum; pruned if the optimum is sure and rounding costs much. */
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

/** By edge, how much less its settled step paid than its curve says, in smallest units. */
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
 * The share by which a route is below the convex bound; if it has many legs, below the optimum in doubles, that is what rounding
 * cost, which pruning can repair.
 */
function shortOf(best: Judged | undefined, optimum: Optimum | undefined, unit: number): number {
  if (best === undefined || optimum?.bound === undefined) return 1;
  const most = best.route.steps.length > FEW ? optimum.delivered : optimum.bound;
  return 1 - (Number(best.route.amountOut) * unit) / most;
}

/** Settles flows. @returns the route, unless it has more legs than allowed */
function tryOut(query: Query, flows: readonly Flow[], amount: bigint): Judged | undefined {
  const { request, workspace } = query;
  const began = request.now();
  const judged = judge(query, flows, amount);
  const legs = judged?.route.steps.length ?? 0;
  learnPace(workspace, legs, request.now() - began);
  if (judged !== undefined) noteCandidate(query, judged);
  return request.maxLegs > 0 && legs > request.maxLegs ? undefined : judged;
}
