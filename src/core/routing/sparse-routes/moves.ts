import { FORMS } from "../settlement/layout.ts";
import { longDetours } from "./detours.ts";
import { exchangesFor, profit, removalsOf, worthOf, worthsOf } from "./exchanges.ts";
import { type Addition, betterSupport, type LegChoice, type Support, solveSupport } from "./support.ts";

/**
 * Moves of one step: additions, or removals, solved singly; additions solved together; exchanges. And the most steps.
 */
const TRIES = 4;
const TOGETHER = 8;
const EXCHANGES = 6;
const STEPS = 12;
/** Most supports solved to improve one under a cap. */
const MOST_TRIED = 120;
/** Most supports solved to improve one without a cap: there only rounding losses can be saved. */
const MOST_FREE = 15;
/** Least gain of a move and least improvement, as shares of the supply. */
const WORTH_TRYING = 1e-9;
const IMPROVEMENT = 1e-9;

/**
 * Local search: improves a support by additions, removals and exchanges until none does. Weak duality bounds every
 * move: at the support's prices, the new support is worth at most the old one, plus what the added edges earn, less
 * what the removed edges earned. The moves with the largest bounds are solved.
 *
 * @param passed the edges of each support that a local search continued from. This one adds its own and stops at one
 *   that is in it
 */
export function improve(choice: LegChoice, start: Support, passed: Set<string>): Support {
  const tries = choice.cap < Infinity ? MOST_TRIED : MOST_FREE;
  const search = { choice, most: choice.tried.size + tries };
  let best = choice.late() ? start : shrink(search, start);
  for (let step = 0; step < STEPS && !isOver(search); step++) {
    const key = best.edges.join();
    if (passed.has(key)) return best;
    passed.add(key);
    const next = bestMove(search, best);
    if (!(next.net > best.net + IMPROVEMENT * choice.workspace.problem.supply)) return best;
    best = next;
  }
  return best;
}

/** A support shrunk to the cap by removing the edges of least loss first, and then while a removal improves it. */
export function shrunk(choice: LegChoice, from: Support): Support {
  return shrink({ choice, most: choice.tried.size + MOST_TRIED }, from);
}

/**
 * Replaces a support that exceeds the cap only by its wrap: by the support shrunk to the cap, and by those over either
 * form of the native coin alone, which need no wrap. Any other support is returned as it is.
 */
export function withinCap(choice: LegChoice, one: Support): Support[] {
  const isOver = one.edges.length <= choice.cap && one.legs > choice.cap;
  if (!isOver || choice.late()) return [one];
  const without = (form: number) => one.edges.filter((e) => choice.forms[e] !== form);
  return [shrunk(choice, one), ...FORMS.map((form) => solveSupport(choice, without(form), one))];
}

type Search = { readonly choice: LegChoice; readonly most: number };

function isOver({ choice, most }: Search): boolean {
  return choice.tried.size >= most || choice.late();
}

function bestMove(search: Search, from: Support): Support {
  const { choice } = search;
  const promising = additionsTo(choice, from);
  let best = from;
  if (promising.length > 1) {
    best = grow(search, from, { edges: promising.slice(0, TOGETHER).flatMap(({ edges }) => edges), best });
  }
  best = bestGrowth(search, from, { best, moves: promising.slice(0, TRIES) });
  if (best !== from) return best;
  // The bounds of exchanges are loose, so these are solved only if no addition improves.
  const exchanges = exchangesFor(choice, from).slice(0, EXCHANGES);
  const moves = exchanges.map(({ edge, gone, gain }) => ({ edges: [edge], gone, gain }));
  return bestGrowth(search, from, { best, moves });
}

type Move = Addition & { readonly gone?: readonly number[] };

/** The best of `tried.best` and the results of moves from `from`. @param tried moves by falling bound on the gain */
function bestGrowth(
  search: Search,
  from: Support,
  tried: { best: Support; moves: readonly Move[] },
): Support {
  let { best } = tried;
  for (const { edges, gone, gain } of tried.moves) {
    if (from.net + gain <= best.net || isOver(search)) break;
    best = grow(search, from, { edges, gone, best });
  }
  return best;
}

type Growth = {
  readonly edges: readonly number[];
  readonly gone?: readonly number[] | undefined;
  readonly best: Support;
};

