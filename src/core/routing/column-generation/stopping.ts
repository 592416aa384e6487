import type { ConvexWorkspace } from "../convex/solve.ts";
import type { Joined } from "../multi-asset/joint-node.ts";
import type { EngineCounters } from "../types.ts";
import type { Candidates } from "./pricing.ts";
import type { Ranked } from "./ranking.ts";

/** What columns are generated in, beside convex problems. */
export type ColumnWorkspace = ConvexWorkspace & {
  readonly candidates: Candidates;
  readonly ranked: Ranked;
  /** Prices of the last convex problem, in units of the token bought, by node. */
  readonly dual: Map<number, number>;
  readonly counters: { -readonly [K in keyof Omit<EngineCounters, "threw">]: EngineCounters[K] };
};

/** What legs are to an order: free and as many as it likes, of a limited number, or paid for with gas. */
export type Legs = "free" | "capped" | "paid";

/** The level of pools before any trade. */
export const SPOT = -1;

/** Where the search for one order's optimum stands. */
export type Search = {
  readonly legs: Legs;
  /** Whether no cycle of pools pays that the order could pass, and none in the whole market. */
  readonly atRest: boolean;
  readonly isArbitrageFree: boolean;
  /** The lowest upper bound so far, in value. */
  bound: number;
  rounds: number;
  /** Rounds that corrected prices, beside those. */
  repriced: number;
  /** Level of trade sizes at which pools are priced, down to `SPOT`. */
  level: number;
  /** Value of those trades. */
  size: number;
  /** Whether the last pricing step read the whole market. */
  whole: boolean;
  /** Rounds in a row that improved nothing. */
  idle: number;
  /** Pools that are in the problem as joint nodes of their own. */
  joined: readonly Joined[];
};

/** Relative gap at which the search for more edges ends. */
export const GAP = 1e-6;
/** The same with pools as joint nodes of their own. */
const GAP_JOINTLY = 2e-6;
/** A problem of more edges costs more with every round than a hundredth of a percent is worth: as many legs fill a block. */
const LARGE = 600;
/**
 * Its gap; where legs are few, the route of a large order is much farther from the optimum, and the more so where they cost.
 * What is farther from its bound than all of these counts as a search that failed: real outputs are searched besides.
 */
const LARGE_GAP: Record<Legs, number> = { free: 1e-4, capped: 3e-4, paid: 6e-4 };
/** How much wider it may be once joint nodes have been linearised, which says a little more or less than pairs did: not another round. */
const WIDER_JOINTLY = 1.3;

/** Whether what is delivered is near enough to the bound. */
export function closed(workspace: ColumnWorkspace, search: Search): boolean {
  const { bound } = search;
  return bound < Infinity && bound - workspace.primalFlow.kept <= gapOf(workspace, search) * bound;
}

/** Whether joint nodes were linearised where the flows are, so that these pay what they seem to, and that is near to the bound. */
export function isTight(workspace: ColumnWorkspace, search: Search): boolean {
  const { bound, joined } = search;
  const left = Math.abs(bound - workspace.primalFlow.kept);
  return joined.every(({ limited }) => !limited) && left < gapOf(workspace, search) * bound;
}

function gapOf(workspace: ColumnWorkspace, search: Search): number {
  if (search.joined.length === 0) return shareFor(workspace, search, GAP);
  return shareFor(workspace, search, GAP_JOINTLY) * (isLarge(workspace) ? WIDER_JOINTLY : 1);
}

/** The share that a problem of this size is solved to. @param share of a problem that is not large */
export function shareFor(workspace: ColumnWorkspace, { legs }: Search, share: number): number {
  return isLarge(workspace) ? LARGE_GAP[legs] : share;
}

export function isLarge({ problem }: ColumnWorkspace): boolean {
  return problem.edges > LARGE;
}
