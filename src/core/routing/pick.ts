import type { Graph } from "./graph.ts";
import type { Flow } from "./plan.ts";
import { dropDeadEnds, type Problem, subProblem } from "./problem.ts";
import { solveProblem } from "./solve.ts";
import type { Workshop } from "./workshop.ts";

/** The search for few legs: which of a problem's edges to use, where each use costs. */
export type Picker = {
  readonly graph: Graph;
  readonly shop: Workshop;
  /** What using each edge of the problem costs, in value: gas, and the unit that rounding takes. */
  readonly cost: Float64Array;
  /** Legs allowed. */
  readonly cap: number;
  /** Edges of the problem that the whole optimum uses. */
  readonly optimum: readonly number[];
  /** Sets tried so far. */
  readonly tried: Map<string, Pick>;
  readonly late: () => boolean;
};

/** A set of edges with the best flows over it. */
export type Pick = {
  /** Edges of the problem that carry something, ascending. */
  readonly edges: readonly number[];
  readonly flows: readonly Flow[];
  /** What arrives, and that less the cost of the edges, in value; -Infinity where nothing arrives or the cap is broken. */
  readonly value: number;
  readonly net: number;
  /** Prices by node of the problem; 0 for tokens that are not used. */
  readonly prices: Float64Array;
};

const GAP = 2e-8;
const ITERATIONS = 25;
/** A flow below this share of the supply is none. */
const NOTHING = 1e-10;

/** Solves the order over some of the problem's edges; a pool keeps only the pair that carries most. */
export function pick(picker: Picker, chosen: readonly number[]): Pick {
  const sorted = [...new Set(chosen)].sort((a, b) => a - b);
  const key = sorted.join();
  const known = picker.tried.get(key);
  if (known !== undefined) return known;
  let picked = solvePick(picker, sorted);
  for (let clash = clashing(picker, picked); clash.size > 0; clash = clashing(picker, picked)) {
    picked = solvePick(
      picker,
      picked.edges.filter((e) => !clash.has(e)),
    );
  }
  picker.tried.set(key, picked);
  return picked;
}

function solvePick(picker: Picker, chosen: readonly number[]): Pick {
  const { graph, shop } = picker;
  const { small } = shop;
  subProblem(small, shop.problem, chosen);
  dropDeadEnds(small, undefined, { edges: 0, nodes: 0 });
  if (small.edges > 0) solveProblem(small, graph, shop, { gap: GAP, most: ITERATIONS });
  else shop.delivery.most = -1;
  return readPick(picker, small);
}

/** The edges of pools that another edge with a larger flow crosses too: their curves do not know of each other. */
function clashing({ graph, shop }: Picker, { edges, flows }: Pick): ReadonlySet<number> {
  const { problem } = shop;
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

function readPick({ shop, cost, cap }: Picker, small: Problem): Pick {
  const { problem, delivery, scratch } = shop;
  const edges: number[] = [];
  const flows: Flow[] = [];
  let net = delivery.most > 0 ? delivery.most : -Infinity;
  for (let e = 0; e < small.edges; e++) {
    const sent = delivery.best[e]!;
    if (!(sent * small.ref[small.tail[e]!]! > NOTHING * small.supply)) continue;
    const local = scratch.inProblem[small.edge[e]!]! - 1;
    edges.push(local);
    flows.push({ edge: small.edge[e]!, amount: sent });
    net -= cost[local]!;
  }
  const prices = new Float64Array(problem.nodes);
  for (const e of edges) {
    prices[problem.tail[e]!] = priceIn(small, problem.node[problem.tail[e]!]!);
    prices[problem.head[e]!] = priceIn(small, problem.node[problem.head[e]!]!);
  }
  return { edges, flows, value: delivery.most, net: edges.length > cap ? -Infinity : net, prices };
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
