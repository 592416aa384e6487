import { profitAt } from "./curves.ts";
import { betterPick, type Pick, type Picker, pick } from "./pick.ts";

/** Edges to add to a pick, with the most that they can gain after their own cost. */
type Addition = { readonly edges: readonly number[]; readonly gain: number };

/** Edges that go together when one of them goes, with the least that this loses after the cost saved. */
type Removal = { readonly edges: readonly number[]; readonly loss: number };

const TRIES = 3;
const STEPS = 6;
/** Sets that the improvement of one pick solves at most. */
const MOST_TRIED = 30;
/** In shares of the supply. */
const WORTH_TRYING = 1e-9;
const IMPROVEMENT = 1e-10;

/**
 * Improves a pick while single additions, removals or exchanges do: each is ranked by an exact inequality (an edge
 * that is added gains at most its profit at the pick's prices, one that is removed loses at least that) and the most
 * promising are solved.
 */
export function improve(picker: Picker, start: Pick): Pick {
  let best = start;
  const most = picker.tried.size + MOST_TRIED;
  for (let step = 0; step < STEPS && picker.tried.size < most && !picker.late(); step++) {
    const next = bestMove(picker, best);
    if (!(next.net > best.net + IMPROVEMENT * picker.shop.problem.supply)) return best;
    best = next;
  }
  return best;
}

function bestMove(picker: Picker, from: Pick): Pick {
  let best = from;
  for (const { edges, loss } of removalsOf(picker, from).slice(0, TRIES)) {
    const rest = pick(picker, without(from, edges));
    if (loss < 0) best = betterPick(best, rest)!;
    best = bestAddition(picker, rest, best);
  }
  return from.edges.length < picker.cap ? bestAddition(picker, from, best) : best;
}

/** The best of `best` and of what the most promising additions to `from` make of it. */
function bestAddition(picker: Picker, from: Pick, best: Pick): Pick {
  if (from.net === -Infinity) return best;
  let found = best;
  for (const { edges, gain } of additionsTo(picker, from).slice(0, TRIES)) {
    if (from.net + gain <= found.net) return found;
    found = betterPick(found, pick(picker, [...from.edges, ...edges]))!;
  }
  return found;
}

function without({ edges }: Pick, gone: readonly number[]): number[] {
  return edges.filter((e) => !gone.includes(e));
}

/** What could be added, best first: single edges between tokens in use, and detours over one more token. */
function additionsTo(picker: Picker, from: Pick): Addition[] {
  const { problem } = picker.shop;
  const used = new Set(from.edges);
  const found: Addition[] = [];
  const into = new Map<number, number[]>();
  const outOf = new Map<number, number[]>();
  for (let e = 0; e < problem.edges; e++) {
    if (used.has(e) || problem.tail[e] === problem.sink || problem.head[e] === problem.source) continue;
    const ends = Number(from.prices[problem.tail[e]!]! > 0) + 2 * Number(from.prices[problem.head[e]!]! > 0);
    if (ends === 3) addOne(picker, from, e, found);
    if (ends === 1) push(into, problem.head[e]!, e);
    if (ends === 2) push(outOf, problem.tail[e]!, e);
  }
  for (const [node, first] of into) addDetours(picker, from, { first, second: outOf.get(node) ?? [] }, found);
  return found.sort((a, b) => b.gain - a.gain);
}

type Sides = { readonly first: readonly number[]; readonly second: readonly number[] };

function addDetours(picker: Picker, from: Pick, { first, second }: Sides, found: Addition[]): void {
  for (const a of first) for (const b of second) addTwo(picker, from, [a, b], found);
}

function push(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function addOne(picker: Picker, { prices }: Pick, e: number, found: Addition[]): void {
  const { problem } = picker.shop;
  const gain =
    profit(picker, e, { tail: prices[problem.tail[e]!]!, head: prices[problem.head[e]!]! }) - picker.cost[e]!;
  if (gain > WORTH_TRYING * problem.supply) found.push({ edges: [e], gain });
}

/** A detour gains at most what both edges earn at the price in between at which that is least. */
function addTwo(
  picker: Picker,
  { prices }: Pick,
  [a, b]: readonly [number, number],
  found: Addition[],
): void {
  const { problem } = picker.shop;
  const cost = picker.cost[a]! + picker.cost[b]!;
  const tail = prices[problem.tail[a]!]!;
  const head = prices[problem.head[b]!]!;
  let low = tail / spot(picker, a);
  let high = head * spot(picker, b);
  if (!(high > low)) return;
  const gain = (middle: number) =>
    profit(picker, a, { tail, head: middle }) + profit(picker, b, { tail: middle, head });
  for (let step = 0; step < 10; step++) {
    const left = low * (high / low) ** 0.4;
    const right = low * (high / low) ** 0.6;
    if (gain(left) < gain(right)) high = right;
    else low = left;
  }
  const most = gain(Math.sqrt(low * high)) - cost;
  if (most > WORTH_TRYING * problem.supply) found.push({ edges: [a, b], gain: most });
}

function spot({ graph, shop }: Picker, e: number): number {
  const { problem } = shop;
  const { curves } = graph;
  const scale = problem.ref[problem.head[e]!]! / problem.ref[problem.tail[e]!]!;
  return curves.lanes[curves.at[problem.edge[e]!]! + 2]! * scale;
}

/** What edge `e` earns at the prices of its ends, in value. */
export function profit({ graph, shop }: Picker, e: number, price: { tail: number; head: number }): number {
  const { problem } = shop;
  const out = price.head * problem.ref[problem.head[e]!]!;
  return profitAt(graph.curves, problem.edge[e]!, (price.tail * problem.ref[problem.tail[e]!]!) / out) * out;
}

/** What could go, least loss first. */
function removalsOf(picker: Picker, from: Pick): Removal[] {
  const { problem } = picker.shop;
  const removals = from.edges.map((e) => {
    const edges = fallsWith(picker, from, e);
    let earned = 0;
    let saved = 0;
    for (const gone of edges) {
      const tail = from.prices[problem.tail[gone]!]!;
      earned = Math.max(earned, profit(picker, gone, { tail, head: from.prices[problem.head[gone]!]! }));
      saved += picker.cost[gone]!;
    }
    return { edges, loss: earned - saved };
  });
  return removals.filter(({ edges }) => edges.length < from.edges.length).sort((a, b) => a.loss - b.loss);
}

/** The edges of a pick that carry nothing once `e` is gone. */
function fallsWith({ shop }: Picker, { edges }: Pick, e: number): number[] {
  const { tail, head, source, sink } = shop.problem;
  let kept = edges.filter((other) => other !== e);
  for (let size = -1; size !== kept.length; ) {
    size = kept.length;
    const fed = new Set([source, ...kept.map((other) => head[other]!)]);
    const drained = new Set([sink, ...kept.map((other) => tail[other]!)]);
    kept = kept.filter((other) => fed.has(tail[other]!) && drained.has(head[other]!));
  }
  return edges.filter((other) => !kept.includes(other));
}