/** The better of `best` and a support with `edges` added and their rivals and `gone` removed, shrunk to the cap. */
function grow(search: Search, from: Support, { edges, gone = [], best }: Growth): Support {
  const replaced = [...gone, ...rivalsOf(search.choice, from, edges)];
  const more = solveSupport(search.choice, [...without(from, replaced), ...edges], from);
  return betterSupport(best, shrink(search, more))!;
}

/** The edges of a support whose pools `edges` cross too: a pool serves one pair. */
function rivalsOf({ graph, workspace }: LegChoice, from: Support, edges: readonly number[]): number[] {
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

/** Removes edges until the cap holds, those of least loss first, and then while a removal improves the worth. */
function shrink(search: Search, from: Support): Support {
  const { choice } = search;
  let left = from;
  for (let over = from.legs - choice.cap; ; over = left.legs - choice.cap) {
    if (over <= 0 && choice.late()) return left;
    const next = bestRemoval(choice, left, over);
    if (next === undefined || (over > 0 && isOver(search) && next.net === -Infinity)) return left;
    left = next;
  }
}

/** The best support after one removal. If the cap holds (`over` ≤ 0), undefined unless its worth improves. */
function bestRemoval(choice: LegChoice, from: Support, over: number): Support | undefined {
  let best = over > 0 ? undefined : from;
  for (const { edges, loss } of removalsOf(choice, from, over).slice(0, TRIES)) {
    if (best !== undefined && from.worth - loss <= best.worth) break;
    const rest = solveSupport(choice, without(from, edges), from);
    if (best === undefined || rest.worth > best.worth) best = rest;
  }
  return best === from ? undefined : best;
}

function without({ edges }: Support, gone: readonly number[]): number[] {
  return edges.filter((e) => !gone.includes(e));
}

/**
 * Additions whose bound exceeds the least loss of the removals that then restore the cap, by falling bound: single
 * edges between tokens in use, and detours over other tokens.
 */
function additionsTo(choice: LegChoice, from: Support): Addition[] {
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

type Sides = { readonly first: readonly number[]; readonly second: readonly number[] };

/**
 * Detours over a token outside the support, by an edge into it and one out of it. At any price of that token both edges together
 * earn at least what the detour gains, so pairs that earn too little at the problem's price are no candidates.
 */
function addDetours(adding: Adding, node: number, { first, second }: Sides): void {
  const { choice, from, bar, losses } = adding;
  const { tail, head, price } = choice.workspace.problem;
  const middle = price[node]!;
  const into = first.map(
    (a) => profit(choice, a, { tail: from.prices[tail[a]!]!, head: middle }) - choice.cost[a]!,
  );
  const out = second.map(
    (b) => profit(choice, b, { tail: middle, head: from.prices[head[b]!]! }) - choice.cost[b]!,
  );
  const least = choice.isCertain ? bar(2) - losses : WORTH_TRYING * choice.workspace.problem.supply;
  // Without a price of the token nothing can be excluded.
  const hasPrice = choice.isCertain && middle > 0;
  for (const [i, a] of first.entries()) {
    for (const [j, b] of second.entries())
      if (!hasPrice || into[i]! + out[j]! > least) addTwo(adding, [a, b], least);
  }
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
  const gain =
    profit(choice, e, { tail: prices[problem.tail[e]!]!, head: prices[problem.head[e]!]! }) - choice.cost[e]!;
  if (gain > WORTH_TRYING * problem.supply) found.push({ edges: [e], gain });
}

/**
 * Adds a detour of two edges. What both earn at any price of the token between them bounds the gain; an interval search
 * minimises that bound over the price.
 *
 * @param least the gain that the bound must exceed
 */
function addTwo(
  { choice, from: { prices }, found }: Adding,
  [a, b]: readonly [number, number],
  least: number,
): void {
  const { problem } = choice.workspace;
  const tail = prices[problem.tail[a]!]!;
  const head = prices[problem.head[b]!]!;
  let low = tail / spot(choice, a);
  let high = head * spot(choice, b);
  if (!(high > low)) return;
  const cost = choice.cost[a]! + choice.cost[b]!;
  const gain = (middle: number) =>
    profit(choice, a, { tail, head: middle }) + profit(choice, b, { tail: middle, head }) - cost;
  for (let step = 0; step < 10; step++) {
    const left = low * (high / low) ** 0.4;
    const right = low * (high / low) ** 0.6;
    const [below, above] = [gain(left), gain(right)];
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
