import type { At, Pool } from "../../../core/types.ts";
import { nextAt } from "../../next-at.ts";
import { DroppedCheckpoint } from "../../store/pool-store.ts";
import type { Asking } from "../asking/ask.ts";
import { type Cursor, forgetProgress } from "../backfill.ts";
import type { Known } from "../known/known.ts";
import type { DiscoveryContext } from "../types.ts";
import { persistently, wake } from "../waking/wake.ts";
import { type Checkpoint, DROPPED } from "./checkpoint.ts";
import { openMemory } from "./memory.ts";
import { recordsOf, resumeAt } from "./note.ts";
import { forget } from "./recollection.ts";
import type { Remembered, RememberedRow } from "./remembered.ts";
import { unhurried } from "./unhurried.ts";

/**
 * Number of pools that are read before the chain is reported as ready again: the first ones with a state in the
 * checkpoint, which are the deepest.
 */
const FIRST_POOLS = 12;
/** Remembered pools over which routes can already be searched while the others are still being added. */
const FIRST_REMEMBERED = 2_000;

type ResumeParts = {
  readonly checkpoint: Checkpoint;
  readonly cursor: Cursor;
  /** The known pools, without the recording of new ones for the checkpoint. */
  readonly base: Known;
  readonly asking: Pick<Asking, "recall">;
  /** Resolves once the market has its first block; before that there is no block at which pools could be read. */
  readonly opened: Promise<void>;
  readonly onFirst: () => void;
};

/**
 * Resumes from the checkpoint of the last run. Its states only serve to choose what to read first: every pool is read
 * again at the newest block before it is in the market. The file can be read before a node has answered.
 *
 * @returns a function that reads the pools again; undefined where there is no checkpoint, or it was dropped
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
    const { before, opening } = await recallAwake(context, parts, { isKept, lastBlock: note.newest });
    const asleep = recallPools(parts, isKept, context.signal).catch((error: unknown) =>
      startOver(context, parts, error),
    );
    // The returned function awaits it, perhaps long after it has failed or never: until then a rejection is not
    // unhandled.
    asleep.catch(() => undefined);
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

type Kept = { readonly isKept: (pool: Pool) => boolean; readonly lastBlock: number };

async function recallAwake(
  context: DiscoveryContext,
  { checkpoint, base, opened, onFirst }: ResumeParts,
  { isKept, lastBlock }: Kept,
): Promise<Recalled> {
  const { recollection, chain, signal, log } = context;
  const memory = openMemory({ chain, at: () => atOf(context, lastBlock), signal, log });
  recollection.memory = memory;
  const before: Remembered[] = [];
  let usable: () => void = () => undefined;
  recollection.usable = new Promise((resolve) => {
    usable = resolve;
  });
  const first = openingOf(context, opened, onFirst);
  try {
    for await (const rows of unhurried(checkpoint.awake(), () => memory.size() >= FIRST_REMEMBERED, signal)) {
      const kept = rows.filter(({ pool }) => isKept(pool));
      for (const { pool, why } of kept) {
        base.add(pool);
        before.push({ pool, why });
      }
      first.offer(kept);
      await memory.add(kept.map(({ row }) => row));
      if (memory.size() < FIRST_REMEMBERED) continue;
      usable();
      // Callers that wait for a price come first: the rest is added once the first pools are in the market.
      await first.open();
    }
  } finally {
    usable();
  }
  return { before, opening: before.length > 0 ? first.open() : Promise.resolve() };
}

/**
 * The block expected to execute; before the first head is known, the block after the last run's head at the present
 * time.
 */
function atOf({ market, chain }: DiscoveryContext, lastBlock: number): At {
  const head = market.head();
  if (head !== undefined) return nextAt(head, chain.blockTimeMs);
  return { blockNumber: lastBlock + 1, timestamp: Math.floor(Date.now() / 1000) };
}

/** Reads the first FIRST_POOLS pools that have a stored state, and then reports the chain as ready by `onFirst`. */
function openingOf(context: DiscoveryContext, opened: Promise<void>, onFirst: () => void) {
  const pools: RememberedRow[] = [];
  let opening: Promise<void> | undefined;
  const open = () => {
    opening ??= opened.then(() => persistently(context, () => wakeAll(context, pools))).then(onFirst);
    return opening;
  };
  return {
    open,
    /** Adds candidates, and begins to read once there are FIRST_POOLS. */
    offer(rows: readonly RememberedRow[]): void {
      if (opening !== undefined) return;
      const priced = rows.filter(({ row }) => row.state !== null);
      pools.push(...priced.slice(0, FIRST_POOLS - pools.length));
      if (pools.length === FIRST_POOLS) void open();
    },
  };
}

async function recallPools(
  { checkpoint, base }: ResumeParts,
  isKept: (pool: Pool) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for await (const pools of unhurried(checkpoint.pools(), () => true, signal))
    for (const pool of pools) if (isKept(pool)) base.add(pool);
}

/**
 * Handles a damaged checkpoint: the pools read from it are marked to be written again, and the backfill starts again.
 */
function startOver(context: DiscoveryContext, parts: ResumeParts, error: unknown): void {
  const { log, recollection, known, signal } = context;
  // Stopping closes the file while it may still be being read.
  if (signal.aborted) return;
  if (!(error instanceof DroppedCheckpoint)) throw error;
  log.warn({ why: error.message }, DROPPED);
  forget(recollection);
  forgetProgress(parts.cursor);
  for (const pool of parts.base.all()) known.renew(pool);
}

async function readAgain(context: DiscoveryContext, before: readonly Remembered[]): Promise<void> {
  const { progress, recollection } = context;
  const step = `reading again the ${before.length} pools that were in the market`;
  Object.assign(progress, { phase: "hubs", step, done: 0, total: before.length });
  await persistently(context, () => wakeAll(context, before));
  forget(recollection);
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
