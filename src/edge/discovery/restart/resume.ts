import type { Pool } from "../../../core/types.ts";
import { nextAt } from "../../next-at.ts";
import { DroppedCheckpoint } from "../../store/pool-store.ts";
import type { Asking } from "../asking/ask.ts";
import { type Cursor, forgetProgress } from "../backfill.ts";
import type { Known } from "../known/known.ts";
import type { DiscoveryContext } from "../types.ts";
import { headOf, persistently, wake } from "../waking/wake.ts";
import { type Checkpoint, DROPPED } from "./checkpoint.ts";
import { createMemory } from "./memory.ts";
import { recordsOf, resumeAt } from "./note.ts";
import type { Remembered } from "./remembered.ts";

/** Pools that are read before the chain is said to be ready again: the first that were in the market, so the deepest. */
const FIRST_POOLS = 40;
/** Pools of which routes are told while the others are still being taken over. */
const FIRST_REMEMBERED = 2_000;

type ResumeParts = {
  readonly checkpoint: Checkpoint;
  readonly cursor: Cursor;
  /** Takes pools without writing them again. */
  readonly base: Known;
  readonly asking: Pick<Asking, "recall">;
  readonly onFirst: () => void;
};

/**
 * Goes on where the last run ended. Its states serve to choose what to read first: every pool is read again at the newest
 * block before it is in the market.
 *
 * @returns what reads the pools again; undefined where no run left anything
 */
export async function resume(
  context: DiscoveryContext,
  parts: ResumeParts,
): Promise<(() => Promise<void>) | undefined> {
  const { checkpoint, cursor } = parts;
  const { chain } = context;
  try {
    const note = await checkpoint.open();
    if (note === undefined) return undefined;
    const records = resumeAt(cursor, note, recordsOf(chain.deployments));
    const isKept = ({ deployment }: Pool) => records.has(deployment);
    const { before, opening } = await recallAwake(context, parts, isKept);
    const asleep = recallPools(parts, isKept).catch((error: unknown) => startOver(context, parts, error));
    return async () => {
      await opening;
      await readAgain(context, before);
      parts.asking.recall(before.filter(({ why }) => why === "asked").map(({ pool }) => pool.id));
      await asleep;
    };
  } catch (error) {
    startOver(context, parts, error);
    return undefined;
  }
}

type Recalled = { readonly before: readonly Remembered[]; readonly opening: Promise<void> };

async function recallAwake(
  context: DiscoveryContext,
  { checkpoint, base, onFirst }: ResumeParts,
  isKept: (pool: Pool) => boolean,
): Promise<Recalled> {
  const { recollection, registry, chain } = context;
  const at = () => nextAt(headOf(context), chain.blockTimeMs);
  const memory = createMemory({ registry, chain, at });
  const before: Remembered[] = [];
  let usable: () => void = () => undefined;
  recollection.usable = new Promise((resolve) => {
    usable = resolve;
  });
  let opening: Promise<void> | undefined;
  const open = () =>
    persistently(context, () => wakeAll(context, before.slice(0, FIRST_POOLS))).then(onFirst);
  try {
    for await (const rows of checkpoint.awake()) {
      const kept = rows.filter(({ pool }) => isKept(pool));
      for (const { pool } of kept) base.add(pool);
      before.push(...kept);
      recollection.memory = memory;
      if (before.length >= FIRST_POOLS) opening ??= open();
      await memory.add(kept);
      if (memory.size() >= FIRST_REMEMBERED) usable();
    }
    if (before.length > 0) opening ??= open();
  } finally {
    usable();
  }
  return { before, opening: opening ?? Promise.resolve() };
}

async function recallPools(
  { checkpoint, base }: ResumeParts,
  isKept: (pool: Pool) => boolean,
): Promise<void> {
  for await (const pools of checkpoint.pools()) for (const pool of pools) if (isKept(pool)) base.add(pool);
}

/** A damaged checkpoint: what was read of it is written anew, and the history is read again from its start. */
function startOver({ log, recollection, known }: DiscoveryContext, parts: ResumeParts, error: unknown): void {
  if (!(error instanceof DroppedCheckpoint)) throw error;
  log.warn({ why: error.message }, DROPPED);
  recollection.memory = undefined;
  forgetProgress(parts.cursor);
  for (const pool of parts.base.all()) known.renew(pool);
}

async function readAgain(context: DiscoveryContext, before: readonly Remembered[]): Promise<void> {
  const { progress, recollection } = context;
  const step = `reading again the ${before.length} pools that were in the market`;
  Object.assign(progress, { phase: "hubs", step, done: 0, total: before.length });
  await persistently(context, () => wakeAll(context, before));
  recollection.memory = undefined;
}

async function wakeAll(context: DiscoveryContext, before: readonly Remembered[]): Promise<void> {
  const { progress } = context;
  for (const why of ["deep", "asked"] as const) {
    const pools = before.filter((one) => one.why === why).map(({ pool }) => pool);
    await wake(context, pools, {
      why,
      onBatch(count) {
        progress.done += count;
      },
    });
  }
}
