import { spotValues } from "../orders/board.ts";
import { type Answer, betterAnswer, judgePaths, type Task } from "../proof/judge.ts";
import { bestPath, disjointPaths, type PathSearch } from "./best-path.ts";
import { greedyFlows } from "./greedy-flows.ts";
import { gridSplit } from "./grid-split.ts";
import { waterFill } from "./water-filling.ts";

/** A published way to route, re-implemented from its description and answered for one order. */
export type Strategy = (task: Task) => Answer | undefined;

/** By the name that the table shows and `--strategies` takes. */
export const strategies: ReadonlyMap<string, Strategy> = new Map<string, Strategy>([
  ["one-path-3", onePath(3)],
  ["one-path-4", onePath(4)],
  ["grid-5%", splitting(8, gridSplit)],
  ["water-8", splitting(8, waterFill)],
  ["water-16", splitting(16, waterFill)],
  ["greedy-flows", greedyFlows],
]);

/** Hops of a path of the splitting strategies. */
const SPLIT_HOPS = 3;
/** Shares of the order that the paths of the splitting strategies are looked for with. */
const PROBES = [0.5, 0.1];

function searchOf(task: Task, hops: number): PathSearch {
  const { board, from, to, amount, gasOut } = task;
  const values = gasOut > 0 ? spotValues(board, to) : new Float64Array(0);
  return { from, to, amount: Number(amount), hops, banned: new Set(), gasOut, values };
}

function onePath(hops: number): Strategy {
  return (task) => {
    const path = bestPath(task.board, searchOf(task, hops));
    return path && judgePaths(task, [{ path, amount: 1 }]);
  };
}

function splitting(count: number, split: typeof waterFill): Strategy {
  return (task) => {
    const search = searchOf(task, SPLIT_HOPS);
    const single = bestPath(task.board, search);
    let best = single && judgePaths(task, [{ path: single, amount: 1 }]);
    for (const share of PROBES) {
      const paths = disjointPaths(task.board, { ...search, amount: search.amount * share }, count);
      if (paths.length === 0) continue;
      best = betterAnswer(best, judgePaths(task, split(task, paths)));
    }
    return best;
  };
}
