import type { ColumnWorkspace } from "../../column-generation/stopping.ts";
import { carrying } from "../../convex/primal-flow.ts";
import { addEdgeWithEnds, beginProblem, type Demand } from "../../convex/problem.ts";
import { solveProblem } from "../../convex/solve.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { levelOf, pricesAt } from "../../market-graph/pair-index.ts";
import type { Flow } from "../../settlement/layout.ts";
import { pricesAlong } from "../support.ts";
import type { LegRules } from "../support-search.ts";
import { emptyValueMemory, sendByValue, type ValueMemory, valueTokens } from "./send-by-value.ts";
import { emptyPieceMemory, type PieceMemory, type Pieces, sendPieces } from "./send-pieces.ts";

/** Hops as multiples of those of an ordinary path. */
type Sent = Pick<Pieces, "pieces" | "falling" | "hops" | "after">;

/** Hops of the single paths that come first, so that something is in hand. */
const PATHS = [0.5, 1, 3];
/** The pieces that are sent where more than one path pays: prices that contradict each other make ways round pay. */
const PIECES: readonly Sent[] = [
  { pieces: 8, hops: 3, falling: true },
  { pieces: 16, hops: 0.75 },
  { pieces: 4, hops: 2 },
  { pieces: 16, hops: 3 },
];
/** The pieces that are sent by value where more than one way pays. */
const PIECES_BY_VALUE = [{ pieces: 8, falling: true }, { pieces: 16 }];
/** Where tokens are valued for that: by pools after a trade of these shares of the order, 0 = at spot. Other pools lead each astray. */
const VALUED_AT = [0, 1, 0.01];
/** The last piece of an order, as a share: where it takes the path that all before it took, no other pays. */
const LAST = 1 / 128;

type RealSearch = Following & {
  /** All sets so far. */
  readonly sets: (readonly Flow[])[];
  /** The best of them, solved over its edges. */
  best: Followed | undefined;
};

/** What real outputs find where prices do not. */
export type RealOutputs = {
  /** Sets of flows, the best first. */
  readonly sets: readonly (readonly Flow[])[];
  /** What tokens are worth in the token bought, by node of the graph. */
  readonly values: Float64Array;
};

/** Leaves the problem of a set in the workspace. */
export function realOutputs(
  graph: Graph,
  workspace: ColumnWorkspace,
  demand: Demand,
  rules: FollowRules,
): RealOutputs {
  const memory = { pieces: emptyPieceMemory(graph, mostHops(rules)), byValue: emptyValueMemory(graph) };
  const search: RealSearch = { graph, workspace, demand, rules, memory, sets: [], best: undefined };
  sendAllPieces(search);
  for (const share of VALUED_AT) if (!demand.late()) sendAllByValue(search, share);
  const { sets, best } = search;
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

/** Sends an order; where gas eats every trade, as if it were free. */
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

/** Sends by value, with tokens valued after a trade of a share of the order, and follows the best set so far up by those values. */
function sendAllByValue(search: RealSearch, share: number): void {
  const { graph, memory, demand, rules } = search;
  const { perGas, cap } = rules;
  const supply = demand.amount * graph.values.ref[demand.from]!;
  const prices = share === 0 ? graph.pairs.spot : pricesAt(graph.pairs, levelOf(share * supply));
  valueTokens(graph, memory.byValue, demand, prices);
  const send = (part: Demand, pieces: Pick<Pieces, "pieces" | "falling" | "after">) =>
    sendByValue(graph, memory.byValue, part, { ...pieces, legs: cap, perGas });
  const way = send(demand, { pieces: 1 });
  note(search, way);
  if (!isOnly(search, way, (last, after) => send(last, { pieces: 1, after })))
    for (const pieces of PIECES_BY_VALUE) if (!demand.late()) note(search, send(demand, pieces));
  if (search.best !== undefined) search.best = followUp(search, search.best);
}

/** Whether the last piece of an order takes the way that all before it did. @param send sends a part after flows */
function isOnly(
  { demand }: RealSearch,
  way: readonly Flow[],
  send: (part: Demand, after: readonly Flow[]) => readonly Flow[],
): boolean {
  const before = way.map((flow) => ({ edge: flow.edge, amount: flow.amount * (1 - LAST) }));
  return send(partOf(demand, LAST), before).length === way.length;
}

/** Keeps a set, and what it nets once it is solved where that is the most. */
function note(search: RealSearch, set: readonly Flow[]): void {
  const { demand, rules, sets, best } = search;
  if (set.length === 0) return;
  sets.unshift(set);
  const solved = demand.late() ? undefined : solveAlong(search, set);
  if (solved === undefined || solved.flows.length > rules.cap) return;
  if (best === undefined || solved.net > best.net) search.best = solved;
}

/** What a set of edges is to keep within, and the hops of an ordinary path. */
export type FollowRules = LegRules & { readonly hops: number };

/** What a set is solved and followed up with. */
export type Following = {
  readonly graph: Graph;
  readonly workspace: ColumnWorkspace;
  readonly demand: Demand;
  readonly rules: FollowRules;
  readonly memory: { readonly pieces: PieceMemory; readonly byValue: ValueMemory };
};

/** The best flows over some edges, and what they deliver less their gas, in value. */
export type Followed = { readonly flows: readonly Flow[]; readonly net: number };

/** Pieces that are sent in search of further ways, as shares of the order, the largest first. */
const SHARES = [1 / 8, 1 / 32, 1 / 128];
/** Further ways that are taken at most. */
const MOST_FOLLOWED = 16;
/** Share of what a set nets that a further way must bring. */
const BETTER = 1e-6;

/** The best flows over the edges of a set; undefined where nothing arrives. Leaves their problem in the workspace. */
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

/** The same over as many edges as are allowed: those that carry least go. */
function solveWithin(following: Following, set: readonly Flow[]): Followed | undefined {
  const { graph, rules } = following;
  const value = ({ edge, amount }: Flow) => amount * graph.values.ref[graph.tail[edge]!]!;
  const solved = solveAlong(following, set);
  if (solved === undefined || solved.flows.length <= rules.cap) return solved;
  const heaviest = [...solved.flows].sort((a, b) => value(b) - value(a) || a.edge - b.edge);
  return solveAlong(following, heaviest.slice(0, rules.cap));
}

/**
 * What a solved set becomes when small pieces that are sent after it find further ways: each way that pays more than what
 * is there joins the set, which is solved again. So edges are found that would carry a hundredth of the order, without
 * sending all of it in as small pieces.
 */
export function followUp(following: Following, set: Followed): Followed {
  let best = set;
  let left = MOST_FOLLOWED;
  for (const share of SHARES) {
    for (; left > 0 && !following.demand.late(); left--) {
      const next = furtherWay(following, best, share);
      if (!(next.net > best.net + BETTER * Math.abs(best.net))) break;
      best = next;
    }
  }
  return best;
}

/** The set with the way that one more piece takes, sent by value or by real outputs, where that nets more. */
function furtherWay(following: Following, set: Followed, share: number): Followed {
  const { graph, memory, rules } = following;
  const piece = partOf(following.demand, share);
  // Its gas is weighed by what the whole order gains, not by what the piece does.
  const sent = { pieces: 1, legs: Infinity, perGas: 0, after: set.flows };
  const ways = [
    sendByValue(graph, memory.byValue, piece, sent),
    sendPieces(graph, memory.pieces, piece, { ...sent, hops: rules.hops }),
  ];
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
