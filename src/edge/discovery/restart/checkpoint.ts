import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import { decodePlain, encodePlain } from "../../../core/codec.ts";
import type { Chain, Pool, PoolId } from "../../../core/types.ts";
import type { HintRow, Saved } from "../../store/pool-messages.ts";
import { DroppedCheckpoint, type PoolStore } from "../../store/pool-store.ts";
import type { ChainKey } from "../../store/token-store.ts";
import { createTexts } from "../../workers/replica/texts.ts";
import type { Cursor } from "../backfill.ts";
import type { Why } from "../waking/awake.ts";
import { type Note, noteOf, recordsOf } from "./note.ts";
import type { RememberedRow } from "./remembered.ts";

/** Keeps what is known of a chain between runs. */
export type Checkpoint = {
  /** Opens what an earlier run left. @returns its note; undefined where there is none, or it had to be dropped */
  open(): Promise<Note | undefined>;
  /** @throws DroppedCheckpoint */
  awake(): AsyncGenerator<readonly RememberedRow[]>;
  /** @throws DroppedCheckpoint */
  pools(): AsyncGenerator<readonly Pool[]>;
  /** Lines of an imported snapshot that wait: how many there were, and what reads those after a place. */
  hints(): {
    readonly total: number;
    readonly read: (after: number, count: number) => Promise<readonly HintRow[]>;
  };
  found(pool: Pool): void;
  /** A pool came into the market, is there for another reason, or left it. */
  moved(id: PoolId, why: Why | undefined): void;
  /** Writes what is new, together with the cursor that it belongs to. Never rejects: a disk that fails is told in the log. */
  save(progress: Progress): Promise<void>;
  close(): Promise<void>;
};

type Progress = {
  readonly cursor: Cursor;
  /** Newest block that was followed. */
  readonly newest: number;
  /** States that may be written: those that changed since they were last. */
  readonly states: Iterable<readonly [PoolId, unknown, Why]>;
  /** All that is known, for a checkpoint that must be written anew. */
  readonly everything: () => Delta;
};

/** Records that are encoded or decoded before others get their turn, and that are asked for in one go. */
const RECORDS_IN_A_ROW = 250;
const RECORDS_AT_ONCE = 1_000;

type CheckpointRequest = {
  readonly store: PoolStore;
  /** undefined until the chain's first block is known. */
  readonly key: () => ChainKey | undefined;
  readonly chain: Pick<Chain, "deployments">;
  readonly log: Logger;
};

/** What was not written yet. */
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

/** Gathers what is new, and writes it. */
function createWriter(store: PoolStore, records: Note["records"], log: Logger) {
  const delta: Delta = { pools: [], awake: new Map() };
  /** What was written last of each state: states are never changed in place. */
  const written = new Map<PoolId, unknown>();
  /** Takes what is to be written, and leaves nothing. */
  const take = (): Delta => {
    const taken = { pools: delta.pools, awake: new Map(delta.awake) };
    delta.pools = [];
    delta.awake.clear();
    return taken;
  };
  const giveBack = ({ pools, awake }: Delta) => {
    delta.pools = [...pools, ...delta.pools];
    for (const [id, why] of awake) if (!delta.awake.has(id)) delta.awake.set(id, why);
    written.clear();
  };
  return {
    found: (pool: Pool) => void delta.pools.push(pool),
    moved: (id: PoolId, why: Why | undefined) => void delta.awake.set(id, why),
    async write({ cursor, newest, states, everything }: Progress): Promise<void> {
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
        giveBack(error instanceof DroppedCheckpoint ? everything() : taken);
        log.warn({ why: (error as Error).message }, "the checkpoint was not written: tried again");
      }
    },
  };
}

/** Records in order, part by part; others get their turn between two. */
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

/** Pools that came in, with or without a state, and states that changed since they were written. */
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
