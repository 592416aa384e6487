import type { Support } from "./support.ts";

/**
 * Kind of a support search: each leg pays gas, legs may collect arbitrage, or neither. A search from sets found by real
 * outputs is of the last kind, since its supports are large and improving them takes longest.
 */
export type Kind = "paid" | "gaining" | "other";

/** Number of supports that are improved, the best first. */
const IMPROVED: Record<Kind, number> = { paid: 12, gaining: 4, other: 4 };
/**
 * Number of further supports that are improved, and the least number of edges in which each differs from all others
 * improved: what orders gain for 0.95 to 1.12 times the time stands in docs/routing-ablation.md.
 */
const FURTHER: Record<Kind, number> = { paid: 0, gaining: 2, other: 0 };
const APART = 8;

/**
 * Supports that pay something and hold the cap, the best first. Supports of equal edges and limits count once: solved
 * from different starts they differ only in the last digits.
 */
export function distinct(supports: readonly Support[]): Support[] {
  const known = new Set<string>();
  return supports
    .filter(({ net }) => net > -Infinity)
    .sort((a, b) => b.net - a.net)
    .filter(({ edges, limits }) => {
      const before = known.size;
      return known.add(`${edges.join()};${[...limits].join()}`).size > before;
    });
}

/**
 * The supports from which improvement starts: the best, and some that are unlike these. With arbitrage the best
 * supports are variants of one another and lead to one local optimum.
 *
 * @param ranked supports, the best first
 */
export function startsOf(ranked: readonly Support[], kind: Kind): readonly Support[] {
  const starts = ranked.slice(0, IMPROVED[kind]);
  const most = starts.length + FURTHER[kind];
  for (const one of ranked.slice(starts.length)) {
    if (starts.length >= most) break;
    if (starts.every((other) => difference(one, other) >= APART)) starts.push(one);
  }
  return starts;
}

/** Number of edges in exactly one of two supports. */
function difference(one: Support, other: Support): number {
  const edges = new Set(one.edges);
  const shared = other.edges.filter((e) => edges.has(e)).length;
  return one.edges.length + other.edges.length - 2 * shared;
}
