/**
 * Sparse routes: the best route of few legs, each of which costs gas.
 *
 * In:  the flows and prices of the convex optimum, a cap K on the number of legs, and the value of a unit of gas.
 * Out: supports S, sets of edges with their optimal flows, by falling estimate, for
 *          maximise over S, |S| ≤ K   ( value that the optimal flows over S pay ) - Σ_{e in S} θ_e
 *      This is a mixed-integer problem. The search is heuristic; the certificate bounds its error.
 * A support is solved by Newton's method on its dual (`support.ts`). Removing e loses at least what e earns at the support's
 * prices, and adding e gains at most that, so most moves are rejected without being solved (`moves.ts`, `exchanges.ts`).
 * Reference: Angeris, Evans, Chitra, Boyd, "Optimal Routing for Constant Function Market Makers", arXiv 2204.05238, on fixed costs.
 */
import { rankPaths } from "../column-generation/initial-columns.ts";
import { bestRanked } from "../column-generation/ranking.ts";
import type { ColumnWorkspace } from "../column-generation/stopping.ts";
import type { Demand } from "../convex/problem.ts";
import { addEdgeWithEnds, beginProblem, dropDeadEnds } from "../convex/problem.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Ends, Flow } from "../settlement/layout.ts";
import { fillGreedily } from "./equal-pieces.ts";
import { worthOf } from "./exchanges.ts";
import { addFrugal } from "./gas-candidates.ts";
import { improve, withinCap } from "./moves.ts";
import { distinct, type Kind, startsOf } from "./ranked-supports.ts";
import { gainingWays } from "./real-outputs/gaining-ways.ts";
import { singlePath } from "./single-path.ts";
import { type LegChoice, pricesAlong, type Support, solveSupport, weigh, wrapsOf } from "./support.ts";
import { type GasOf, heldShort, learnCrossings } from "./tick-costs.ts";

export type LegRules = {
  /** Value of one unit of gas; 0 if gas is free. */
  readonly perGas: number;
  /** Cap on the number of legs; Infinity = none. */
  readonly cap: number;
};

export type ChoiceRules = LegRules & {
  /** Whether the optimum's search was cut short, so that neither its prices nor its flows say much. */
  readonly isCut: boolean;
  /** The arbitrage-free market, whose prices rank paths. */
  readonly market: Graph;
  /** Candidate edges with arbitrage for the order, and edges of paths to and from these; [] if there is none. */
  readonly gaining: readonly number[];
  /** The order's tokens as the request names them: the native coin or its wrapped form. */
  readonly ends: Ends;
  /** Sets of flows found by real outputs. Their edges are candidates, and each set is a start. */
  readonly realSets: readonly (readonly Flow[])[];
  /** By node of the graph, values of tokens that initialise prices if those of the optimum are of no use. */
  readonly values: Float64Array | undefined;
  /** Settles flows exactly. @returns the gas of each edge; undefined if they cannot be settled */
  readonly gasOf: (flows: readonly Flow[]) => GasOf | undefined;
};

/** Numbers of edges of the optimum, and of the best-ranked paths, that are candidates. */
const FROM_OPTIMUM = 150;
const FROM_START = 100;
/** For the ranking of paths: units of gas of a typical hop, and the largest share of the order that a hop costs. */
const GAS_A_HOP = 75_000;
const MOST_GAS_SHARE = 0.9;
/** Hops of the longest path of a piece: with arbitrage, longer ones are profitable. */
const HOPS = { usual: 4, gaining: 12 };
/** Expected loss of each leg's output by integer rounding, in smallest units. */
const ROUNDING = 0.6;
/** Numbers of equal pieces into which the order is divided, each sent along its best path. */
const PIECES = [2, 4, 8, 16, 32];
/** Number of the improved supports, the best first, that are improved once more with all additions that share no edge. */
const THOROUGH = 4;
/**
 * With free legs, smaller pieces are tried until they repeat the paths of larger ones and a support is within this
 * share of the optimum.
 */
const SHORT = 1e-5;
/** After the deadline: edges that are ranked, least cost of a hop as a share, edges of a support, and pieces. */
const HASTY = { most: FROM_START, fewest: 10, range: 1e-3 };
const HASTY_HOP = 1e-3;
const HASTY_EDGES = 16;
const HASTY_PIECES = { chunks: 8, hops: 6 };

