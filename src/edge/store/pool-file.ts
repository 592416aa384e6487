import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Hex } from "../../core/types.ts";
import type { AwakeRow, HintRow, Opened, PoolRow, Range, Saved } from "./pool-messages.ts";
import type { ChainKey } from "./token-store.ts";
import { inTransaction } from "./transaction.ts";

/**
 * The checkpoint of one chain: a separate SQLite file that one thread uses. Every record has a checksum, pools are
 * numbered without gaps, and the file names its chain, genesis block and schema. A file that fails any of these checks
 * is dropped as a whole.
 */
export type PoolFile = {
  readonly opened: Opened;
  /** Pools that were in the market, in the order in which they entered it. @throws DamagedFile */
  awake(range: Range): AwakeRow[];
  /** All discovered pools, in the order of their discovery. @throws DamagedFile */
  pools(range: Range): PoolRow[];
  /** Lines of an imported snapshot that are not checked yet. */
  hints(range: Range): HintRow[];
  /** Writes everything in one transaction. @throws DamagedFile; Error where the disk is full or fails */
  save(saved: Saved): void;
  /** Replaces the unchecked lines of the imported snapshot. */
  putHints(lines: Iterable<string>): void;
  close(): void;
};

/**
 * Must be increased whenever a table, the codec of a record, or the meaning of a protocol's pool facts changes; a test of
 * the devnet's pools compares their facts with this number.
 */
export const SCHEMA = 3;

const TABLES = `
  CREATE TABLE chain (chain_id INTEGER NOT NULL, genesis TEXT NOT NULL) STRICT;
  CREATE TABLE pools (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
  CREATE TABLE awake (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, state BLOB, sum INTEGER NOT NULL, asked INTEGER NOT NULL) STRICT;
  CREATE TABLE note (one INTEGER PRIMARY KEY CHECK (one = 1), body BLOB NOT NULL, pools INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;
  CREATE TABLE hints (n INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
  PRAGMA user_version = ${SCHEMA};`;

/** The file is damaged: its content is not what this program wrote. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}

/** Error codes of SQLite for damage: SQLITE_CORRUPT, SQLITE_NOTADB and SQLITE_IOERR_SHORT_READ. */
const DAMAGE: ReadonlySet<number> = new Set([11, 26, 522]);

/** Runs work on the file, and turns SQLite's errors for damage into DamagedFile. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = (error as { errcode?: number }).errcode;
    if (code !== undefined && DAMAGE.has(code)) throw new DamagedFile((error as Error).message);
    throw error;
  }
}

/**
 * Opens the checkpoint. Creates a new one where there is none, or where the file is damaged or of another chain,
 * genesis block or schema.
 *
 * @throws Error where another process uses it, or the folder cannot be written
 */
export function openPoolFile(path: string, key: ChainKey): PoolFile {
  const first = tryOpen(path, key);
  if (typeof first !== "string") return first;
  removePoolFile(path);
  const second = tryOpen(path, key, first);
  if (typeof second === "string") throw new Error(`${path} cannot be written: ${second}`);
  return second;
}

