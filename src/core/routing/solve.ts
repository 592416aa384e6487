import type { Graph } from "./graph.ts";
import { type Solved, solveInterior, type Until } from "./interior.ts";
import { deliver, layDelivery } from "./primal.ts";
import type { Problem } from "./problem.ts";
import type { Workshop } from "./workshop.ts";

/** Solves the problem, and leaves in the delivery a real flow near its optimum. */
export function solveProblem(problem: Problem, graph: Graph, shop: Workshop, until: Until): Solved {
  const solved = solveInterior(problem, graph, shop, until);
  layDelivery(shop.delivery, problem);
  shop.delivery.most = -1;
  deliver(shop.delivery, problem, graph);
  return solved;
}