/**
 * Chooses few legs after the optimum was found. It starts from the best single path, the edges that equal pieces use,
 * the optimum without its least useful edges, and sets found by real outputs; the best of these are improved by moves.
 * After the deadline only the quickest starts are solved.
 *
 * @returns supports to settle exactly, by falling estimate
 */
export function chooseLegs(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  rules: ChoiceRules,
): readonly Support[] {
  const isHasty = demand.late();
  const choice = narrow(graph, workspace, demand, { ...rules, isHasty });
  if (choice === undefined) return [];
  const path = singlePath(choice);
  if (isHasty) return inHaste(choice, path);
  const left = rules.isCut ? inHaste(choice, path) : eliminated(choice);
  const simple = [...left, ...inPieces(choice, rules, left), ...alongRealSets(choice, rules)];
  const long = rules.gaining.length > 0 ? gainingWays(choice, [path, ...simple]) : [];
  const others = [...simple, ...long];
  const begun = distinct([path, ...others].flatMap((one) => withinCap(choice, one)));
  if (choice.late()) return distinct([...begun, ...inHaste(choice, path)]);
  const sorted = weighed(choice, rules, begun);
  const again = withPath(choice, sorted);
  const passed = new Set<string>();
  const improved = startsOf(again, kindOf(rules)).map((from) => improve(choice, from, passed));
  const further = distinct(improved)
    .slice(0, THOROUGH)
    .map((best) => improve(choice, best, new Set(), true));
  const known = weighed(choice, rules, distinct([...further, ...improved, ...again]));
  return rules.perGas > 0 ? distinct([...heldShort(choice, known), ...known]) : known;
}

function kindOf({ perGas, gaining, realSets }: ChoiceRules): Kind {
  if (realSets.length > 0) return "other";
  if (gaining.length > 0) return "gaining";
  return perGas > 0 ? "paid" : "other";
}

/** The quickest starts: the best path, the edges that few pieces use, and those that carry most in the optimum. */
function inHaste(choice: LegChoice, path: Support): readonly Support[] {
  if (path.net > -Infinity && choice.cap <= path.legs) return [path];
  const heaviest = choice.optimum.slice(0, Math.min(choice.cap, HASTY_EDGES));
  return distinct([path, solveSupport(choice, heaviest), sendEqual(choice, HASTY_PIECES)]);
}

/** The supports over the edges of sets that real outputs found. */
function alongRealSets(choice: LegChoice, { realSets }: ChoiceRules): Support[] {
  const { graph, workspace } = choice;
  const supports: Support[] = [];
  for (const set of realSets) {
    if (choice.late()) break;
    const near = { prices: pricesAlong(graph, workspace.problem, workspace.scratch, set), limits: new Map() };
    supports.push(solveSupport(choice, placesOf(workspace, set), near));
  }
  return supports;
}

/** Settles the best support to learn the gas of segment boundaries, and with that weighs all supports again. */
function weighed(
  choice: LegChoice,
  { perGas, gasOf }: ChoiceRules,
  supports: readonly Support[],
): readonly Support[] {
  const flows = supports[0]?.flows;
  if (flows === undefined || perGas === 0 || choice.late()) return supports;
  const gas = gasOf(flows);
  if (gas === undefined || !learnCrossings(choice, flows, gas, perGas)) return supports;
  choice.tried.clear();
  return distinct(supports.map((one) => weigh(choice, one)));
}

/** The supports, with the best single path if it is another one now that the costs of segment boundaries are known. */
function withPath(choice: LegChoice, supports: readonly Support[]): readonly Support[] {
  if (choice.late() || !choice.crossing.some((one) => one > 0)) return supports;
  const path = singlePath(choice);
  const isKnown = supports.some(({ edges }) => edges.join() === path.edges.join());
  return isKnown ? supports : distinct([path, ...supports]);
}

