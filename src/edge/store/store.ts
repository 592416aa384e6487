import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "./migrations.ts";

/** The embedded SQLite database of the process. */
export type Store = {
  readonly database: DatabaseSync;
  close(): void;
};

/**
 * Opens the database under `folder`, or one in memory where no folder is given, and migrates its schema.
 *
 * @throws Error naming the file when another process has it open, it is damaged, a newer version wrote it or the disk is full
 */
export function openStore(folder: string | undefined): Store {
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const path = folder === undefined ? ":memory:" : join(folder, "braid.sqlite");
  const database = new DatabaseSync(path);
  try {
    lock(database, path);
    migrate(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
  return { database, close: () => database.close() };
}

const MAY_BE_DELETED =
  ". It holds only what is known of tokens, which is read from the chain again: it may be deleted.";

/** SQLite's code for a lock that another connection holds. */
const BUSY = 5;

/** SQLite's code for a full disk. */
const FULL = 13;

/**
 * In exclusive locking mode the first transaction's lock is kept until the database closes, so no second process can
 * open it.
 */
function lock(database: DatabaseSync, path: string): void {
  naming(path, () => {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec("BEGIN EXCLUSIVE; COMMIT;");
  });
}

/** Does SQLite's work, whose errors name no file. A full disk is no reason to delete one. */
function naming(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    const { errcode, message } = cause as Error & { errcode?: number };
    if (errcode === BUSY)
      throw new Error(`${path} cannot be opened alone: is another process using it?`, { cause });
    const advice = errcode === FULL ? "" : MAY_BE_DELETED;
    throw new Error(`${path} cannot be used: ${message}${advice}`, { cause });
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > migrations.length) {
    throw new Error(
      `${path} was written by a newer version: schema ${version}, known are ${migrations.length}${MAY_BE_DELETED}`,
    );
  }
  naming(path, () => {
    for (const [k, migration] of migrations.entries()) {
      if (k >= version) database.exec(`BEGIN; ${migration}; PRAGMA user_version = ${k + 1}; COMMIT;`);
    }
  });
}
