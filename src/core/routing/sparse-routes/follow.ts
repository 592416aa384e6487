import type { Demand } from "../convex/demand.ts";
import { carrying } from "../convex/primal-flow.ts";
import { addEdgeWithEnds, beginProblem } from "../convex/problem.ts";
import { solveProblem } from "../convex/solve.ts";
import type { Graph } from "../market-graph/graph.ts";
import type { Flow } from "../settlement/layout.ts";
import type { Workshop } from "../workspace.ts";
import { pricesAlong } from "./along.ts";
import { pour } from "./pour.ts";
import { sendPieces } from "./scout.ts";
import type { LegRules } from "./support-search.ts";

/** What a set of edges is to keep within, and the hops of an ordinary path. */
export type FollowRules = LegRules & { readonly hops: number };

/** What a set is solved and followed up with. */
export type Following = {
  readonly graph: Graph;
  readonly shop: Workshop;
  readonly demand: Demand;
  readonly rules: FollowRules;
};

/** The best flows over some edges, and what they deliver less their gas, in value. */
export type Followed = { readonly flows: readonly Flow[]; readonly net: number };

/** Pieces that look for further ways, as shares of the order, the largest first. */
const SHARES = [1 / 8, 1 / 32, 1 / 128];
/** Further ways that are taken at most. */
const MOST_FOLLOWED = 16;
/** Share of what a set nets that a further way must bring. */
const BETTER = 1e-6;
const GAP = 2e-7;
const ITERATIONS = 30;

/** The best flows over the edges of a set; undefined where nothing arrives. Leaves their problem in the workshop. */
export function solveAlong(following: Following, set: readonly Flow[]): Followed | undefined {
  const { graph, shop, demand, rules } = following;
  const { problem, scratch, delivery } = shop;
  const { from, to, late } = demand;
  beginProblem(problem, graph, scratch, { from, to, supply: demand.amount * graph.values.ref[from]! });
  for (const { edge } of set) addEdgeWithEnds(problem, graph, scratch, { edge, priceOf: unpriced });
  const prices = pricesAlong(graph, problem, scratch, set);
  for (let n = 0; n < problem.nodes; n++) if (prices[n]! > 0) problem.price[n] = prices[n]!;
  solveProblem(problem, graph, shop, { gap: GAP, most: ITERATIONS, late });
  if (!(delivery.most > 0)) return undefined;
  const flows = carrying(delivery, problem).map((e) => ({
    edge: problem.edge[e]!,
    amount: delivery.best[e]!,
  }));
  const net = flows.reduce((left, { edge }) => left - graph.gas[edge]! * rules.perGas, delivery.most);
  return { flows, net };
}

const unpriced = () => 1;

/** The same over as many edges as are allowed: those that carry least go. */
function solveWithin(following: Following, set: readonly Flow[]): Followed | undefined {
  const { graph, rules } = following;
  const value = ({ edge, amount }: Flow) => amount * graph.values.ref[graph.tail[edge]!]!;
  const solved = solveAlong(following, set);
  if (solved === undefined || solved.flows.length <= rules.cap) return solved;
  const heaviest = [...solved.flows].sort((a, b) => value(b) - value(a) || a.edge - b.edge);
  return solveAlong(following, heaviest.slice(0, rules.cap));
}

/**
 * What a solved set becomes when small pieces that are sent after it look for further ways: each way that pays more than what
 * is there joins the set, which is solved again. So edges are found that would carry a hundredth of the order, without
 * sending all of it in as small pieces.
 */
export function followUp(following: Following, set: Followed): Followed {
  let best = set;
  let left = MOST_FOLLOWED;
  for (const share of SHARES) {
    for (; left > 0 && !following.demand.late(); left--) {
      const next = furtherWay(following, best, share);
      if (!(next.net > best.net + BETTER * Math.abs(best.net))) break;
      best = next;
    }
  }
  return best;
}

/** The set with the way that one more piece takes, poured or sent by the scout, where that nets more. */
function furtherWay(following: Following, set: Followed, share: number): Followed {
  const { graph, shop, rules } = following;
  const piece = partOf(following.demand, share);
  // Its gas is weighed by what the whole order gains, not by what the piece does.
  const sent = { pieces: 1, legs: Infinity, perGas: 0, after: set.flows };
  const ways = [
    pour(graph, shop.pourer, piece, sent),
    sendPieces(graph, shop.scout, piece, { ...sent, hops: rules.hops }),
  ];
  let best = set;
  for (const way of ways) {
    const solved = way.length > 0 ? solveWithin(following, way) : undefined;
    if (solved !== undefined && solved.net > best.net) best = solved;
  }
  return best;
}

/** The demand for a share of an order. */
export function partOf({ from, to, allowed, late, amount }: Demand, share: number): Demand {
  return { from, to, allowed, late, amount: amount * share };
}