/** Builds the problem of candidates: the edges that carry most in the optimum, and those of the best-ranked paths. */
function narrow(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  rules: ChoiceRules & { readonly isHasty: boolean },
): LegChoice | undefined {
  const { problem, scratch, primalFlow, ranked } = workspace;
  rankFrugally(rules.market, workspace, demand, rules);
  const prices = new Map<number, number>();
  // Prices at which a search was cut short may be far from any solution.
  for (let n = 0; n < problem.nodes && !rules.isCut; n++) prices.set(problem.node[n]!, problem.price[n]!);
  const { ref } = graph.values;
  const carried = [...primalFlow.flows]
    .map(([edge, sent]) => ({ edge, value: sent * ref[graph.tail[edge]!]! }))
    .sort((a, b) => b.value - a.value || a.edge - b.edge)
    .slice(0, FROM_OPTIMUM);
  beginProblem(problem, graph, scratch, { from: demand.from, to: demand.to, supply: problem.supply });
  const priceOf = (node: number) => prices.get(node) ?? scratch.back[node]!;
  const gaining = rules.gaining.map((edge) => ({ edge }));
  const promising = bestRanked(ranked, FROM_START);
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

/** How additions and paths are searched. Under arbitrage prices are inconsistent, so less is excluded by them. */
function pathsOf({ gaining, realSets }: ChoiceRules): Searching {
  const gains = gaining.length > 0;
  const isDirect = realSets.length === 0;
  return { hops: gains ? HOPS.gaining : HOPS.usual, isDirect, isCertain: isDirect && !gains };
}

/** Indices in the problem of the flows' edges; edges outside the problem are left out. */
function placesOf({ scratch }: ColumnWorkspace, flows: readonly { readonly edge: number }[]): number[] {
  return flows.map(({ edge }) => scratch.inProblem[edge]! - 1).filter((place) => place >= 0);
}

/** Ranks the best paths for the whole order with a cost for each hop, which favours short ones. */
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

/** Cost of each edge of the problem, in value: its gas, and its loss by rounding. */
function costs(graph: Graph, { problem }: ColumnWorkspace, perGas: number): Float64Array {
  const cost = new Float64Array(problem.edges);
  for (let e = 0; e < problem.edges; e++) {
    const unit = problem.ref[problem.head[e]!]! * problem.price[problem.head[e]!]!;
    cost[e] = graph.gas[problem.edge[e]!]! * perGas + ROUNDING * unit;
  }
  return cost;
}

/**
 * The supports that equal pieces use, each piece sent along the path that nets most after those before it, until smaller
 * pieces use the same edges.
 *
 * @param known other supports, which may be near the optimum already
 */
function inPieces(choice: LegChoice, { perGas }: LegRules, known: readonly Support[]): Support[] {
  const { kept } = choice.workspace.primalFlow;
  const supports: Support[] = [];
  for (const chunks of PIECES) {
    if (choice.late()) break;
    const found = sendEqual(choice, { chunks, hops: choice.hops });
    const isEnough = perGas > 0 || [found, ...known].some(({ net }) => net > (1 - SHORT) * kept);
    if (found === supports.at(-1) && isEnough) break;
    supports.push(found);
  }
  return supports;
}

function sendEqual(choice: LegChoice, sent: { readonly chunks: number; readonly hops: number }): Support {
  const { graph, workspace, cap, isDirect } = choice;
  return solveSupport(
    choice,
    fillGreedily(workspace.problem, graph, choice, { ...sent, isDirect, legs: cap }),
  );
}

/** Share of the edges over the cap, or of those that earn less than they cost, that one step removes. */
const AT_ONCE = 0.5;

/**
 * Backward elimination from the optimum. Each step removes the edges that earn least after their cost, until the cap
 * holds and no edge loses. All steps are returned.
 */
function eliminated(choice: LegChoice): Support[] {
  const supports: Support[] = [];
  let from = solveSupport(choice, choice.optimum);
  while (from.edges.length > 1 && !choice.late()) {
    supports.push(from);
    const ranked = from.edges
      .map((e) => ({ e, worth: worthOf(choice, from, e) }))
      .sort((a, b) => a.worth - b.worth);
    const over = from.legs - choice.cap;
    const losing = ranked.filter(({ worth }) => worth < 0).length;
    const gone = Math.max(over > 0 ? Math.ceil(over * AT_ONCE) : 0, Math.ceil(losing * AT_ONCE));
    if (gone === 0) break;
    const next = solveSupport(
      choice,
      ranked.slice(gone).map(({ e }) => e),
    );
    if (next.edges.length === 0 || next.edges.length >= from.edges.length) break;
    from = next;
  }
  return supports;
}
