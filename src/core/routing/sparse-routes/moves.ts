import { FORMS } from "../settlement/layout.ts";
import { additionsTo, rivalsOf } from "./additions.ts";
import { exchangesFor, removalsOf } from "./exchanges.ts";
import { type Addition, betterSupport, type LegChoice, type Support, solveSupport } from "./support.ts";

/**
 * Moves of one step: removals, additions, and additions that share no edge, solved singly; further additions of one edge where none of
 * these improves; additions solved together; exchanges. And the most steps.
 */
const TRIES = 4;
const OF_ONE_EDGE = 10;
const TOGETHER = 8;
const EXCHANGES = 6;
const STEPS = 12;
/** Most supports solved to improve one under a cap. */
const MOST_TRIED = 120;
/** Most supports solved to improve one without a cap: there only rounding losses can be saved. */
const MOST_FREE = 15;
/** Least improvement, as a share of the supply. */
const IMPROVEMENT = 1e-9;

/**
 * Local search: improves a support by additions, removals and exchanges until none does. Weak duality bounds every
 * move: at the support's prices, the new support is worth at most the old one, plus what the added edges earn, less
 * what the removed edges earned. The moves with the largest bounds are solved.
 *
 * @param passed the edges of each support that a local search continued from. This one adds its own and stops at one
 *   that is in it
 * @param isThorough whether all additions that share no edge are solved before the search ends
 */
export function improve(choice: LegChoice, start: Support, passed: Set<string>, isThorough = false): Support {
  const tries = choice.cap < Infinity ? MOST_TRIED : MOST_FREE;
  const search = { choice, isThorough, most: choice.tried.size + tries };
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

/** `most` is the number of supports solved in all at which the search ends. */
type Budget = { readonly choice: LegChoice; readonly most: number };
type Search = Budget & { readonly isThorough: boolean };

function isOver({ choice, most }: Budget): boolean {
  return choice.tried.size >= most || choice.late();
}

function bestMove(search: Search, from: Support): Support {
  const { choice, isThorough } = search;
  const promising = additionsTo(choice, from);
  const apart = isThorough ? withoutSharedEdges(promising) : [];
  let best = from;
  if (promising.length > 1) {
    best = grow(search, from, { edges: promising.slice(0, TOGETHER).flatMap(({ edges }) => edges), best });
  }
  const first = new Set([...promising.slice(0, TRIES), ...apart.slice(0, TRIES)]);
  best = bestGrowth(search, from, { best, moves: [...first].sort((a, b) => b.gain - a.gain) });
  if (best !== from) return best;
  // The bounds of detours are loose, so that these may keep every addition of one edge from being solved.
  const single = promising.filter((one) => one.edges.length === 1 && !first.has(one)).slice(0, OF_ONE_EDGE);
  best = bestGrowth(search, from, { best, moves: single });
  if (best !== from) return best;
  // The bounds of exchanges are loose, so these are solved only if no addition improves.
  const exchanges = exchangesFor(choice, from).slice(0, EXCHANGES);
  const moves = exchanges.map(({ edge, gone, gain }) => ({ edges: [edge], gone, gain }));
  best = bestGrowth(search, from, { best, moves });
  return best === from ? bestGrowth(search, from, { best, moves: apart.slice(TRIES) }) : best;
}

/**
 * The additions without those that share an edge with one of a larger bound. Where several deep pools lead to one
 * bottleneck, they give as many detours with almost the same bound, which would keep all others from being solved.
 *
 * @param additions by falling bound
 */
function withoutSharedEdges(additions: readonly Addition[]): Addition[] {
  const used = new Set<number>();
  return additions.filter(({ edges }) => {
    if (edges.some((e) => used.has(e))) return false;
    for (const e of edges) used.add(e);
    return true;
  });
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

/** Removes edges until the cap holds, those of least loss first, and then while a removal improves the worth. */
function shrink(search: Budget, from: Support): Support {
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
