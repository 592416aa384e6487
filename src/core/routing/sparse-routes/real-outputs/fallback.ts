import type { ColumnWorkspace } from "../../column-generation/stopping.ts";
import { carrying } from "../../convex/primal-flow.ts";
import { addEdgeWithEnds, beginProblem, type Demand } from "../../convex/problem.ts";
import { solveProblem } from "../../convex/solve.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { levelOf, pricesAt } from "../../market-graph/pair-index.ts";
import type { Flow } from "../../settlement/layout.ts";
import { pricesAlong } from "../support.ts";
import type { LegRules } from "../support-search.ts";
import { emptyPieceMemory, type PieceMemory } from "./piece-memory.ts";
import { DIVISIONS, type Division, extendedByPieces, isMuchBetter, VALUED_AT, WHOLE } from "./pieces.ts";
import { emptyValueMemory, sendByValue, type ValueMemory, valueTokens } from "./send-by-value.ts";
import { type Pieces, sendPieces } from "./send-pieces.ts";

/** How pieces are sent, with `hops` as a multiple of those of an ordinary path. */
type Sent = Pick<Pieces, "pieces" | "falling" | "hops" | "after">;

/** Hops of the single paths that are tried first, as multiples of an ordinary path. */
const PATHS = [0.5, 1, 3];
/**
 * Divisions of the order that are sent if more than one path is worth using. With arbitrage long paths pay, so hops
 * vary.
 */
const PIECES: readonly Sent[] = [
  { pieces: 8, hops: 3, falling: true },
  { pieces: 4, hops: 2 },
  { pieces: 16, hops: 3 },
];
/** Share of the order in a last piece. If it takes the same path as all before it, no other path is worth using. */
const LAST = 1 / 128;

type RealSearch = Following & {
  /** All sets found so far, the last one first. */
  readonly sets: (readonly Flow[])[];
  /** The best of them, solved over its edges. */
  best: Followed | undefined;
};

/** Sets of flows found by real outputs, for markets whose prices are of no use. */
export type RealOutputs = {
  /** Sets of flows, the best first. */
  readonly sets: readonly (readonly Flow[])[];
  /** Value of each token in the token bought, by node of the graph. */
  readonly values: Float64Array;
};

/** Finds supports by real outputs. Leaves the problem of the best of them in the workspace. */
export function realOutputs(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  rules: FollowRules,
): RealOutputs {
  const memory = { pieces: emptyPieceMemory(graph, mostHops(rules)), byValue: emptyValueMemory(graph) };
  const using = { graph, workspace, demand, rules, memory, exhausted: new Map<number, Followed>() };
  const search: RealSearch = { ...using, sets: [], best: undefined };
  sendAllPieces(search);
  const isPaid = rules.perGas > 0;
  for (const share of VALUED_AT) {
    if (demand.late()) break;
    sendAllByValue(search, share);
    // Each size finds other edges that carry little. If gas counts few of them pay, and the last size finds these.
    if (!isPaid) extendBest(search);
  }
  if (isPaid) extendBest(search);
  const { sets, best } = search;
  // The choice of legs starts from the prices of the problem that is solved last.
  if (best !== undefined && !demand.late()) solveAlong(search, best.flows);
  return { sets: best === undefined ? sets : [best.flows, ...sets], values: memory.byValue.value };
}

/** Hops of the longest path that any piece takes. */
export function mostHops({ hops }: Pick<FollowRules, "hops">): number {
  return Math.ceil(Math.max(...PATHS, ...PIECES.map((sent) => sent.hops)) * hops);
}

function sendAllPieces(search: RealSearch): void {
  const { demand } = search;
  let path: readonly Flow[] = [];
  for (const hops of PATHS) {
    path = sendAlong(search, demand, { pieces: 1, hops });
    note(search, path);
    if (demand.late()) return;
  }
  const farthest = PATHS.at(-1)!;
  if (isOnly(search, path, (last, after) => sendAlong(search, last, { pieces: 1, hops: farthest, after })))
    return;
  for (const pieces of PIECES) if (!demand.late()) note(search, sendAlong(search, demand, pieces));
}

/** Sends an order in pieces; if gas exceeds what every path pays, as if gas were free. */
function sendAlong(
  { graph, rules, memory }: RealSearch,
  demand: Demand,
  { hops, ...pieces }: Sent,
): readonly Flow[] {
  const { perGas, cap } = rules;
  const options = { ...pieces, hops: Math.ceil(hops * rules.hops), legs: cap, perGas };
  const set = sendPieces(graph, memory.pieces, demand, options);
  return set.length === 0 && perGas > 0
    ? sendPieces(graph, memory.pieces, demand, { ...options, perGas: 0 })
    : set;
}

/** Sends pieces by value, with tokens valued after a trade of a share of the order. */
function sendAllByValue(search: RealSearch, share: number): void {
  const { graph, memory, demand, rules } = search;
  const { perGas, cap } = rules;
  const supply = demand.amount * graph.values.ref[demand.from]!;
  const prices = share === 0 ? graph.pairs.spot : pricesAt(graph.pairs, levelOf(share * supply));
  valueTokens(graph, memory.byValue, demand, prices);
  const send = (part: Demand, pieces: Division & Pick<Pieces, "after">) =>
    sendByValue(graph, memory.byValue, part, { ...pieces, legs: cap, perGas });
  const way = send(demand, WHOLE);
  note(search, way);
  if (!isOnly(search, way, (last, after) => send(last, { ...WHOLE, after })))
    for (const pieces of DIVISIONS) if (!demand.late()) note(search, send(demand, pieces));
}

