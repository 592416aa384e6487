import { bestSinglePath } from "./fill.ts";
import type { Graph } from "./graph.ts";
import { improve } from "./moves.ts";
import { betterPick, type Pick, type Picker, pick } from "./pick.ts";
import { addProblemEdge, addProblemNode, beginProblem } from "./problem.ts";
import type { Demand } from "./start.ts";
import { usedUnderTolls } from "./tolls.ts";
import type { Workshop } from "./workshop.ts";

export type LegRules = {
  /** Value of one unit of gas; 0 where gas is free. */
  readonly perGas: number;
  /** Legs allowed; Infinity for no cap. */
  readonly cap: number;
};

/** Edges of the optimum and of the first problem that the choice is made from. */
const FROM_OPTIMUM = 100;
const FROM_START = 60;
/** What rounding takes of each leg's output, in smallest units. */
const ROUNDING = 0.6;
/** How many times the cost is charged, in turn. */
const TOLLS = [1, 3, 10];
const MOST_CAP_ROUNDS = 10;

/**
 * The best few legs after the whole optimum was found: the best single path, what stays in use under tolls of
 * several heights, and what exchanges of edges make of the best of them.
 *
 * @returns picks to be judged exactly, the best by estimate first
 */
export function chooseLegs(graph: Graph, shop: Workshop, demand: Demand, rules: LegRules): readonly Pick[] {
  narrow(graph, shop, demand);
  const picker: Picker = {
    graph,
    shop,
    cap: rules.cap,
    cost: costs(graph, shop, rules.perGas),
    tried: new Map(),
    late: demand.late,
  };
  const single = pick(picker, singlePath(picker));
  const picks = [single, ...(rules.perGas > 0 ? underTolls(picker) : []), ...underCap(picker)];
  const sorted = picks.filter(({ net }) => net > -Infinity).sort((a, b) => b.net - a.net);
  let best: Pick | undefined;
  for (const start of sorted.slice(0, 2)) best = betterPick(best, improve(picker, start));
  return best === undefined ? [] : [best, ...sorted];
}

/** A trade smaller than its gas is still the caller's to make: then the path that pays most. */
function singlePath({ graph, shop, cost }: Picker): number[] {
  const path = bestSinglePath(shop.problem, graph, shop.labels, cost);
  return path.length > 0 ? path : bestSinglePath(shop.problem, graph, shop.labels, new Float64Array(0));
}

/** Makes the problem small: the edges that carry most in the optimum, and the most promising of the start. */
function narrow(graph: Graph, { problem, scratch, delivery, ranked }: Workshop, demand: Demand): void {
  const prices = new Map<number, number>();
  for (let n = 0; n < problem.nodes; n++) prices.set(problem.node[n]!, problem.price[n]!);
  const { ref } = graph.values;
  const carried = [...delivery.flows]
    .map(([edge, sent]) => ({ edge, value: sent * ref[graph.tail[edge]!]! }))
    .sort((a, b) => b.value - a.value || a.edge - b.edge)
    .slice(0, FROM_OPTIMUM);
  const promising = [...ranked.price.subarray(0, ranked.count).keys()]
    .sort((a, b) => ranked.price[b]! - ranked.price[a]! || a - b)
    .slice(0, FROM_START)
    .map((k) => ranked.edge[k]!)
    .filter((edge) => demand.allowed(edge));
  beginProblem(problem, graph, scratch, { ...demand, supply: problem.supply });
  for (const edge of [...carried.map((flow) => flow.edge), ...promising]) {
    for (const node of [graph.tail[edge]!, graph.head[edge]!]) {
      addProblemNode(problem, graph, scratch, { node, price: prices.get(node) ?? scratch.back[node]! });
    }
    addProblemEdge(problem, graph, scratch, edge);
  }
  for (let n = 0; n < problem.nodes; n++)
    problem.price[n] = prices.get(problem.node[n]!) ?? problem.price[n]!;
}

/** What each leg costs in value: its gas, and the unit that rounding takes. */
function costs(graph: Graph, { problem }: Workshop, perGas: number): Float64Array {
  const cost = new Float64Array(problem.edges);
  for (let e = 0; e < problem.edges; e++) {
    const unit = problem.ref[problem.head[e]!]! * problem.price[problem.head[e]!]!;
    cost[e] = graph.gas[problem.edge[e]!]! * perGas + ROUNDING * unit;
  }
  return cost;
}

function underTolls(picker: Picker): Pick[] {
  return TOLLS.map((times) => pick(picker, usedUnderTolls(picker, times)));
}

/** Raises a charge on every leg until few enough stay in use. */
function underCap(picker: Picker): Pick[] {
  const { shop, cap, cost } = picker;
  if (cap === Infinity) return [];
  const picks: Pick[] = [];
  let charge = shop.problem.supply * 1e-6;
  for (let round = 0; round < MOST_CAP_ROUNDS && !picker.late(); round++, charge *= 4) {
    const charged = cost.map((own) => own + charge);
    const used = usedUnderTolls({ ...picker, cost: charged }, 1);
    if (used.length > cap * 3) continue;
    const picked = pick(picker, used);
    if (picked.edges.length <= cap) {
      picks.push(picked);
      break;
    }
    picks.push(trimmed(picker, picked));
  }
  return picks;
}

/** Takes the legs that carry least away until the cap holds. */
function trimmed(picker: Picker, from: Pick): Pick {
  const { problem } = picker.shop;
  let left = from;
  while (left.edges.length > picker.cap && !picker.late()) {
    const over = left.edges.length - picker.cap;
    const byFlow = left.edges
      .map((e, k) => ({ e, value: left.flows[k]!.amount * problem.ref[problem.tail[e]!]! }))
      .sort((a, b) => b.value - a.value);
    const kept = byFlow.slice(0, byFlow.length - Math.ceil(over / 2));
    left = pick(
      picker,
      kept.map(({ e }) => e),
    );
    if (left.edges.length === 0) break;
  }
  return left;
}
