import { setImmediate } from "node:timers/promises";
import type { Pool, PoolId } from "../../core/types.ts";
import type { PoolStore } from "../store/pool-store.ts";
import type { ChainKey } from "../store/token-store.ts";
import type { Cursor } from "./backfill.ts";
import type { Known } from "./known.ts";

/** Keeps what was found between runs. */
export type Checkpoint = {
  /** Takes over what an earlier run found: pools, those of them that were in the market, and where the backfill stood. */
  recall(into: { known: Known; woken: Set<PoolId>; cursor: Cursor }): Promise<void>;
  found(pool: Pool): void;
  woke(id: PoolId): void;
  /** Writes what is new, together with the cursor that it belongs to and the newest block that was followed. */
  save(cursor: Cursor, newest: number): void;
};

/** Pools that are taken over before others get their turn. */
const POOLS_IN_A_ROW = 500;

type Note = {
  readonly block: number | null;
  /** Newest block that was followed. */
  readonly newest: number;
  readonly listed: number;
  readonly isDone: boolean;
};

/** @param deployments ids of the chain's records: pools of others are forgotten */
export function createCheckpoint(
  store: PoolStore,
  key: () => ChainKey | undefined,
  deployments: ReadonlySet<string>,
): Checkpoint {
  let pools: Pool[] = [];
  let awake: PoolId[] = [];
  return {
    async recall(into) {
      const chain = key();
      if (chain !== undefined) await takeOver(store, chain, deployments, into);
    },
    found: (pool) => void pools.push(pool),
    woke: (id) => void awake.push(id),
    save(cursor, newest) {
      const chain = key();
      if (chain === undefined) return;
      // Pools whose depth was not looked at are looked at again after a restart.
      const listed = cursor.found.length === 0 ? cursor.listed : 0;
      // The blocks of the time when nobody followed are read yet.
      const followed = cursor.since === undefined ? newest : cursor.since - 1;
      const note: Note = { block: cursor.block ?? null, newest: followed, listed, isDone: cursor.isDone };
      store.save(chain, { pools, awake, note });
      pools = [];
      awake = [];
    },
  };
}

async function takeOver(
  store: PoolStore,
  chain: ChainKey,
  deployments: ReadonlySet<string>,
  { known, woken, cursor }: Parameters<Checkpoint["recall"]>[0],
): Promise<void> {
  let count = 0;
  for (const pool of store.pools(chain)) {
    if (deployments.has(pool.deployment)) known.add(pool);
    if (++count % POOLS_IN_A_ROW === 0) await setImmediate();
  }
  for (const id of store.awake(chain)) if (known.get(id) !== undefined) woken.add(id);
  const note = store.note(chain) as Note | undefined;
  if (note === undefined) return;
  cursor.block = note.block ?? undefined;
  cursor.listed = note.listed;
  cursor.isDone = note.isDone;
  cursor.since = note.newest + 1;
}
