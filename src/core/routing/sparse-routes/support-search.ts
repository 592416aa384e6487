/**
 * Sparse routes: the best route of few legs, where each leg costs gas.
 *
 * In:  the flows and prices of the convex optimum, a cap K on the legs, and what a unit of gas is worth.
 * Out: supports S, sets of edges with their best flows, the most promising first, of
 *          maximise over S, |S| ≤ K   ( what the best flows over S deliver ) - Σ_{e in S} θ_e
 *      which is a mixed-integer problem: the search is heuristic, the certificate says how far from the best it ended.
 * A support is solved by Newton's method on its dual (`support.ts`). Removing e loses at least what e earns at the support's
 * prices, and adding e gains at most that: most moves are decided without being solved (`moves.ts`, `exchanges.ts`).
 * Reference: Angeris, Evans, Chitra, Boyd, "Optimal Routing for Constant Function Market Makers", arXiv 2204.05238, on fixed costs.
 */
import { rankPaths } from "../column-generation/initial-columns.ts";
import { priceOfBest } from "../column-generation/ranking.ts";
import type { ColumnWorkspace } from "../column-generation/stopping.ts";
import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds, beginProblem, dropDeadEnds } from "../convex/problem.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Ends, Flow } from "../settlement/layout.ts";
import { bestSinglePath, fillGreedily } from "./equal-pieces.ts";
import { worthOf } from "./exchanges.ts";
import { addFrugal } from "./gas-candidates.ts";
import { improve, withinCap } from "./moves.ts";
import { distinct, type Kind, startsOf } from "./ranked-supports.ts";
import { gainingWays } from "./real-outputs/gaining-ways.ts";
import { type Pick, type Picker, pick, pricesAlong, weigh, wrapsOf } from "./support.ts";
import { type GasOf, learnCrossings, trim } from "./tick-costs.ts";

export type LegRules = {
  /** Value of one unit of gas; 0 where gas is free. */
  readonly perGas: number;
  /** Legs allowed; Infinity for no cap. */
  readonly cap: number;
};

export type ChoiceRules = LegRules & {
  /** The market without its arbitrage, by whose prices paths are ranked. */
  readonly market: Graph;
  /** Edges by which the order may gain, and those around them, which the choice is made from, too; [] where nothing gains. */
  readonly gaining: readonly number[];
  /** The order's ends as the request spells them. */
  readonly ends: Ends;
  /** Flows that real outputs found. */
  readonly realSets: readonly (readonly Flow[])[];
  /** What tokens are worth, by node of the graph, where the prices of the optimum contradict each other. */
  readonly values: Float64Array | undefined;
  /** Settles flows exactly. @returns the gas of each edge; undefined where they cannot be settled */
  readonly gasOf: (flows: readonly Flow[]) => GasOf | undefined;
};

/** Edges of the optimum and of the first problem that the choice is made from. */
const FROM_OPTIMUM = 150;
const FROM_START = 100;
/** Gas of a typical hop, and the most of an order's value that its hops are taken to cost. */
const GAS_A_HOP = 75_000;
const MOST_GAS_SHARE = 0.9;
/** Hops of the longest path that is sent along: where arbitrage gains, longer ones pay. */
const HOPS = { usual: 4, gaining: 12 };
/** What rounding takes of each leg's output, in smallest units. */
const ROUNDING = 0.6;
/** Numbers of equal pieces that are sent one after the other, each its best way. */
const PIECES = [2, 4, 8, 16, 32];
/** Share that a set may be short of the optimum so that pieces which go the same ways as larger ones are the last, where legs are free. */
const SHORT = 1e-5;
/** Sets that are held short of segments. */
const TRIMMED = 2;
/** In haste: what is ranked, the share that each hop costs at least, and what sets are made of. */
const HASTY = { most: FROM_START, fewest: 10, range: 1e-3 };
const HASTY_HOP = 1e-3;
const HASTY_EDGES = 16;
const HASTY_PIECES = { chunks: 8, hops: 6 };

/**
 * The best few legs after the whole optimum was found: the best single path, the sets that pieces sent one by one
 * use, what is left of the optimum when the least useful edges go step by step, and what exchanges of edges make of
 * the best of them. Where the time is up at the beginning, what is quick of that.
 *
 * @returns sets to be judged exactly, the best by estimate first
 */
