import { FORMS } from "../settlement/layout.ts";
import { longDetours } from "./detours.ts";
import { exchangesFor, profit, removalsOf, worthOf, worthsOf } from "./exchanges.ts";
import { type Addition, betterPick, type Pick, type Picker, pick } from "./support.ts";

/** Additions and removals that are tried one by one, and additions that are tried together. */
const TRIES = 4;
const TOGETHER = 8;
const EXCHANGES = 6;
const STEPS = 12;
/** Sets that the improvement of one pick solves at most. */
const MOST_TRIED = 120;
/** The same where legs are many and free: what is left to win is what rounding takes. */
const MOST_FREE = 15;
/** In shares of the supply. */
const WORTH_TRYING = 1e-9;
const IMPROVEMENT = 1e-9;

/**
 * Improves a pick while additions, removals or exchanges do. Each is ranked by an exact inequality: at any prices, a set
 * that gains some edges and loses others is worth at most what it was, and what the gained would earn, less what the
 * lost earned. The most promising are solved.
 *
 * @param passed the edges of each set that an improvement has gone on from, which this adds to: what follows from one is known
 */
export function improve(picker: Picker, start: Pick, passed: Set<string>): Pick {
  const tries = picker.cap < Infinity ? MOST_TRIED : MOST_FREE;
  const search = { picker, most: picker.tried.size + tries };
  let best = picker.late() ? start : shrink(search, start);
  for (let step = 0; step < STEPS && !isOver(search); step++) {
    const key = best.edges.join();
    if (passed.has(key)) return best;
    passed.add(key);
    const next = bestMove(search, best);
    if (!(next.net > best.net + IMPROVEMENT * picker.workspace.problem.supply)) return best;
    best = next;
  }
  return best;
}

/** What is left of a pick without what is over the cap, the least useful first, and without what does not earn its cost. */
export function shrunk(picker: Picker, from: Pick): Pick {
  return shrink({ picker, most: picker.tried.size + MOST_TRIED }, from);
}

/** A set that only the wrap drives over the cap: without what is least useful, and with one form of the native coin alone. */
export function withinCap(picker: Picker, one: Pick): Pick[] {
  const isOver = one.edges.length <= picker.cap && one.legs > picker.cap;
  if (!isOver || picker.late()) return [one];
  const without = (form: number) => one.edges.filter((e) => picker.forms[e] !== form);
  return [shrunk(picker, one), ...FORMS.map((form) => pick(picker, without(form), one))];
}

type Search = { readonly picker: Picker; readonly most: number };

function isOver({ picker, most }: Search): boolean {
  return picker.tried.size >= most || picker.late();
}

function bestMove(search: Search, from: Pick): Pick {
  const { picker } = search;
  const promising = additionsTo(picker, from);
  let best = from;
  if (promising.length > 1) {
    best = grow(search, from, { edges: promising.slice(0, TOGETHER).flatMap(({ edges }) => edges), best });
  }
  best = bestGrowth(search, from, { best, moves: promising.slice(0, TRIES) });
  if (best !== from) return best;
  // Most exchanges promise much and keep little, so that they come last.
  const exchanges = exchangesFor(picker, from).slice(0, EXCHANGES);
  const moves = exchanges.map(({ edge, gone, gain }) => ({ edges: [edge], gone, gain }));
  return bestGrowth(search, from, { best, moves });
}

type Move = Addition & { readonly gone?: readonly number[] };

/** The best of a pick and of what moves make of another, while they promise more. @param moves the most promising first */
function bestGrowth(search: Search, from: Pick, tried: { best: Pick; moves: readonly Move[] }): Pick {
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
  readonly best: Pick;
};

/** The better of `best` and of what is left of a pick with more edges, and without some, when the cap holds again. */
function grow(search: Search, from: Pick, { edges, gone = [], best }: Growth): Pick {
  const replaced = [...gone, ...rivalsOf(search.picker, from, edges)];
  const more = pick(search.picker, [...without(from, replaced), ...edges], from);
  return betterPick(best, shrink(search, more))!;
}

/** The edges of a pick that cross a pool which `edges` cross, too: a pool serves one pair. */
function rivalsOf({ graph, workspace }: Picker, from: Pick, edges: readonly number[]): number[] {
  const { edge } = workspace.problem;
  const pools = new Set(edges.map((e) => graph.owner[edge[e]!]!));
  return from.edges.filter((e) => pools.has(graph.owner[edge[e]!]!));
}

/** What the cheapest one, two, … edges of a pick earn after their cost: what a set loses at least without as many. */
function leastLosses(picker: Picker, from: Pick): number[] {
  const earned = [...worthsOf(picker, from)].sort((a, b) => a - b);
  let sum = 0;
  return [0, ...earned.map((one) => (sum += one))];
}

/** Takes out what is over the cap, the least useful first, and then what does not earn its cost. */
function shrink(search: Search, from: Pick): Pick {
  const { picker } = search;
  let left = from;
  for (let over = from.legs - picker.cap; ; over = left.legs - picker.cap) {
    if (over <= 0 && picker.late()) return left;
    const next = bestRemoval(picker, left, over);
    if (next === undefined || (over > 0 && isOver(search) && next.net === -Infinity)) return left;
    left = next;
  }
}

/** The best set without some edges: one at all where legs are over the cap, else one that is worth more. */
function bestRemoval(picker: Picker, from: Pick, over: number): Pick | undefined {
  let best = over > 0 ? undefined : from;
  for (const { edges, loss } of removalsOf(picker, from, over).slice(0, TRIES)) {
    if (best !== undefined && from.worth - loss <= best.worth) break;
    const rest = pick(picker, without(from, edges), from);
    if (best === undefined || rest.worth > best.worth) best = rest;
  }
  return best === from ? undefined : best;
}

