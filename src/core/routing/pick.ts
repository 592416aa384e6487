import type { Graph } from "./graph.ts";
import { solveProblem } from "./newton.ts";
import type { Flow } from "./plan.ts";
import { type Problem, subProblem } from "./problem.ts";
import type { Workshop } from "./workshop.ts";

/** The search for few legs: which of a problem's edges to use, where each use costs. */
export type Picker = {
  readonly graph: Graph;
  readonly shop: Workshop;
  /** What using each edge of the problem costs, in value: gas, and the unit that rounding takes. */
  cost: Float64Array;
  /** Legs allowed. */
  readonly cap: number;
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

/** Solves the order over some of the problem's edges. */
export function pick(picker: Picker, chosen: readonly number[]): Pick {
  const sorted = [...new Set(chosen)].sort((a, b) => a - b);
  const key = sorted.join();
  const known = picker.tried.get(key);
  if (known !== undefined) return known;
  const { graph, shop } = picker;
  const { small } = shop;
  subProblem(small, shop.problem, sorted);
  solveProblem(small, graph, shop, { gap: GAP, most: ITERATIONS });
  const picked = readPick(picker, small, sorted);
  picker.tried.set(key, picked);
  return picked;
}

function readPick({ shop, cost, cap }: Picker, small: Problem, chosen: readonly number[]): Pick {
  const { problem, delivery } = shop;
  const edges: number[] = [];
  const flows: Flow[] = [];
  let net = delivery.most > 0 ? delivery.most : -Infinity;
  for (let e = 0; e < small.edges; e++) {
    const sent = delivery.best[e]!;
    if (!(sent * small.ref[small.tail[e]!]! > NOTHING * small.supply)) continue;
    edges.push(chosen[e]!);
    flows.push({ edge: small.edge[e]!, amount: sent });
    net -= cost[chosen[e]!]!;
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
