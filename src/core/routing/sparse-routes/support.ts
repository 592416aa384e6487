import { grown } from "../../math/rows.ts";
import type { ColumnWorkspace } from "../column-generation/stopping.ts";
import { solveNewton } from "../convex/newton.ts";
import { carrying, deliver, indexByTail } from "../convex/primal-flow.ts";
import { dropDeadEnds, type Problem } from "../convex/problem.ts";
import type { Scratch } from "../convex/scratch.ts";
import { solveProblem } from "../convex/solve.ts";
import { subProblem } from "../convex/sub-problem.ts";
import { crossed, slopeAt } from "../curves/segments.ts";
import type { Graph } from "../market-graph/graph.ts";
import { BOTH_FORMS, type Ends, type Flow, formOfEnds, formsOf } from "../settlement/layout.ts";

/** The forms of the native coin that each edge of the problem meets, and that the order's ends are spelled in, as bits. */
type Wraps = { readonly forms: Uint8Array; readonly formOfEnds: number };

/** The search for few legs: which of a problem's edges to use, where each use costs. */
export type Picker = Wraps & {
  readonly graph: Graph;
  readonly workspace: ColumnWorkspace;
  /** What using each edge of the problem costs, in value: gas, and the unit that rounding takes. */
  readonly cost: Float64Array;
  /** What each segment of its curve that an edge leaves behind costs besides, in value: 0 until that is known. */
  readonly crossing: Float64Array;
  /** Legs allowed. */
  readonly cap: number;
  /** Hops of the longest path that pieces take, and whether longer ways that net less than shorter ones are left. */
  readonly hops: number;
  readonly isDirect: boolean;
  /** Whether a detour is left as soon as it is certain not to gain enough: with arbitrage, those that only seem to lead to other sets. */
  readonly isCertain: boolean;
  /** Edges of the problem that the whole optimum uses. */
  readonly optimum: readonly number[];
  /** Sets tried so far. */
  readonly tried: Map<string, Pick>;
  /** What the edges of picks earn at their prices less their cost, where that was asked for. */
  readonly worths: WeakMap<Pick, readonly number[]>;
  readonly late: () => boolean;
};

/** A set of edges with the best flows over it. */
export type Pick = {
  /** Edges of the problem that carry something, ascending. */
  readonly edges: readonly number[];
  readonly flows: readonly Flow[];
  /** What each edge costs with the segments that it crosses, in value. */
  readonly costs: readonly number[];
  /** The most that edges of the problem may sell, in smallest units. */
  readonly limits: Limits;
  /** What arrives, in value, and that less the costs; -Infinity where nothing arrives. */
  readonly value: number;
  readonly worth: number;
  /** Pools that are crossed, and the wrap that joins both forms of the native coin. */
  readonly legs: number;
  /** The worth, and -Infinity where the legs break the cap. */
  readonly net: number;
  /** Prices by node of the problem; 0 for tokens that are not used. */
  readonly prices: Float64Array;
};

export type Limits = ReadonlyMap<number, number>;

/** What a pick may start from: prices by node that are near (0: none there), and limits that hold. */
export type Near = { readonly prices?: Float64Array; readonly limits: Limits };

const NO_LIMITS: Limits = new Map();
const NOWHERE: Near = { limits: NO_LIMITS };

/** Edges to add to a pick, with the most that they can gain after their own cost, in value. */
export type Addition = { readonly edges: readonly number[]; readonly gain: number };

/** Edges up to which Newton's method is tried first, and the gap in which it has to end. */
const NEWTON = 40;
const NEWTON_GAP = 1e-7;

/** Solves the order over some of the problem's edges; a pool keeps only the pair that carries most. */
export function pick(picker: Picker, chosen: readonly number[], near: Near = NOWHERE): Pick {
  const sorted = [...new Set(chosen)].sort((a, b) => a - b);
  const key = `${String.fromCharCode(...sorted)};${[...near.limits].join()}`;
  const known = picker.tried.get(key);
  if (known !== undefined) return known;
  let picked = solvePick(picker, sorted, near);
  for (let clash = clashing(picker, picked); clash.size > 0; clash = clashing(picker, picked)) {
    picked = solvePick(
      picker,
      picked.edges.filter((e) => !clash.has(e)),
      picked,
    );
  }
  picker.tried.set(key, picked);
  return picked;
}

