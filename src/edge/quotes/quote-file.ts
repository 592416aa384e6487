import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers";
import type { Logger } from "pino";
import { inTransaction } from "../store/transaction.ts";

/** A record as it is stored. `asker` is a number per caller, which distinguishes callers without identifying them. */
export type StoredRecord = { readonly id: string; readonly asker: number; readonly body: Buffer };

/**
 * Records in a file, so that they survive a restart. A `put` or `drop` is written within about a second, in small
 * transactions.
 */
export type QuoteFile = {
  /** Records that an earlier process left, the oldest first. Read before the first `put`. */
  readonly earlier: readonly StoredRecord[];
  put(record: StoredRecord): void;
  drop(id: string): void;
  /** Writes what is still pending and closes the file. */
  close(): void;
};

const FLUSH_MS = 500;
/** Records of one database transaction. Between two transactions the event loop answers requests. */
const AT_ONCE = 32;
const VERSION = 2;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS quotes (id TEXT NOT NULL UNIQUE, asker INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
  PRAGMA user_version = ${VERSION};`;

/**
 * Opens the records under `folder`. A file that cannot be read, or has another version, is deleted: records are only
 * kept for a time anyway.
 *
 * @throws Error where the folder cannot be written
 */
export function openQuoteFile(folder: string, log: Pick<Logger, "warn">): QuoteFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "quotes.sqlite");
  const { database, earlier } = openOrReplace(path, log);
  const insert = database.prepare("INSERT OR REPLACE INTO quotes (id, asker, body) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM quotes WHERE id = ?");
  /** Records to write; null = to delete. */
  const pending = new Map<string, StoredRecord | null>();
  let isFailing = false;
  const writeSome = (count: number) => {
    const batch = [...pending.entries()].slice(0, count);
    try {
      inTransaction(database, () => {
        for (const [id, record] of batch) {
          if (record === null) remove.run(id);
          else insert.run(id, record.asker, record.body);
        }
      });
      isFailing = false;
    } catch (err) {
      // Once, not twice a second: the log may be on the same full disk.
      if (!isFailing) log.warn({ err }, "records of offers cannot be written");
      isFailing = true;
    }
    for (const [id, record] of batch) if (pending.get(id) === record) pending.delete(id);
  };
  let isBusy = false;
  const flush = () => {
    isBusy = pending.size > 0 && database.isOpen;
    if (!isBusy) return;
    writeSome(AT_ONCE);
    setImmediate(flush);
  };
  const timer = setInterval(() => !isBusy && flush(), FLUSH_MS).unref();
  return {
    earlier,
    put: (record) => void pending.set(record.id, record),
    drop: (id) => void pending.set(id, null),
    close() {
      clearInterval(timer);
      while (pending.size > 0) writeSome(pending.size);
      database.close();
    },
  };
}

type Opened = { readonly database: DatabaseSync; readonly earlier: readonly StoredRecord[] };

function openOrReplace(path: string, log: Pick<Logger, "warn">): Opened {
  try {
    return open(path);
  } catch (err) {
    log.warn({ err }, "the records of offers of earlier runs cannot be read and are deleted");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return open(path);
  }
}

function open(path: string): Opened {
  const database = new DatabaseSync(path);
  try {
    // The requests of callers are private.
    chmodSync(path, 0o600);
    // No request waits for the disk; in return, a power failure may lose records.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;");
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    if (version !== 0 && version !== VERSION) throw new Error(`${path}: version ${version}, not ${VERSION}`);
    database.exec(SCHEMA);
    const rows = database.prepare("SELECT id, asker, body FROM quotes ORDER BY rowid").all() as {
      id: string;
      asker: number;
      body: Uint8Array;
    }[];
    return { database, earlier: rows.map((row) => ({ ...row, body: Buffer.from(row.body) })) };
  } catch (error) {
    database.close();
    throw error;
  }
}
