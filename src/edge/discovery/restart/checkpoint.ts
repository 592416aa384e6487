import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { decodePlain, encodePlain } from "../../../core/codec.ts";
import type { Chain, Pool, PoolId } from "../../../core/types.ts";
import { elapsedMs } from "../../elapsed.ts";
import type { HintRow, Saved } from "../../store/pool-messages.ts";
import { DroppedCheckpoint, type PoolStore } from "../../store/pool-store.ts";
import type { ChainKey } from "../../store/token-store.ts";
import { createTexts } from "../../workers/replica/texts.ts";
import type { Cursor } from "../backfill.ts";
import type { Why } from "../waking/awake.ts";
import { type Note, noteOf, recordsOf } from "./note.ts";
import type { RememberedRow } from "./remembered.ts";

/** Stores the known pools of a chain, the pools in its market and the progress of its discovery between runs. */
export type Checkpoint = {
  /**
   * Opens the checkpoint of an earlier run.
   *
   * @returns its note; undefined where there is none, or it had to be dropped
   */
  open(): Promise<Note | undefined>;
  /** The pools that were in the market. @throws DroppedCheckpoint */
  awake(): AsyncGenerator<readonly RememberedRow[]>;
  /** All known pools. @throws DroppedCheckpoint */
  pools(): AsyncGenerator<readonly Pool[]>;
  /**
   * Lines of an imported snapshot that were not handled when the checkpoint was opened: their number, and a reader from
   * a line on.
   */
  hints(): {
    readonly total: number;
    readonly read: (after: number, count: number) => Promise<readonly HintRow[]>;
  };
  found(pool: Pool): void;
  /** Notes that a pool came into the market, is there for another reason, or left it (undefined). */
  moved(id: PoolId, why: Why | undefined): void;
  /**
   * Writes what is new, together with the cursor that belongs to it. Never rejects: failures of the disk are logged, and
   * for some seconds after one, what is new is only collected.
   */
  save(progress: Progress): Promise<void>;
  close(): Promise<void>;
};

type Progress = {
  readonly cursor: Cursor;
  /** Newest block that was followed. */
  readonly newest: number;
  /** Current states of the pools in the market; those that changed since they were written last are written. */
  readonly states: Iterable<readonly [PoolId, unknown, Why]>;
  /** All known pools and all pools in the market, for a checkpoint that must be written anew. */
  readonly everything: () => Delta;
};

/** Records that are encoded or decoded before the event loop is yielded, and records read from the store at once. */
const RECORDS_IN_A_ROW = 250;
const RECORDS_AT_ONCE = 1_000;
/** Least time from a failure of the disk to the next write, since each one encodes all that was not written. */
const RETRY_MS = 10_000;

type CheckpointRequest = {
  readonly store: PoolStore;
  /** Undefined until the genesis hash of the chain is known. */
  readonly key: () => ChainKey | undefined;
  readonly chain: Pick<Chain, "deployments">;
  readonly log: Logger;
};

/** Changes that were not written yet. */
type Delta = { pools: Pool[]; readonly awake: Map<PoolId, Why | undefined> };

export function createCheckpoint({ store, key, chain, log }: CheckpointRequest): Checkpoint {
  const records = recordsOf(chain.deployments);
  const writer = createWriter(store, records, log);
  let isOpen = false;
  let total = 0;
  let tail: Promise<void> = Promise.resolve();
  return {
    async open() {
      const chainKey = key();
      if (chainKey === undefined) return undefined;
      const { note, dropped, hints } = await store.open(chainKey);
      isOpen = true;
      total = hints;
      if (dropped !== undefined) log.warn({ why: dropped }, DROPPED);
      return note === undefined ? undefined : (decodePlain(note) as Note);
    },
    async *awake() {
      const texts = createTexts();
      for await (const rows of parts(store.awake))
        yield rows.map((row) => ({
          pool: texts.shared(decodePlain(row.pool) as Pool),
          why: row.isAsked ? ("asked" as const) : ("deep" as const),
          row,
        }));
    },
    async *pools() {
      for await (const rows of parts(store.pools)) yield rows.map(({ body }) => decodePlain(body) as Pool);
    },
    hints: () => ({ total, read: (after, count) => store.hints({ after, count }) }),
    found: writer.found,
    moved: writer.moved,
    save(progress) {
      if (isOpen) tail = tail.then(() => writer.write(progress));
      return tail;
    },
    async close() {
      await tail;
      await store.close();
    },
  };
}