function solvePick(picker: Picker, chosen: readonly number[], near: Near): Pick {
  const { workspace } = picker;
  const { small, problem, scratch, primalFlow } = workspace;
  subProblem(small, problem, chosen);
  dropDeadEnds(small, undefined);
  primalFlow.most = -1;
  if (small.edges > 0 && !solveQuickly(workspace, near) && near.limits.size === 0) {
    for (let n = 0; n < small.nodes; n++) small.price[n] = problem.price[scratch.local[small.node[n]!]! - 1]!;
    small.sold.fill(0, 0, small.edges);
    primalFlow.most = -1;
    solveProblem(small, workspace, small.edges > NEWTON ? picker.late : undefined);
  }
  return readPick(picker, small, near.limits);
}

/** @returns whether the flows in the primalFlow are proved to be the best */
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

/** The edges of pools that another edge with a larger flow crosses too: their curves do not know of each other. */
function clashing({ graph, workspace }: Picker, { edges, flows }: Pick): ReadonlySet<number> {
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

function readPick(picker: Picker, small: Problem, limits: Limits): Pick {
  const { problem, primalFlow, scratch } = picker.workspace;
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
  return weigh(picker, { edges, flows, prices, limits, value: primalFlow.most });
}

/** A pick with its costs as far as they are known. */
export function weigh(
  picker: Picker,
  { edges, flows, prices, limits, value }: Omit<Pick, "costs" | "worth" | "legs" | "net">,
): Pick {
  const { graph, cost, crossing, cap } = picker;
  const costs = edges.map((e, k) => {
    const { edge, amount } = flows[k]!;
    return cost[e]! + (crossing[e]! > 0 ? crossing[e]! * crossed(graph.curves, edge, amount) : 0);
  });
  const worth = value > 0 ? costs.reduce((left, one) => left - one, value) : -Infinity;
  const legs = legsOf(picker, edges);
  return { edges, flows, prices, limits, value, costs, worth, legs, net: legs > cap ? -Infinity : worth };
}

/** The forms of the native coin that the edges of a problem and the ends of the order meet. */
export function wrapsOf(graph: Graph, { edge, edges }: Problem, ends: Ends): Wraps {
  const forms = new Uint8Array(edges);
  for (let e = 0; e < edges; e++) forms[e] = formsOf(graph, edge[e]!);
  return { forms, formOfEnds: formOfEnds(graph, ends) };
}

/** Pools that edges of the problem cross, and the wrap that joins both forms of the native coin. */
export function legsOf({ forms, formOfEnds }: Wraps, edges: readonly number[]): number {
  const met = edges.reduce((all, e) => all | forms[e]!, formOfEnds);
  return edges.length + Number(met === BOTH_FORMS);
}

function priceIn({ nodes, node, price }: Problem, wanted: number): number {
  for (let n = 0; n < nodes; n++) if (node[n] === wanted) return price[n]!;
  return 0;
}

/** The better of two picks; the first on a tie. */
export function betterPick(a: Pick | undefined, b: Pick | undefined): Pick | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.net > a.net ? b : a;
}

/**
 * What the tokens of flows are worth by the best way on over them, at what their pools pay then: where prices contradict each
 * other, those of the problem say little of what such flows pay.
 *
 * @returns by node of the problem; 0 for tokens that the flows do not meet
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
      const [u, v] = [local[tail[edge]!]! - 1, local[head[edge]!]! - 1];
      if (u < 0 || v < 0 || u === sink) continue;
      const price = (slopeAt(curves, edge, amount) * prices[v]! * ref[v]!) / ref[u]!;
      if (!(price > prices[u]!)) continue;
      prices[u] = price;
      moved = true;
    }
  }
  return prices;
}
