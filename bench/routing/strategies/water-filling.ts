import type { Edge } from "../orders/board.ts";
import type { PathFlow, Task } from "../proof/judge.ts";
import { pathGas, pathOut } from "./best-path.ts";

const CHUNKS = 256;

type Filled = { readonly chunks: readonly number[]; readonly net: number };

/**
 * Chunk after chunk to the path that pays most for it, over paths that share no pool. Paths that do not earn their gas
 * are taken out again, the least useful first, and so are paths over the cap on legs.
 *
 * @source the idea of propeller-heads/fynd `water_fill`
 */
export function waterFill(task: Task, paths: readonly (readonly Edge[])[]): PathFlow[] {
  let kept = [...paths];
  let filled = fill(task, kept);
  for (;;) {
    kept = kept.filter((_, k) => filled.chunks[k]! > 0);
    filled = { ...filled, chunks: filled.chunks.filter((chunks) => chunks > 0) };
    const over = kept.flat().length > task.maxLegs;
    if (kept.length < 2 || (!over && task.gasOut === 0)) break;
    const without = kept.map((_, k) =>
      fill(
        task,
        kept.filter((_path, n) => n !== k),
      ),
    );
    const best = without.reduce((a, b) => (b.net > a.net ? b : a));
    if (!over && best.net <= filled.net) break;
    kept = kept.filter((_, k) => k !== without.indexOf(best));
    filled = best;
  }
  return kept.map((path, k) => ({ path, amount: filled.chunks[k]! }));
}

function fill({ board, amount, gasOut }: Task, paths: readonly (readonly Edge[])[]): Filled {
  const unit = Number(amount) / CHUNKS;
  const chunks = paths.map(() => 0);
  const held = paths.map(() => 0);
  const next = paths.map((path) => pathOut(path, unit));
  for (let n = 0; n < CHUNKS; n++) {
    let best = 0;
    for (let k = 1; k < paths.length; k++) if (next[k]! - held[k]! > next[best]! - held[best]!) best = k;
    chunks[best]!++;
    held[best] = next[best]!;
    next[best] = pathOut(paths[best]!, (chunks[best]! + 1) * unit);
  }
  const gas = paths.reduce((sum, path, k) => sum + pathGas(board, path, chunks[k]! * unit, gasOut), 0);
  return { chunks, net: held.reduce((sum, out) => sum + out, 0) - gas };
}
