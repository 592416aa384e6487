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

/** Pools that are read before the chain is said to be ready again: the first that had a state in the market, so the deepest. */
const FIRST_POOLS = 12;
/** Pools of which routes are told while the others are still being taken over. */
const FIRST_REMEMBERED = 2_000;

type ResumeParts = {
  readonly checkpoint: Checkpoint;
  readonly cursor: Cursor;
  /** Takes pools without writing them again. */
  readonly base: Known;
  readonly asking: Pick<Asking, "recall">;
  /** Resolves once the market has its first block: before, there is nothing that pools could be read at. */
  readonly opened: Promise<void>;
  readonly onFirst: () => void;
};

/**
 * Goes on where the last run ended. Its states serve to choose what to read first: every pool is read again at the newest
 * block before it is in the market. The file is read while the nodes are still asked for that block.
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
    const { before, opening } = await recallAwake(context, parts, { isKept, lastBlock: note.newest });
    const asleep = recallPools(parts, isKept, context.signal).catch((error: unknown) =>
      startOver(context, parts, error),
    );
    // It is waited for by what is returned, which may be called long after this has failed, or never.
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
      // Whoever waits for a price comes first: the rest is taken over once the first pools are priced.
      await first.open();
    }
  } finally {
    usable();
  }
  return { before, opening: before.length > 0 ? first.open() : Promise.resolve() };
}

/** The block expected to execute; before the first one is known, the one that follows the last run's, now. */
function atOf({ market, chain }: DiscoveryContext, lastBlock: number): At {
  const head = market.head();
  if (head !== undefined) return nextAt(head, chain.blockTimeMs);
  return { blockNumber: lastBlock + 1, timestamp: Math.floor(Date.now() / 1000) };
}

/** Reads the first pools that are known to have had a state, and says that the chain is ready. */
function openingOf(context: DiscoveryContext, opened: Promise<void>, onFirst: () => void) {
  const pools: RememberedRow[] = [];
  let opening: Promise<void> | undefined;
  const open = () => {
    opening ??= opened.then(() => persistently(context, () => wakeAll(context, pools))).then(onFirst);
    return opening;
  };
  return {
    open,
    /** Begins as soon as there are enough. */
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

/** A damaged checkpoint: what was read of it is written anew, and the history is read again from its start. */
function startOver(context: DiscoveryContext, parts: ResumeParts, error: unknown): void {
  const { log, recollection, known, signal } = context;
  // An end closes the file while it is still being read.
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
