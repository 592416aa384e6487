import { decodePlain, encodePlain } from "../../core/codec.ts";
import type { Pool, PoolId } from "../../core/types.ts";
import type { Store } from "./store.ts";
import type { ChainKey } from "./token-store.ts";

/** What the discovery found, kept between runs. States are not kept: they are the chain's. */
export type PoolStore = {
  /** Pools in the order in which they were found, in parts. */
  pools(key: ChainKey): Iterable<Pool>;
  /** Ids of the pools that were in the market. */
  awake(key: ChainKey): PoolId[];
  /** What the discovery noted of its own progress; undefined before the first note. */
  note(key: ChainKey): unknown;
  /** Adds pools, and replaces the note, all or nothing. */
  save(key: ChainKey, found: Found): void;
};

export type Found = {
  readonly pools: readonly Pool[];
  readonly awake: readonly PoolId[];
  /** Plain data. */
  readonly note: unknown;
};

export function createPoolStore({ database }: Store): PoolStore {
  const all = database.prepare("SELECT body FROM pools WHERE chain_id = ? AND genesis = ? ORDER BY rowid");
  const awake = database.prepare("SELECT id FROM awake_pools WHERE chain_id = ? AND genesis = ?");
  const note = database.prepare("SELECT note FROM discoveries WHERE chain_id = ? AND genesis = ?");
  const addPool = database.prepare("INSERT OR IGNORE INTO pools VALUES (?, ?, ?, ?)");
  const addAwake = database.prepare("INSERT OR IGNORE INTO awake_pools VALUES (?, ?, ?)");
  const setNote = database.prepare("INSERT OR REPLACE INTO discoveries VALUES (?, ?, ?)");
  return {
    *pools({ chainId, genesis }) {
      for (const { body } of all.iterate(chainId, genesis)) yield decodePlain(body as Uint8Array) as Pool;
    },
    awake: ({ chainId, genesis }) => awake.all(chainId, genesis).map(({ id }) => id as PoolId),
    note({ chainId, genesis }) {
      const row = note.get(chainId, genesis);
      return row === undefined ? undefined : decodePlain(row.note as Uint8Array);
    },
    save({ chainId, genesis }, found) {
      database.exec("BEGIN");
      try {
        for (const pool of found.pools) addPool.run(chainId, genesis, pool.id, encodePlain(pool));
        for (const id of found.awake) addAwake.run(chainId, genesis, id);
        setNote.run(chainId, genesis, encodePlain(found.note));
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}