/** The chain of a checkpoint, read without changing the file; undefined where it cannot be read. */
export function keyOfPoolFile(path: string): ChainKey | undefined {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("SELECT chain_id, genesis FROM chain").get();
    return row === undefined ? undefined : { chainId: row.chain_id as number, genesis: row.genesis as Hex };
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

export function removePoolFile(path: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
}

/** @returns the opened file, or the reason why it must be dropped */
function tryOpen(path: string, key: ChainKey, dropped?: string): PoolFile | string {
  const database = new DatabaseSync(path);
  try {
    const trouble = guarded(() => prepare(database, key));
    if (trouble === undefined)
      return poolFile(
        database,
        guarded(() => openedOf(database, dropped)),
      );
    database.close();
    return trouble;
  } catch (error) {
    database.close();
    if (error instanceof DamagedFile) return error.message;
    throw error;
  }
}

function prepare(database: DatabaseSync, { chainId, genesis }: ChainKey): string | undefined {
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.exec("BEGIN EXCLUSIVE; COMMIT;");
  const { user_version: schema } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  const { count } = database.prepare("SELECT count(*) AS count FROM sqlite_schema").get() as {
    count: number;
  };
  if (schema === 0 && count === 0) {
    database.exec(`BEGIN; ${TABLES} COMMIT;`);
    database.prepare("INSERT INTO chain VALUES (?, ?)").run(chainId, genesis);
    return undefined;
  }
  if (schema !== SCHEMA) return `its schema is ${schema}, not ${SCHEMA}`;
  const of = database.prepare("SELECT chain_id, genesis FROM chain").get() as
    | { chain_id: number; genesis: string }
    | undefined;
  if (of?.chain_id !== chainId) return `it is of chain ${of?.chain_id ?? "none"}, not ${chainId}`;
  if (of.genesis !== genesis) return `its chain began with block ${of.genesis}, not ${genesis}`;
  return undefined;
}

type NoteRow = { readonly body: Uint8Array; readonly pools: number; readonly sum: number };

function openedOf(database: DatabaseSync, dropped: string | undefined): Opened {
  const note = database.prepare("SELECT body, pools, sum FROM note").get() as NoteRow | undefined;
  if (note !== undefined && sumOf(String(note.pools), note.body) !== note.sum)
    throw new DamagedFile("the checksum of its note is wrong");
  const { last } = database.prepare("SELECT max(n) AS last FROM pools").get() as { last: number | null };
  if (note !== undefined && (last ?? 0) < note.pools)
    throw new DamagedFile(`${note.pools - (last ?? 0)} of its pools are missing`);
  const { hints } = database.prepare("SELECT count(*) AS hints FROM hints").get() as { hints: number };
  return { note: note?.body, dropped, hints };
}

/** CRC-32 over the id and the contents of a record, which detects damage and swapped records. */
function sumOf(id: string, body: Uint8Array | null): number {
  return crc32(body ?? "", crc32(id));
}

function poolFile(database: DatabaseSync, opened: Opened): PoolFile {
  const hints = database.prepare("SELECT n, line FROM hints WHERE n > ? ORDER BY n LIMIT ?");
  return {
    opened,
    ...readers(database),
    hints: ({ after, count }) => hints.all(after, count) as HintRow[],
    save: saver(database),
    putHints(lines) {
      inTransaction(database, () => {
        database.exec("DELETE FROM hints");
        const add = database.prepare("INSERT INTO hints (line) VALUES (?)");
        for (const line of lines) add.run(line);
      });
    },
    close: () => database.close(),
  };
}

type StoredPool = {
  readonly n: number;
  readonly id: string;
  readonly body: Uint8Array;
  readonly sum: number;
};
type StoredState = StoredPool & {
  readonly state: Uint8Array | null;
  readonly state_sum: number;
  readonly asked: number;
};

function readers(database: DatabaseSync): Pick<PoolFile, "awake" | "pools"> {
  const pools = database.prepare("SELECT n, id, body, sum FROM pools WHERE n > ? ORDER BY n LIMIT ?");
  const awake = database.prepare(
    `SELECT a.n, a.id, a.state, a.sum AS state_sum, a.asked, p.body, p.sum FROM awake a
     JOIN pools p ON p.id = a.id WHERE a.n > ? ORDER BY a.n LIMIT ?`,
  );
  const check = ({ n, id, body, sum }: StoredPool) => {
    if (sumOf(id, body) !== sum) throw new DamagedFile(`the checksum of its pool ${n} is wrong`);
  };
  return {
    pools({ after, count }) {
      const rows = guarded(() => pools.all(after, count)) as StoredPool[];
      for (const [k, row] of rows.entries()) {
        if (row.n !== after + 1 + k) throw new DamagedFile(`its pool ${after + 1 + k} is missing`);
        check(row);
      }
      return rows.map(({ n, body }) => ({ n, body }));
    },
    awake({ after, count }) {
      const rows = guarded(() => awake.all(after, count)) as StoredState[];
      return rows.map((row) => {
        check(row);
        if (sumOf(row.id, row.state) !== row.state_sum)
          throw new DamagedFile(`the checksum of its state ${row.n} is wrong`);
        return { n: row.n, pool: row.body, state: row.state, isAsked: row.asked === 1 };
      });
    },
  };
}

function saver(database: DatabaseSync): PoolFile["save"] {
  const addPool = database.prepare(
    `INSERT INTO pools (id, body, sum) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, sum = excluded.sum`,
  );
  const addAwake = database.prepare(
    `INSERT INTO awake (id, state, sum, asked) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, sum = excluded.sum, asked = excluded.asked`,
  );
  const removeAwake = database.prepare("DELETE FROM awake WHERE id = ?");
  const lastPool = database.prepare("SELECT coalesce(max(n), 0) AS last FROM pools");
  const setNote = database.prepare("INSERT OR REPLACE INTO note VALUES (1, ?, ?, ?)");
  const endHints = database.prepare("DELETE FROM hints WHERE n <= ?");
  const putPools = ({ pools }: Saved) => {
    for (const { id, body } of pools) addPool.run(id, body, sumOf(id, body));
  };
  const putAwake = ({ asleep, awake }: Saved) => {
    for (const id of asleep) removeAwake.run(id);
    for (const { id, state, isAsked } of awake) addAwake.run(id, state, sumOf(id, state), isAsked ? 1 : 0);
  };
  const putNote = ({ note, hintsDone }: Saved) => {
    const { last } = lastPool.get() as { last: number };
    setNote.run(note, last, sumOf(String(last), note));
    endHints.run(hintsDone);
  };
  const parts = [putPools, putAwake, putNote];
  const putAll = (saved: Saved) => {
    for (const part of parts) part(saved);
  };
  return (saved) => guarded(() => inTransaction(database, () => putAll(saved)));
}
