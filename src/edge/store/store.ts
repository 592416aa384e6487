import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "./migrations.ts";

/** The embedded store of one process. */
export type Store = {
  readonly database: DatabaseSync;
  close(): void;
};

/**
 * Opens the store under `folder`, or one that ends with the process where none is given, and brings its schema up to date.
 *
 * @throws Error when another process has it open, or a newer version wrote it
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

/** In exclusive mode the lock of the first transaction is kept until the end: a second process is refused, not corrupted. */
function lock(database: DatabaseSync, path: string): void {
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec("BEGIN EXCLUSIVE; COMMIT;");
  } catch (cause) {
    throw new Error(`${path} cannot be opened alone: is another process using it?`, { cause });
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > migrations.length) {
    throw new Error(
      `${path} was written by a newer version: schema ${version}, known are ${migrations.length}`,
    );
  }
  for (const [k, migration] of migrations.entries()) {
    if (k >= version) database.exec(`BEGIN; ${migration}; PRAGMA user_version = ${k + 1}; COMMIT;`);
  }
}