export const DROPPED = "the checkpoint was dropped: the chain's pools are discovered anew";

/** Collects changes and writes them to the store. */
function createWriter(store: PoolStore, records: Note["records"], log: Logger) {
  const delta: Delta = { pools: [], awake: new Map() };
  /**
   * By pool: the state object that was written last. Comparing identities is enough, since states are never changed in
   * place.
   */
  const written = new Map<PoolId, unknown>();
  /** Returns the collected changes and clears them. */
  const take = (): Delta => {
    const taken = { pools: delta.pools, awake: new Map(delta.awake) };
    delta.pools = [];
    delta.awake.clear();
    return taken;
  };
  let retryAt = Number.NEGATIVE_INFINITY;
  const giveBack = ({ pools, awake }: Delta) => {
    delta.pools = [...pools, ...delta.pools];
    for (const [id, why] of awake) if (!delta.awake.has(id)) delta.awake.set(id, why);
    written.clear();
  };
  return {
    found: (pool: Pool) => void delta.pools.push(pool),
    moved: (id: PoolId, why: Why | undefined) => void delta.awake.set(id, why),
    async write({ cursor, newest, states, everything }: Progress): Promise<void> {
      if (elapsedMs() < retryAt) return;
      const note = encodePlain(noteOf(cursor, newest, records));
      const hintsDone = cursor.hints;
      const taken = take();
      const asleep = [...taken.awake].filter(([, why]) => why === undefined).map(([id]) => id);
      for (const id of asleep) written.delete(id);
      try {
        const pools = await encodePools(taken.pools);
        const awake = await encodeStates(states, taken.awake, written);
        await store.save({ pools, awake, asleep, note, hintsDone });
      } catch (error) {
        const isDropped = error instanceof DroppedCheckpoint;
        if (!isDropped) retryAt = elapsedMs() + RETRY_MS;
        giveBack(isDropped ? everything() : taken);
        log.warn({ why: (error as Error).message }, "the checkpoint was not written: tried again");
      }
    },
  };
}

/** Yields records in order, part by part, and yields the event loop between two parts. */
async function* parts<T extends { readonly n: number }>(
  read: (range: { after: number; count: number }) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let after = 0; ; ) {
    const rows = await read({ after, count: RECORDS_AT_ONCE });
    if (rows.length === 0) return;
    after = rows.at(-1)!.n;
    for (let start = 0; start < rows.length; start += RECORDS_IN_A_ROW) {
      yield rows.slice(start, start + RECORDS_IN_A_ROW);
      await setImmediate();
    }
  }
}

async function encodePools(pools: readonly Pool[]): Promise<Saved["pools"]> {
  const encoded: { id: PoolId; body: Uint8Array }[] = [];
  for (const [k, pool] of pools.entries()) {
    encoded.push({ id: pool.id, body: encodePlain(pool) });
    if (k % RECORDS_IN_A_ROW === RECORDS_IN_A_ROW - 1) await setImmediate();
  }
  return encoded;
}

/** Encodes pools that entered the market, with or without a state, and states that changed since they were written. */
async function encodeStates(
  states: Progress["states"],
  moved: ReadonlyMap<PoolId, Why | undefined>,
  written: Map<PoolId, unknown>,
): Promise<Saved["awake"]> {
  const encoded: { id: PoolId; state: Uint8Array | null; isAsked: boolean }[] = [];
  const done = new Set<PoolId>();
  let count = 0;
  for (const [id, state, why] of states) {
    if (++count % RECORDS_IN_A_ROW === 0) await setImmediate();
    if (written.get(id) === state && !moved.has(id)) continue;
    written.set(id, state);
    done.add(id);
    encoded.push({ id, state: state === undefined ? null : encodePlain(state), isAsked: why === "asked" });
  }
  for (const [id, why] of moved) {
    if (why === undefined || done.has(id)) continue;
    written.delete(id);
    encoded.push({ id, state: null, isAsked: why === "asked" });
  }
  return encoded;
}
