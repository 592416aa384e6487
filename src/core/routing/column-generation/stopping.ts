import type { ConvexWorkspace } from "../convex/solve.ts";
import type { Joined } from "../multi-asset/joint-node.ts";
import type { EngineCounters } from "../types.ts";
import type { Candidates } from "./pricing.ts";
import type { Ranked } from "./ranking.ts";

/** Working memory of column generation, besides that of convex problems. */
export type ColumnWorkspace = ConvexWorkspace & {
  readonly candidates: Candidates;
  readonly ranked: Ranked;
  /** The prices that prove the lowest bound so far, by node: smallest units of the token bought per smallest unit. */
  readonly dual: Map<number, number>;
  readonly counters: { -readonly [K in keyof Omit<EngineCounters, "threw">]: EngineCounters[K] };
};

/** Whether legs are free and unlimited, free up to a cap, or cost gas. */
export type Legs = "free" | "capped" | "paid";

/** The level of pools before any trade. */
export const SPOT = -1;

/** The state of the search for one order's optimum. */
export type Search = {
  readonly legs: Legs;
  /** Whether no cycle of pools that the order could pass is profitable, and whether none in the whole market is. */
  readonly atRest: boolean;
  readonly isArbitrageFree: boolean;
  /** The lowest upper bound so far, in value. */
  bound: number;
  rounds: number;
  /** Further rounds, which only corrected prices. */
  repriced: number;
  /** Level of trade sizes at which pools are priced, down to `SPOT`. */
  level: number;
  /** Value of those trades. */
  size: number;
  /** Whether the last pricing step covered the whole market, not only its core. */
  whole: boolean;
  /** Rounds in a row that improved nothing. */
  idle: number;
  /** Pools that are in the problem as joint nodes of their own. */
  joined: readonly Joined[];
};

/** Relative gap at which the search for more edges ends. */
export const GAP = 1e-6;
/** Relative gap at which the search ends if pools are joint nodes. */
const GAP_JOINTLY = 2e-6;
/**
 * Edges above which a problem counts as large: a further round costs more time than a hundredth of a percent is worth,
 * as so many legs fill a block.
 */
const LARGE = 600;
/**
 * Relative gap at which a large problem ends, by the cost of legs: a route of few legs is much farther from the optimum than
 * this. An optimum farther from its bound than all of these counts as a failed search, and real outputs are searched too.
 */
const LARGE_GAP: Record<Legs, number> = { free: 1e-4, capped: 3e-4, paid: 6e-4 };
/** Factor by which that gap may be wider once joint nodes are linearised, since these bound slightly differently from pairs. */
const WIDER_JOINTLY = 1.3;

/** Whether the gap between the best flow and the bound is small enough to stop. */
export function closed(workspace: ColumnWorkspace, search: Search): boolean {
  const { bound } = search;
  return bound < Infinity && bound - workspace.primalFlow.kept <= gapOf(workspace, search) * bound;
}

/** Whether joint nodes are linearised at the present flows, so that their outputs are real, and the gap is small enough to stop. */
export function isTight(workspace: ColumnWorkspace, search: Search): boolean {
  const { bound, joined } = search;
  const left = Math.abs(bound - workspace.primalFlow.kept);
  return joined.every(({ limited }) => !limited) && left < gapOf(workspace, search) * bound;
}

function gapOf(workspace: ColumnWorkspace, search: Search): number {
  if (search.joined.length === 0) return shareFor(workspace, search, GAP);
  return shareFor(workspace, search, GAP_JOINTLY) * (isLarge(workspace) ? WIDER_JOINTLY : 1);
}

/** The relative precision to which a problem of this size is solved. @param share the one of a problem that is not large */
export function shareFor(workspace: ColumnWorkspace, { legs }: Search, share: number): number {
  return isLarge(workspace) ? LARGE_GAP[legs] : share;
}

export function isLarge({ problem }: ColumnWorkspace): boolean {
  return problem.edges > LARGE;
}
