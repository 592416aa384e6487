import { grown } from "../../math/rows.ts";
import { profitAt } from "../curves/segments.ts";
import { solveNewton } from "./newton.ts";
import { deliver, indexByTail } from "./primal-flow.ts";
import type { Problem } from "./problem.ts";
import type { ConvexWorkspace } from "./solve.ts";

/** Number of cycles that are cut at most. */
const MOST_CUT = 12;

/**
 * Solves a problem whose optimum may contain cycles, which a route cannot follow as it passes each token once. In each cycle the
 * edge that earns least is closed and the problem solved again. Cycles that are left in the end are cut by `deliver`.
 */
export function solveAcyclic(problem: Problem, workspace: ConvexWorkspace, late: () => boolean): void {
  const { newton, primalFlow } = workspace;
  indexByTail(primalFlow, problem);
  newton.most = grown(newton.most, problem.edges).fill(Infinity, 0, problem.edges);
  primalFlow.most = -1;
  for (let cut = 0; cut < MOST_CUT && !late(); cut++) {
    solveNewton(problem, newton, late);
    const cycle = cycleOf(problem);
    if (cycle.length === 0) break;
    const least = cycle.reduce((a, b) => (earnedBy(problem, a) <= earnedBy(problem, b) ? a : b));
    newton.most[least] = 0;
  }
  deliver(primalFlow, problem);
}

/** What an edge earns at the prices, in value. */
function earnedBy({ tail, head, ref, price, curves }: Problem, e: number): number {
  const out = price[head[e]!]! * ref[head[e]!]!;
  return out * profitAt(curves, e, (price[tail[e]!]! * ref[tail[e]!]!) / out);
}

/** State of a node in a depth-first search: not visited, on the present path, or done. */
const NEW = 0;
const OPEN = 1;
const LEFT = 2;

/** The edges of a cycle among edges that sell; [] if there is none. */
function cycleOf({ nodes, edges, tail, head, sold }: Problem): readonly number[] {
  const out = Array.from({ length: nodes }, (): number[] => []);
  for (let e = 0; e < edges; e++) if (sold[e]! > 0) out[tail[e]!]!.push(e);
  const state = new Uint8Array(nodes).fill(NEW);
  const way: number[] = [];
  const visit = (node: number): boolean => {
    state[node] = OPEN;
    for (const e of out[node]!) {
      if (state[head[e]!] === LEFT) continue;
      way.push(e);
      if (state[head[e]!] === OPEN || visit(head[e]!)) return true;
      way.pop();
    }
    state[node] = LEFT;
    return false;
  };
  for (let n = 0; n < nodes; n++) {
    if (state[n] !== NEW || !visit(n)) continue;
    const end = head[way.at(-1)!]!;
    return way.slice(way.findIndex((e) => tail[e] === end));
  }
  return [];
}