function without({ edges }: Pick, gone: readonly number[]): number[] {
  return edges.filter((e) => !gone.includes(e));
}

/**
 * What could be added that gains more than the edges lose which it drives over the cap, best first: single edges between tokens in
 * use, and detours over other tokens.
 */
function additionsTo(picker: Picker, from: Pick): Addition[] {
  const found: Addition[] = longDetours(picker, from);
  const adding: Adding = { picker, from, found, bar: barOf(picker, from), losses: lossesIn(picker, from) };
  addShort(adding);
  return found
    .map(({ edges, gain }) => ({ edges, gain: gain - earnedBy(picker, from, rivalsOf(picker, from, edges)) }))
    .filter(({ edges, gain }) => gain > adding.bar(edges.length))
    .sort((a, b) => b.gain - a.gain);
}

/** The edges of the problem that the pick does not use. */
function unusedOf({ picker, from }: Adding): number[] {
  const { edges, tail, head, sink, source } = picker.workspace.problem;
  const used = new Set(from.edges);
  const unused: number[] = [];
  for (let e = 0; e < edges; e++) {
    if (!used.has(e) && tail[e] !== sink && head[e] !== source) unused.push(e);
  }
  return unused;
}

/** Finds single edges, and detours over one token. */
function addShort(adding: Adding): void {
  const { from } = adding;
  const { tail, head } = adding.picker.workspace.problem;
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

/** What so many more edges have to gain at least: what others lose that go over the cap then, the least useful first. */
function barOf(picker: Picker, from: Pick): (more: number) => number {
  const least = leastLosses(picker, from);
  const trifle = WORTH_TRYING * picker.workspace.problem.supply;
  return (more) => {
    const over = Math.max(0, from.legs + more - picker.cap);
    return (least[Math.min(over, least.length - 1)] ?? 0) + trifle;
  };
}

type Adding = {
  readonly picker: Picker;
  readonly from: Pick;
  readonly found: Addition[];
  readonly bar: (more: number) => number;
  /** What edges of the pick lose that do not earn their cost: another in place of one of these gains that much more. */
  readonly losses: number;
};

function earnedBy(picker: Picker, from: Pick, edges: readonly number[]): number {
  return edges.reduce((sum, e) => sum + worthOf(picker, from, e), 0);
}

type Sides = { readonly first: readonly number[]; readonly second: readonly number[] };

/**
 * Detours over a token out of the pick, by edges into it and out of it. At any price of that token both earn together no less than the
 * detour gains: those that earn too little at the problem's price are no candidates.
 */
function addDetours(adding: Adding, node: number, { first, second }: Sides): void {
  const { picker, from, bar, losses } = adding;
  const { tail, head, price } = picker.workspace.problem;
  const middle = price[node]!;
  const into = first.map(
    (a) => profit(picker, a, { tail: from.prices[tail[a]!]!, head: middle }) - picker.cost[a]!,
  );
  const out = second.map(
    (b) => profit(picker, b, { tail: middle, head: from.prices[head[b]!]! }) - picker.cost[b]!,
  );
  const least = picker.isCertain ? bar(2) - losses : WORTH_TRYING * picker.workspace.problem.supply;
  // A token that the problem has no price for says nothing.
  const isTold = picker.isCertain && middle > 0;
  for (const [i, a] of first.entries()) {
    for (const [j, b] of second.entries())
      if (!isTold || into[i]! + out[j]! > least) addTwo(adding, [a, b], least);
  }
}

function lossesIn(picker: Picker, from: Pick): number {
  return worthsOf(picker, from).reduce((sum, worth) => sum - Math.min(0, worth), 0);
}

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function addOne({ picker, from: { prices }, found }: Adding, e: number): void {
  const { problem } = picker.workspace;
  const gain =
    profit(picker, e, { tail: prices[problem.tail[e]!]!, head: prices[problem.head[e]!]! }) - picker.cost[e]!;
  if (gain > WORTH_TRYING * problem.supply) found.push({ edges: [e], gain });
}

/** A detour gains at most what both edges earn at the price in between at which that is least. @param least what it has to gain */
function addTwo(
  { picker, from: { prices }, found }: Adding,
  [a, b]: readonly [number, number],
  least: number,
): void {
  const { problem } = picker.workspace;
  const tail = prices[problem.tail[a]!]!;
  const head = prices[problem.head[b]!]!;
  let low = tail / spot(picker, a);
  let high = head * spot(picker, b);
  if (!(high > low)) return;
  const cost = picker.cost[a]! + picker.cost[b]!;
  const gain = (middle: number) =>
    profit(picker, a, { tail, head: middle }) + profit(picker, b, { tail: middle, head }) - cost;
  for (let step = 0; step < 10; step++) {
    const left = low * (high / low) ** 0.4;
    const right = low * (high / low) ** 0.6;
    const [below, above] = [gain(left), gain(right)];
    // At any price in between it is no less than what the detour gains.
    if (Math.min(below, above) <= least) return;
    if (below < above) high = right;
    else low = left;
  }
  const most = gain(Math.sqrt(low * high));
  if (most > least) found.push({ edges: [a, b], gain: most });
}

function spot({ graph, workspace }: Picker, e: number): number {
  const { problem } = workspace;
  const { curves } = graph;
  const scale = problem.ref[problem.head[e]!]! / problem.ref[problem.tail[e]!]!;
  return curves.lanes[curves.at[problem.edge[e]!]! + 2]! * scale;
}
