import { grown } from "../../math/rows.ts";
import type { ColumnWorkspace } from "../column-generation/stopping.ts";
import { solveNewton } from "../convex/newton.ts";
import { carrying, deliver, indexByTail } from "../convex/primal-flow.ts";
import { dropDeadEnds, type Problem } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import { solvePath } from "../convex/single-path.ts";
import { solveProblem } from "../convex/solve.ts";
import { subProblem } from "../convex/sub-problem.ts";
import { crossed, slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { BOTH_FORMS, type Ends, type Flow, formOfEnds, formsOf } from "../settlement/layout.ts";

/**
 * Forms of the native coin (bits: coin, wrapped) that each edge of the problem trades, and in which the order's ends
 * are given.
 */
type Wraps = { readonly forms: Uint8Array; readonly formOfEnds: number };

/** State of the search for a sparse route: which of a problem's edges to use, if each has a fixed cost. */
export type LegChoice = Wraps & {
  readonly graph: Graph;
  readonly workspace: ColumnWorkspace;
  /** By edge of the problem, the fixed cost of using it, in value: its gas, and its loss by integer rounding. */
  readonly cost: Float64Array;
  /**
   * By edge of the problem, the further cost of each segment boundary that a trade crosses, in value; 0 until it is
   * learned.
   */
  readonly crossing: Float64Array;
  /** Cap on the number of legs. */
  readonly cap: number;
  /** Hops of the longest path of a piece, and whether a path is dropped at a token where a shorter one nets more. */
  readonly hops: number;
  readonly isDirect: boolean;
  /**
   * Whether detours that provably gain too little are skipped. Unset with arbitrage, where they may still lead to
   * better supports.
   */
  readonly isCertain: boolean;
  /** Edges of the problem that the convex optimum uses, by falling flow. */
  readonly optimum: readonly number[];
  /** Supports solved so far, by their edges and limits. */
  readonly tried: Map<string, Support>;
  /** Cache: what the edges of a support earn at its prices less their cost. */
  readonly worths: WeakMap<Support, readonly number[]>;
  readonly late: () => boolean;
};

/** A support: a set of edges with the best flows over it. */
export type Support = {
  /** Edges of the problem that carry flow, ascending. */
  readonly edges: readonly number[];
  readonly flows: readonly Flow[];
  /** By edge, its cost with the segment boundaries that it crosses, in value. */
  readonly costs: readonly number[];
  /** The most that edges of the problem may sell, in smallest units. */
  readonly limits: Limits;
  /** What the flows bring to the sink, in value. `worth` is that less the costs; -Infinity if nothing arrives. */
  readonly value: number;
  readonly worth: number;
  /** Number of legs: pools crossed, and a wrap if both forms of the native coin are needed. */
  readonly legs: number;
  /** `worth`; -Infinity if there are more legs than the cap allows. */
  readonly net: number;
  /** Prices by node of the problem; 0 for tokens that are not used. */
  readonly prices: Float64Array;
};

export type Limits = ReadonlyMap<number, number>;

/** What a support is solved from and under: prices by node near the optimum (0 = none), and limits on edges. */
export type Near = { readonly prices?: Float64Array; readonly limits: Limits };

const NO_LIMITS: Limits = new Map();
const NOWHERE: Near = { limits: NO_LIMITS };

/** Edges to add to a support, with an upper bound on their gain after cost, in value. */
export type Addition = { readonly edges: readonly number[]; readonly gain: number };

/**
 * Number of edges up to which plain Newton iteration is tried first, and the relative duality gap that it must reach.
 */
const NEWTON = 40;
const NEWTON_GAP = 1e-7;

/** Solves the order over some of the problem's edges. Each pool is reduced to the pair that carries most. */
export function solveSupport(choice: LegChoice, chosen: readonly number[], near: Near = NOWHERE): Support {
  const sorted = [...new Set(chosen)].sort((a, b) => a - b);
  const key = `${String.fromCharCode(...sorted)};${[...near.limits].join()}`;
  const known = choice.tried.get(key);
  if (known !== undefined) return known;
  let picked = solvePick(choice, sorted, near);
  for (let clash = clashing(choice, picked); clash.size > 0; clash = clashing(choice, picked)) {
    picked = solvePick(
      choice,
      picked.edges.filter((e) => !clash.has(e)),
      picked,
    );
  }
  choice.tried.set(key, picked);
  return picked;
}

function solvePick(choice: LegChoice, chosen: readonly number[], near: Near): Support {
  const { workspace } = choice;
  const { small, problem, scratch, primalFlow } = workspace;
  subProblem(small, problem, chosen);
  dropDeadEnds(small, undefined);
  primalFlow.most = -1;
  if (near.limits.size === 0 && solvePath(small, primalFlow)) return readPick(choice, small, near.limits);
  if (small.edges > 0 && !solveQuickly(workspace, near) && near.limits.size === 0) {
    for (let n = 0; n < small.nodes; n++) small.price[n] = problem.price[scratch.local[small.node[n]!]! - 1]!;
    small.sold.fill(0, 0, small.edges);
    primalFlow.most = -1;
    solveProblem(small, workspace, small.edges > NEWTON ? choice.late : undefined);
  }
  return readPick(choice, small, near.limits);
}

/**
 * Solves `workspace.small` by Newton's method, from nearby prices if there are any. @returns whether the flow is proved
 * to be optimal
 */
function solveQuickly(workspace: ColumnWorkspace, { prices, limits }: Near): boolean {
  const { small, primalFlow, newton, scratch } = workspace;
  if (small.edges > NEWTON) return false;
  for (let n = 0; prices !== undefined && n < small.nodes; n++) {
    const price = prices[scratch.local[small.node[n]!]! - 1]!;
    if (price > 0) small.price[n] = price;
  }
  newton.most = grown(newton.most, small.edges).fill(Infinity, 0, small.edges);
  for (let e = 0; limits.size > 0 && e < small.edges; e++) {
    newton.most[e] = limits.get(scratch.inProblem[small.edge[e]!]! - 1) ?? Infinity;
  }
  const bound = solveNewton(small, newton);
  if (bound === undefined) return false;
  indexByTail(primalFlow, small);
  deliver(primalFlow, small);
  return bound - primalFlow.most <= NEWTON_GAP * bound;
}

/** The edges whose pool another edge with a larger flow crosses too: the curves of its pairs ignore each other. */
function clashing({ graph, workspace }: LegChoice, { edges, flows }: Support): ReadonlySet<number> {
  const { problem } = workspace;
  const best = new Map<number, number>();
  const clash = new Set<number>();
  const value = (k: number) => flows[k]!.amount * problem.ref[problem.tail[edges[k]!]!]!;
  for (let k = 0; k < edges.length; k++) {
    const pool = graph.owner[problem.edge[edges[k]!]!]!;
    const other = best.get(pool);
    if (other === undefined) best.set(pool, k);
    else {
      const loser = value(k) > value(other) ? other : k;
      clash.add(edges[loser]!);
      if (loser === other) best.set(pool, k);
    }
  }
  return clash;
}

function readPick(choice: LegChoice, small: Problem, limits: Limits): Support {
  const { problem, primalFlow, scratch } = choice.workspace;
  const edges: number[] = [];
  const flows: Flow[] = [];
  for (const e of carrying(primalFlow, small)) {
    edges.push(scratch.inProblem[small.edge[e]!]! - 1);
    flows.push({ edge: small.edge[e]!, amount: primalFlow.best[e]! });
  }
  const prices = new Float64Array(problem.nodes);
  for (const e of edges) {
    prices[problem.tail[e]!] = priceIn(small, problem.node[problem.tail[e]!]!);
    prices[problem.head[e]!] = priceIn(small, problem.node[problem.head[e]!]!);
  }
  return weigh(choice, { edges, flows, prices, limits, value: primalFlow.most });
}

/** Completes a support with its costs, as far as these are learned, its number of legs and its net. */
export function weigh(
  choice: LegChoice,
  { edges, flows, prices, limits, value }: Omit<Support, "costs" | "worth" | "legs" | "net">,
): Support {
  const { graph, cost, crossing, cap } = choice;
  const costs = edges.map((e, k) => {
    const { edge, amount } = flows[k]!;
    return cost[e]! + (crossing[e]! > 0 ? crossing[e]! * crossed(graph.curves, edge, amount) : 0);
  });
  const worth = value > 0 ? costs.reduce((left, one) => left - one, value) : -Infinity;
  const legs = legsOf(choice, edges);
  return { edges, flows, prices, limits, value, costs, worth, legs, net: legs > cap ? -Infinity : worth };
}

/** The forms of the native coin that the edges of a problem trade and the ends of the order name. */
export function wrapsOf(graph: Graph, { edge, edges }: Problem, ends: Ends): Wraps {
  const forms = new Uint8Array(edges);
  for (let e = 0; e < edges; e++) forms[e] = formsOf(graph, edge[e]!);
  return { forms, formOfEnds: formOfEnds(graph, ends) };
}

/** Number of legs of some edges: the pools that they cross, and a wrap if both forms of the native coin are needed. */
export function legsOf({ forms, formOfEnds }: Wraps, edges: readonly number[]): number {
  const met = edges.reduce((all, e) => all | forms[e]!, formOfEnds);
  return edges.length + Number(met === BOTH_FORMS);
}

function priceIn({ nodes, node, price }: Problem, wanted: number): number {
  for (let n = 0; n < nodes; n++) if (node[n] === wanted) return price[n]!;
  return 0;
}

/** The better of two supports; the first on a tie. */
export function betterSupport(a: Support | undefined, b: Support | undefined): Support | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.net > a.net ? b : a;
}

/**
 * Sell prices that flows imply: the best product of marginal prices to the token bought along the edges of the flows,
 * after the flow. Under arbitrage the problem's prices are inconsistent and say little of such flows.
 *
 * @returns normalised prices by node of the problem; 0 for tokens from which no flow leads on
 */
export function pricesAlong(
  { curves, tail, head }: Graph,
  { nodes, sink, ref }: Problem,
  { local }: Scratch,
  flows: readonly Flow[],
): Float64Array {
  const prices = new Float64Array(nodes);
  prices[sink] = 1;
  for (let round = 0, moved = true; round < flows.length && moved; round++) {
    moved = false;
    for (const { edge, amount } of flows) {
      const u = local[tail[edge]!]! - 1;
      const v = local[head[edge]!]! - 1;
      if (u < 0 || v < 0 || u === sink) continue;
      const price = (slopeAt(curves, edge, amount) * prices[v]! * ref[v]!) / ref[u]!;
      if (!(price > prices[u]!)) continue;
      prices[u] = price;
      moved = true;
    }
  }
  return prices;
}