/** Extends the best set so far by the present values of tokens. */
function extendBest(search: RealSearch): void {
  if (search.best !== undefined) search.best = followUp(search, search.best);
}

/** Whether the last piece of an order takes the same path as all before it. @param send sends a part after given flows */
function isOnly(
  { demand }: RealSearch,
  way: readonly Flow[],
  send: (part: Demand, after: readonly Flow[]) => readonly Flow[],
): boolean {
  const before = way.map((flow) => ({ edge: flow.edge, amount: flow.amount * (1 - LAST) }));
  return send(partOf(demand, LAST), before).length === way.length;
}

/** Keeps a set, and its solution over its edges if that nets most under the cap. */
function note(search: RealSearch, set: readonly Flow[]): void {
  const { demand, rules, sets, best } = search;
  if (set.length === 0) return;
  sets.unshift(set);
  const solved = demand.late() ? undefined : solveAlong(search, set);
  if (solved === undefined || solved.flows.length > rules.cap) return;
  if (best === undefined || solved.net > best.net) search.best = solved;
}

/** The cost of gas, the cap on legs, and the hops of an ordinary path. */
export type FollowRules = LegRules & { readonly hops: number };

/** What a set is solved and extended with. */
export type Following = {
  readonly graph: Graph;
  readonly workspace: ColumnWorkspace;
  readonly demand: Demand;
  readonly rules: FollowRules;
  readonly memory: { readonly pieces: PieceMemory; readonly byValue: ValueMemory };
  /** By share of the order, the set that a piece of that size did not improve. Real outputs do not depend on values, so it is not sent again. */
  readonly exhausted: Map<number, Followed>;
};

/** The best flows over some edges, and what they deliver less their gas, in value. */
export type Followed = { readonly flows: readonly Flow[]; readonly net: number };

/** The best flows over the edges of a set; undefined if nothing arrives. Leaves their problem in the workspace. */
export function solveAlong(following: Following, set: readonly Flow[]): Followed | undefined {
  const { graph, workspace, demand, rules } = following;
  const { problem, scratch, primalFlow } = workspace;
  const { from, to, late } = demand;
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * graph.values.ref[from]! });
  for (const { edge } of set) addEdgeWithEnds(problem, graph, scratch, { edge, priceOf: unpriced });
  const prices = pricesAlong(graph, problem, scratch, set);
  for (let n = 0; n < problem.nodes; n++) if (prices[n]! > 0) problem.price[n] = prices[n]!;
  solveProblem(problem, workspace, late);
  if (!(primalFlow.most > 0)) return undefined;
  const flows = carrying(primalFlow, problem).map((e) => ({
    edge: problem.edge[e]!,
    amount: primalFlow.best[e]!,
  }));
  const net = flows.reduce((left, { edge }) => left - graph.gas[edge]! * rules.perGas, primalFlow.most);
  return { flows, net };
}

const unpriced = () => 1;

/** The best flows over at most as many edges of a set as are allowed: those that carry least are dropped. */
function solveWithin(following: Following, set: readonly Flow[]): Followed | undefined {
  const { graph, rules } = following;
  const value = ({ edge, amount }: Flow) => amount * graph.values.ref[graph.tail[edge]!]!;
  const solved = solveAlong(following, set);
  if (solved === undefined || solved.flows.length <= rules.cap) return solved;
  const heaviest = [...solved.flows].sort((a, b) => value(b) - value(a) || a.edge - b.edge);
  return solveAlong(following, heaviest.slice(0, rules.cap));
}

/** Extends a solved set by the paths of small pieces. */
export function followUp(following: Following, set: Followed): Followed {
  return extendedByPieces(set, following.demand.late, (from, share) => {
    const next = furtherWay(following, from, share);
    if (!isMuchBetter(next, from)) following.exhausted.set(share, from);
    return next;
  });
}

/** The set with the path of one more piece, sent by value or by real outputs, if that nets more. */
function furtherWay(following: Following, set: Followed, share: number): Followed {
  const { graph, memory, rules } = following;
  const piece = partOf(following.demand, share);
  // Gas counts against the gain of the whole order, not of the piece.
  const sent = { pieces: 1, legs: Infinity, perGas: 0, after: set.flows };
  const ways = [sendByValue(graph, memory.byValue, piece, sent)];
  if (following.exhausted.get(share) !== set)
    ways.push(sendPieces(graph, memory.pieces, piece, { ...sent, hops: rules.hops }));
  let best = set;
  for (const way of ways) {
    const solved = way.length > 0 ? solveWithin(following, way) : undefined;
    if (solved !== undefined && solved.net > best.net) best = solved;
  }
  return best;
}

/** The demand for a share of an order. */
export function partOf({ from, to, allowed, late, amount }: Demand, share: number): Demand {
  return { from, to, allowed, late, amount: amount * share };
}