export function chooseLegs(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  rules: ChoiceRules,
): readonly Pick[] {
  const isHasty = demand.late();
  const picker = narrow(graph, workspace, demand, { ...rules, isHasty });
  if (picker === undefined) return [];
  const path = singlePath(picker);
  if (isHasty) return inHaste(picker, path);
  const left = eliminated(picker);
  const simple = [...left, ...inPieces(picker, rules, left), ...alongRealSets(picker, rules)];
  const long = rules.gaining.length > 0 ? gainingWays(picker, [path, ...simple]) : [];
  const others = [...simple, ...long];
  const begun = distinct([path, ...others].flatMap((one) => withinCap(picker, one)));
  if (picker.late()) return distinct([...begun, ...inHaste(picker, path)]);
  const sorted = weighed(picker, rules, begun);
  const again = withPath(picker, sorted);
  const passed = new Set<string>();
  const improved = startsOf(again, kindOf(rules)).map((from) => improve(picker, from, passed));
  const known = weighed(picker, rules, distinct([...improved, ...again]));
  return rules.perGas > 0
    ? distinct([...known.slice(0, TRIMMED).flatMap((from) => trim(picker, from)), ...known])
    : known;
}

function kindOf({ perGas, gaining, realSets }: ChoiceRules): Kind {
  if (realSets.length > 0) return "other";
  if (gaining.length > 0) return "gaining";
  return perGas > 0 ? "paid" : "other";
}

/** The path, what a few pieces use, and the heaviest edges of the optimum: each is solved in a blink. */
function inHaste(picker: Picker, path: Pick): readonly Pick[] {
  if (path.net > -Infinity && picker.cap <= path.legs) return [path];
  const heaviest = picker.optimum.slice(0, Math.min(picker.cap, HASTY_EDGES));
  return distinct([path, pick(picker, heaviest), sendEqual(picker, HASTY_PIECES)]);
}

/** What the realSets flows' edges carry at best. */
function alongRealSets(picker: Picker, { realSets }: ChoiceRules): Pick[] {
  const { graph, workspace } = picker;
  const picks: Pick[] = [];
  for (const set of realSets) {
    if (picker.late()) break;
    const near = { prices: pricesAlong(graph, workspace.problem, workspace.scratch, set), limits: new Map() };
    picks.push(pick(picker, placesOf(workspace, set), near));
  }
  return picks;
}

/** Picks with the gas of the segments that they cross, which is known once the best of them is settled. */
function weighed(picker: Picker, { perGas, gasOf }: ChoiceRules, picks: readonly Pick[]): readonly Pick[] {
  const flows = picks[0]?.flows;
  if (flows === undefined || perGas === 0 || picker.late()) return picks;
  const gas = gasOf(flows);
  if (gas === undefined || !learnCrossings(picker, flows, gas, perGas)) return picks;
  picker.tried.clear();
  return distinct(picks.map((one) => weigh(picker, one)));
}

/** These sets, with the best single path where that is another now that it is known what crossing segments costs. */
function withPath(picker: Picker, picks: readonly Pick[]): readonly Pick[] {
  if (picker.late() || !picker.crossing.some((one) => one > 0)) return picks;
  const path = singlePath(picker);
  const isKnown = picks.some(({ edges }) => edges.join() === path.edges.join());
  return isKnown ? picks : distinct([path, ...picks]);
}

/** Makes the problem small: the edges that carry most in the optimum, and the most promising of the start. */
function narrow(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  rules: ChoiceRules & { readonly isHasty: boolean },
): Picker | undefined {
  const { problem, scratch, primalFlow, ranked } = workspace;
  rankFrugally(rules.market, workspace, demand, rules);
  const prices = new Map<number, number>();
  for (let n = 0; n < problem.nodes; n++) prices.set(problem.node[n]!, problem.price[n]!);
  const { ref } = graph.values;
  const carried = [...primalFlow.flows]
    .map(([edge, sent]) => ({ edge, value: sent * ref[graph.tail[edge]!]! }))
    .sort((a, b) => b.value - a.value || a.edge - b.edge)
    .slice(0, FROM_OPTIMUM);
  const bar = priceOfBest(ranked, FROM_START);
  const promising = [...ranked.price.subarray(0, ranked.count).keys()]
    .filter((k) => ranked.price[k]! >= bar)
    .sort((a, b) => ranked.price[b]! - ranked.price[a]! || a - b)
    .slice(0, FROM_START)
    .map((k) => ({ edge: ranked.edge[k]! }));
  beginProblem(problem, graph, scratch, { from: demand.from, to: demand.to, supply: problem.supply });
  const priceOf = (node: number) => prices.get(node) ?? scratch.back[node]!;
  const gaining = rules.gaining.map((edge) => ({ edge }));
  for (const { edge } of [...carried, ...promising, ...gaining, ...rules.realSets.flat()]) {
    addEdgeWithEnds(problem, graph, scratch, { edge, priceOf });
  }
  if (rules.perGas > 0 && !rules.isHasty)
    addFrugal(graph, workspace, demand, { carried, perGas: rules.perGas });
  dropDeadEnds(problem, scratch);
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    problem.price[n] = rules.values?.[node] || (prices.get(node) ?? problem.price[n]!);
  }
  if (problem.edges === 0) return undefined;
  const optimum = placesOf(workspace, carried);
  const cost = costs(graph, workspace, rules.perGas);
  const crossing = new Float64Array(problem.edges);
  const memory = { tried: new Map(), worths: new WeakMap() };
  const { cap } = rules;
  const found = { cost, crossing, optimum, ...memory, late: demand.late };
  return { graph, workspace, cap, ...wrapsOf(graph, problem, rules.ends), ...pathsOf(rules), ...found };
}

