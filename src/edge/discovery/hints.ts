import type { PairPool } from "../lens/named.ts";
import { poolsOfPairs } from "../lens/pairs.ts";
import { type Hint, hintOf } from "../store/snapshot-lines.ts";
import type { Cursor } from "./backfill.ts";
import type { Checkpoint } from "./restart/checkpoint.ts";
import type { DiscoveryContext } from "./types.ts";
import { wakeDeepOf } from "./waking/deep.ts";
import { headOf, persistently } from "./waking/wake.ts";

/** Lines that are checked together. */
const LINES_AT_ONCE = 1_000;

/**
 * Asks the factories for the pools that an imported snapshot names. The snapshot is not trusted: pools are taken only
 * as a factory of the chain's own configuration answers them; lines whose pool no factory has are counted as unknown.
 *
 * @throws NodeFailure; lines that were handled before are not read again
 */
export async function readHints(
  context: DiscoveryContext,
  cursor: Cursor,
  checkpoint: Pick<Checkpoint, "hints">,
): Promise<void> {
  const { total, read } = checkpoint.hints();
  if (total === 0 || !context.quietLens.isUsable()) return;
  const step = `checking ${total} pools of an imported snapshot`;
  Object.assign(context.progress, { phase: "discovering", step, done: 0, total });
  const counts = { found: 0, unknown: 0 };
  while (!context.signal.aborted) {
    const rows = await read(cursor.hints, LINES_AT_ONCE);
    if (rows.length === 0) break;
    const hints = rows
      .map(({ line }) => hintOf(line))
      .filter((hint) => hint !== undefined && context.known.get(hint.id) === undefined) as Hint[];
    const found = await askFor(context, hints);
    const fresh = found.filter(({ pool }) => context.known.add(pool));
    const there = hints.filter(({ id }) => context.known.get(id) !== undefined).length;
    counts.found += there;
    counts.unknown += hints.length - there;
    if (!(await persistently(context, () => wakeDeepOf(context, fresh)))) return;
    cursor.hints = rows.at(-1)!.n;
    context.progress.done += rows.length;
    await context.save();
  }
  context.log.info(counts, "the imported snapshot was checked");
}

/**
 * Pools that the factories have for the pairs in the hints; each factory is asked only for the pairs of its own hints.
 */
async function askFor(context: DiscoveryContext, hints: readonly Hint[]): Promise<PairPool[]> {
  const found: PairPool[] = [];
  for (const [deployment, own] of Map.groupBy(hints, (hint) => hint.deployment)) {
    const pairSources = context.dispatch.pairSources.filter((source) => source.deployment === deployment);
    const pairs = new Map(own.map(({ tokens }) => [[...tokens].sort().join(), tokens] as const));
    const dispatch = { pairSources };
    found.push(
      ...(await poolsOfPairs(
        { ...context, lens: context.quietLens, dispatch },
        [...pairs.values()],
        headOf(context),
      )),
    );
  }
  return found;
}
