import { FORMS } from "../settlement/layout.ts";
import { bestSinglePath, type Tolls } from "./equal-pieces.ts";
import { betterSupport, type LegChoice, type Support, solveSupport } from "./support.ts";

/**
 * The best single path after costs. If none nets anything, the one that loses least, which the caller may still want.
 *
 * Where that path exceeds the cap, by its hops or by the wrap between its pools, it is the best of shorter paths: those that leave a leg
 * for a wrap, and those over either form of the native coin alone, which need none.
 */
export function singlePath(choice: LegChoice): Support {
  const { graph, workspace, cap, hops } = choice;
  const along = (tolls: Tolls, most: number) =>
    solveSupport(choice, bestSinglePath(workspace.problem, graph, tolls, { ...choice, hops: most }));
  const best = along(choice, hops);
  if (best.legs <= cap) return best;
  const ofOneForm = FORMS.map((form) => along(without(choice, form), Math.min(hops, cap)));
  const shorter = along(choice, Math.min(hops, Math.max(1, cap - 1)));
  return [shorter, ...ofOneForm].reduce((found, one) => betterSupport(found, one)!, best);
}

/** The costs of edges, of which none can pay those of a form of the native coin. */
function without({ cost, crossing, forms }: LegChoice, form: number): Tolls {
  return { cost: cost.map((one, e) => (forms[e] === form ? Infinity : one)), crossing };
}