type Searching = { readonly hops: number; readonly isDirect: boolean; readonly isCertain: boolean };

/** How additions and paths are searched for: where real outputs found sets, or arbitrage gains, prices contradict each other. */
function pathsOf({ gaining, realSets }: ChoiceRules): Searching {
  const [gains, isDirect] = [gaining.length > 0, realSets.length === 0];
  return { hops: gains ? HOPS.gaining : HOPS.usual, isDirect, isCertain: isDirect && !gains };
}

/** The places in the problem of the edges that are in it. */
function placesOf({ scratch }: ColumnWorkspace, flows: readonly { readonly edge: number }[]): number[] {
  return flows.map(({ edge }) => scratch.inProblem[edge]! - 1).filter((place) => place >= 0);
}

/** Ranks the paths that are best for the whole order where each hop costs gas: they are short. */
function rankFrugally(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  { perGas, isHasty }: { readonly perGas: number; readonly isHasty: boolean },
): void {
  const { supply } = workspace.problem;
  const least = isHasty ? HASTY_HOP : 0;
  const keep = 1 - Math.min(MOST_GAS_SHARE, Math.max(least, (GAS_A_HOP * perGas) / supply));
  rankPaths(graph, workspace, demand, { supply, keep, firstOf: isHasty ? () => HASTY : undefined });
}

/** What each leg costs in value: its gas, and the unit that rounding takes. */
function costs(graph: Graph, { problem }: ColumnWorkspace, perGas: number): Float64Array {
  const cost = new Float64Array(problem.edges);
  for (let e = 0; e < problem.edges; e++) {
    const unit = problem.ref[problem.head[e]!]! * problem.price[problem.head[e]!]!;
    cost[e] = graph.gas[problem.edge[e]!]! * perGas + ROUNDING * unit;
  }
  return cost;
}

/** A trade smaller than its gas is still the caller's to make: then the path that pays most. */
function singlePath(picker: Picker): Pick {
  const { graph, workspace } = picker;
  return pick(picker, bestSinglePath(workspace.problem, graph, picker, picker));
}

/**
 * The sets that equal pieces use, each sent the way that pays most after those before it, until smaller ones go the same ways.
 *
 * @param known sets that may be near the optimum
 */
function inPieces(picker: Picker, { perGas }: LegRules, known: readonly Pick[]): Pick[] {
  const { kept } = picker.workspace.primalFlow;
  const picks: Pick[] = [];
  for (const chunks of PIECES) {
    if (picker.late()) break;
    const found = sendEqual(picker, { chunks, hops: picker.hops });
    const isEnough = perGas > 0 || [found, ...known].some(({ net }) => net > (1 - SHORT) * kept);
    if (found === picks.at(-1) && isEnough) break;
    picks.push(found);
  }
  return picks;
}

function sendEqual(picker: Picker, sent: { readonly chunks: number; readonly hops: number }): Pick {
  const { graph, workspace, cap, isDirect } = picker;
  return pick(picker, fillGreedily(workspace.problem, graph, picker, { ...sent, isDirect, legs: cap }));
}

/** Share of the edges over the cap that go at once, and the least number that ends in single steps. */
const AT_ONCE = 0.5;

/** What is left of the optimum when edges that earn less than they cost go, and the least useful until the cap holds. */
function eliminated(picker: Picker): Pick[] {
  const picks: Pick[] = [];
  let from = pick(picker, picker.optimum);
  while (from.edges.length > 1 && !picker.late()) {
    picks.push(from);
    const ranked = from.edges
      .map((e) => ({ e, worth: worthOf(picker, from, e) }))
      .sort((a, b) => a.worth - b.worth);
    const over = from.legs - picker.cap;
    const losing = ranked.filter(({ worth }) => worth < 0).length;
    const gone = Math.max(over > 0 ? Math.ceil(over * AT_ONCE) : 0, Math.ceil(losing * AT_ONCE));
    if (gone === 0) break;
    const next = pick(
      picker,
      ranked.slice(gone).map(({ e }) => e),
    );
    if (next.edges.length === 0 || next.edges.length >= from.edges.length) break;
    from = next;
  }
  return picks;
}
