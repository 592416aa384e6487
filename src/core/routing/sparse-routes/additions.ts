import { longDetours } from "./detours.ts";
import { profit, worthOf, worthsOf } from "./exchanges.ts";
import type { Addition, LegChoice, Support } from "./support.ts";

/** Least gain of an addition, as a share of the supply. */
const WORTH_TRYING = 1e-9;

/**
 * Additions whose bound exceeds the least loss of the removals that then restore the cap, by falling bound: single
 * edges between tokens in use, and detours over other tokens.
 */
export function additionsTo(choice: LegChoice, from: Support): Addition[] {
  const found: Addition[] = longDetours(choice, from);
  const adding: Adding = { choice, from, found, bar: barOf(choice, from), losses: lossesIn(choice, from) };
  addShort(adding);
  return found
    .map(({ edges, gain }) => ({ edges, gain: gain - earnedBy(choice, from, rivalsOf(choice, from, edges)) }))
    .filter(({ edges, gain }) => gain > adding.bar(edges.length))
    .sort((a, b) => b.gain - a.gain);
}

/** The edges of the problem that the support does not use, without those out of the sink and into the source. */
function unusedOf({ choice, from }: Adding): number[] {
  const { edges, tail, head, sink, source } = choice.workspace.problem;
  const used = new Set(from.edges);
  const unused: number[] = [];
  for (let e = 0; e < edges; e++) {
    if (!used.has(e) && tail[e] !== sink && head[e] !== source) unused.push(e);
  }
  return unused;
}

/** Adds single edges, and detours over one token. */
function addShort(adding: Adding): void {
  const { from } = adding;
  const { tail, head } = adding.choice.workspace.problem;
  const into = new Map<number, number[]>();
  const outOf = new Map<number, number[]>();
  for (const e of unusedOf(adding)) {
    const ends = Number(from.prices[tail[e]!]! > 0) + 2 * Number(from.prices[head[e]!]! > 0);
    if (ends === 3) addOne(adding, e);
    if (ends === 1) push(into, head[e]!, e);
    if (ends === 2) push(outOf, tail[e]!, e);
  }
  for (const [node, first] of into) {
    const second = outOf.get(node);
    if (second !== undefined) addDetours(adding, node, { first, second });
  }
}

/** By number of added edges, the gain that they must exceed: the least loss of removals that restore the cap. */
function barOf(choice: LegChoice, from: Support): (more: number) => number {
  const least = leastLosses(choice, from);
  const trifle = WORTH_TRYING * choice.workspace.problem.supply;
  return (more) => {
    const over = Math.max(0, from.legs + more - choice.cap);
    return (least[Math.min(over, least.length - 1)] ?? 0) + trifle;
  };
}

type Adding = {
  readonly choice: LegChoice;
  readonly from: Support;
  readonly found: Addition[];
  readonly bar: (more: number) => number;
  /** Total shortfall, ≥ 0, of edges that do not earn their cost. An addition that replaces them gains that as well. */
  readonly losses: number;
};

function earnedBy(choice: LegChoice, from: Support, edges: readonly number[]): number {
  return edges.reduce((sum, e) => sum + worthOf(choice, from, e), 0);
}

/** An edge into a token outside the support, and one out of it. */
type Detour = { readonly a: number; readonly b: number };

type Sides = { readonly first: readonly number[]; readonly second: readonly number[] };

/**
 * Detours over a token outside the support, by an edge into it and one out of it. At any price of that token both edges together
 * earn at least what the detour gains, so pairs that earn too little at the problem's price are no candidates.
 */
function addDetours(adding: Adding, node: number, { first, second }: Sides): void {
  const { choice, from, bar, losses } = adding;
  const { tail, head, price } = choice.workspace.problem;
  const middle = price[node]!;
  const into = first.map((a) => profit(choice, a, from.prices[tail[a]!]!, middle) - choice.cost[a]!);
  const out = second.map((b) => profit(choice, b, middle, from.prices[head[b]!]!) - choice.cost[b]!);
  const least = choice.isCertain ? bar(2) - losses : WORTH_TRYING * choice.workspace.problem.supply;
  // Without a price of the token nothing can be excluded.
  const hasPrice = choice.isCertain && middle > 0;
  for (let i = 0; i < first.length; i++)
    for (let j = 0; j < second.length; j++)
      if (!hasPrice || into[i]! + out[j]! > least) addTwo(adding, { a: first[i]!, b: second[j]! }, least);
}

function lossesIn(choice: LegChoice, from: Support): number {
  return worthsOf(choice, from).reduce((sum, worth) => sum - Math.min(0, worth), 0);
}

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function addOne({ choice, from: { prices }, found }: Adding, e: number): void {
  const { problem } = choice.workspace;
  const gain = profit(choice, e, prices[problem.tail[e]!]!, prices[problem.head[e]!]!) - choice.cost[e]!;
  if (gain > WORTH_TRYING * problem.supply) found.push({ edges: [e], gain });
}

/** Number of times that the interval of a token's price is narrowed. */
const NARROWED = 10;
/** The two prices compared in each step, as shares of the interval's width in logarithms: each step leaves 60 % of it. */
const LEFT = 0.4;
const RIGHT = 0.6;

/**
 * Adds a detour of two edges. What both earn at any price of the token between them bounds the gain; an interval search
 * minimises that bound over the price.
 *
 * @param least the gain that the bound must exceed
 */
function addTwo({ choice, from, found }: Adding, { a, b }: Detour, least: number): void {
  const { tail, head } = choice.workspace.problem;
  const sold = from.prices[tail[a]!]!;
  const bought = from.prices[head[b]!]!;
  let low = sold / spot(choice, a);
  let high = bought * spot(choice, b);
  if (!(high > low)) return;
  const cost = choice.cost[a]! + choice.cost[b]!;
  const gain = (middle: number) => profit(choice, a, sold, middle) + profit(choice, b, middle, bought) - cost;
  for (let step = 0; step < NARROWED; step++) {
    const width = high / low;
    const left = low * width ** LEFT;
    const right = low * width ** RIGHT;
    const below = gain(left);
    const above = gain(right);
    // Any price gives an upper bound on the gain.
    if (Math.min(below, above) <= least) return;
    if (below < above) high = right;
    else low = left;
  }
  const most = gain(Math.sqrt(low * high));
  if (most > least) found.push({ edges: [a, b], gain: most });
}

function spot({ graph, workspace }: LegChoice, e: number): number {
  const { problem } = workspace;
  const { curves } = graph;
  const scale = problem.ref[problem.head[e]!]! / problem.ref[problem.tail[e]!]!;
  return curves.lanes[curves.at[problem.edge[e]!]! + 2]! * scale;
}

/** The edges of a support whose pools `edges` cross too: a pool serves one pair. */
export function rivalsOf({ graph, workspace }: LegChoice, from: Support, edges: readonly number[]): number[] {
  const { edge } = workspace.problem;
  const pools = new Set(edges.map((e) => graph.owner[edge[e]!]!));
  return from.edges.filter((e) => pools.has(graph.owner[edge[e]!]!));
}

/** By number of removed edges, a lower bound on the loss: the sum of the smallest earnings after cost. */
function leastLosses(choice: LegChoice, from: Support): number[] {
  const earned = [...worthsOf(choice, from)].sort((a, b) => a - b);
  let sum = 0;
  return [0, ...earned.map((one) => (sum += one))];
}
