import type { Edge } from "../orders/board.ts";
import type { PathFlow, Task } from "../proof/judge.ts";
import { pathGas, pathOut } from "./best-path.ts";

const STEPS = 20;

/** The best so far for a number of grid steps and legs: what it nets, and what the last path took of it. */
type Cell = { readonly net: number; readonly taken: number };

/**
 * The best shares on a 5 % grid over paths that share no pool, by a table over paths, steps and legs: exact, gas and
 * the cap included.
 *
 * @source the 5 % grid and the cap on splits are Uniswap/smart-order-router's; the table replaces its search
 */
export function gridSplit(task: Task, paths: readonly (readonly Edge[])[]): PathFlow[] {
  const { board, amount, gasOut } = task;
  const mostLegs = Math.min(task.maxLegs, paths.flat().length);
  const unit = Number(amount) / STEPS;
  const width = mostLegs + 1;
  let row: Cell[] = Array.from({ length: (STEPS + 1) * width }, (_, k) => ({
    net: k < width ? 0 : Number.NEGATIVE_INFINITY,
    taken: 0,
  }));
  const rows: Cell[][] = [];
  for (const path of paths) {
    const worth = Array.from({ length: STEPS + 1 }, (_, taken) =>
      taken === 0 ? 0 : pathOut(path, taken * unit) - pathGas(board, path, taken * unit, gasOut),
    );
    row = row.map(({ net }, k) => bestCell(row, worth, { k, width, legs: path.length, net }));
    rows.push(row);
  }
  let at = STEPS * width + mostLegs;
  const flows: PathFlow[] = [];
  for (let k = paths.length - 1; k >= 0; k--) {
    const { taken } = rows[k]![at]!;
    flows.push({ path: paths[k]!, amount: taken * unit });
    if (taken > 0) at -= taken * width + paths[k]!.length;
  }
  return flows.reverse();
}

function bestCell(
  row: readonly Cell[],
  worth: readonly number[],
  { k, width, legs, net }: { k: number; width: number; legs: number; net: number },
): Cell {
  const steps = Math.floor(k / width);
  let best: Cell = { net, taken: 0 };
  if (k % width < legs) return best;
  for (let taken = 1; taken <= steps; taken++) {
    const total = row[k - taken * width - legs]!.net + worth[taken]!;
    if (total > best.net) best = { net: total, taken };
  }
  return best;
}
