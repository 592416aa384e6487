import { solveProblem } from "./newton.ts";
import type { Picker } from "./pick.ts";

const ROUNDS = 6;
const GAP = 1e-5;
const ITERATIONS = 15;
/** The most of its output that a toll takes. */
const MOST = 0.9;
/** An edge without a flow is charged as if it had this share of the supply. */
const IDLE = 0.02;

/**
 * The edges that stay in use when each pays its cost as a toll on its output. The toll is set so that the flow of
 * the round before would pay the cost; small flows find it dear and go, which makes others larger and theirs cheaper.
 *
 * @param times how many times the cost is charged
 */
export function usedUnderTolls(picker: Picker, times: number): number[] {
  const { graph, shop, cost } = picker;
  const { problem, delivery } = shop;
  problem.keep.fill(1, 0, problem.edges);
  let used: number[] = [];
  for (let round = 0; round < ROUNDS && !picker.late(); round++) {
    solveProblem(problem, graph, shop, { gap: GAP, most: ITERATIONS });
    const before = used.length;
    used = [];
    for (let e = 0; e < problem.edges; e++) {
      const sent = delivery.best[e]! * problem.ref[problem.tail[e]!]! * problem.price[problem.tail[e]!]!;
      if (sent > 1e-9 * problem.supply) used.push(e);
      const through = Math.max(sent, IDLE * problem.supply);
      problem.keep[e] = 1 - Math.min(MOST, (times * cost[e]!) / through);
    }
    if (round > 1 && used.length === before) break;
  }
  problem.keep.fill(1, 0, problem.edges);
  return used;
}
