import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Address } from "../../core/types.ts";
import type { AccessKey, DefaultFees } from "../../service/ports/ports-access.ts";
import { inTransaction } from "../store/transaction.ts";
import { hashOf, newKeyId, newSecret } from "./key-secret.ts";
import { isTier, type TierName, tiers } from "./tiers.ts";

/** A key to create. An undefined limit is that of the tier; 0 = no limit. */
export type NewKey = {
  /** The holder of the key, for the operator. */
  readonly name: string;
  readonly tier: TierName;
  readonly perMinute: number | undefined;
  readonly perDay: number | undefined;
  readonly perAddressPerMinute: number;
  readonly origins: readonly string[];
  readonly fees: DefaultFees | undefined;
};

/** A key as its operator sees it. Times are Unix seconds. */
export type StoredKey = AccessKey & {
  readonly name: string;
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
};

/** Number of requests of one key on one day; `day` counts UTC days since 1970-01-01. */
export type Usage = { readonly id: string; readonly day: number; readonly requests: number };

/** The API keys of a service, in a file that a command-line tool may write while the service reads it. */
export type KeyStore = {
  /** Creates a key. @returns its id, and its secret, which is not stored */
  create(key: NewKey, unixSeconds: number): { id: string; secret: string };
  /** All keys in the order of their creation, revoked ones included. */
  all(): StoredKey[];
  /** @returns false where no valid key has this id */
  revoke(id: string, unixSeconds: number): boolean;
  usage(): Usage[];
  saveUsage(usage: readonly Usage[]): void;
  /** Sets how long a write waits for another connection that is writing; then it throws. */
  waitAtMost(ms: number): void;
  /** A number that changes when another connection has written to the file. */
  version(): number;
  close(): void;
};

const SCHEMA_VERSION = 1;
const SCHEMA = `
  CREATE TABLE keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, tier TEXT NOT NULL,
    per_minute INTEGER, per_day INTEGER, per_address INTEGER NOT NULL, origins TEXT NOT NULL,
    fee_recipient TEXT, buy_permille INTEGER NOT NULL, sell_permille INTEGER NOT NULL,
    created_at INTEGER NOT NULL, revoked_at INTEGER
  ) STRICT;
  CREATE TABLE usage (
    id TEXT NOT NULL, day INTEGER NOT NULL, requests INTEGER NOT NULL, PRIMARY KEY (id, day)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${SCHEMA_VERSION};`;

/**
 * Opens the keys under `folder`, or an empty store in memory where no folder is given.
 *
 * @throws Error where the file cannot be written, or a newer version wrote it
 */
export function openKeyStore(folder: string | undefined): KeyStore {
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const path = folder === undefined ? ":memory:" : join(folder, "keys.sqlite");
  const database = new DatabaseSync(path);
  try {
    // The hashes are not secret, but the names of the holders and their usage are private.
    if (folder !== undefined) chmodSync(path, 0o600);
    prepareSchema(database);
  } catch (cause) {
    database.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} cannot be used as the file of API keys: ${why}`, { cause });
  }
  return {
    ...keyTable(database),
    ...usageTable(database),
    waitAtMost: (ms) => database.exec(`PRAGMA busy_timeout = ${ms}`),
    close: () => database.close(),
  };
}

function prepareSchema(database: DatabaseSync): void {
  database.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  const migrate = () => {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    if (version > SCHEMA_VERSION)
      throw new Error(`it was written by a newer version: schema ${version}, known is ${SCHEMA_VERSION}`);
    if (version === 0) database.exec(SCHEMA);
  };
  inTransaction(database, migrate, "BEGIN IMMEDIATE");
}

function keyTable(database: DatabaseSync): Pick<KeyStore, "create" | "all" | "revoke"> {
  const insert = database.prepare("INSERT INTO keys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)");
  const select = database.prepare("SELECT * FROM keys ORDER BY created_at, rowid");
  const mark = database.prepare("UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL");
  return {
    create(key, unixSeconds) {
      const id = newKeyId();
      const secret = newSecret();
      const { recipient = null, buyPermille = 0, sellPermille = 0 } = key.fees ?? {};
      insert.run(
        ...[id, hashOf(secret), key.name, key.tier, key.perMinute ?? null, key.perDay ?? null],
        ...[key.perAddressPerMinute, JSON.stringify(key.origins)],
        ...[recipient, buyPermille, sellPermille, unixSeconds],
      );
      return { id, secret };
    },
    all: () => select.all().map((row) => keyOf(row as unknown as KeyRow)),
    revoke: (id, unixSeconds) => mark.run(unixSeconds, id).changes === 1,
  };
}

function usageTable(database: DatabaseSync): Pick<KeyStore, "usage" | "saveUsage" | "version"> {
  const select = database.prepare("SELECT id, day, requests FROM usage ORDER BY id, day");
  const replace = database.prepare("INSERT OR REPLACE INTO usage VALUES (?, ?, ?)");
  const version = database.prepare("PRAGMA data_version");
  return {
    usage: () => select.all().map((row) => ({ ...(row as unknown as Usage) })),
    saveUsage(usage) {
      const write = () => {
        for (const { id, day, requests } of usage) replace.run(id, day, requests);
      };
      inTransaction(database, write, "BEGIN IMMEDIATE");
    },
    version: () => (version.get() as { data_version: number }).data_version,
  };
}

type KeyRow = {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly tier: string;
  readonly per_minute: number | null;
  readonly per_day: number | null;
  readonly per_address: number;
  readonly origins: string;
  readonly fee_recipient: Address | null;
  readonly buy_permille: number;
  readonly sell_permille: number;
  readonly created_at: number;
  readonly revoked_at: number | null;
};

function keyOf(row: KeyRow): StoredKey {
  const { fee_recipient: recipient, buy_permille: buyPermille, sell_permille: sellPermille } = row;
  // A tier that this version does not know gets the limits of the lowest one.
  const tier = isTier(row.tier) ? tiers[row.tier] : tiers.basic;
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    tier: row.tier,
    perMinute: row.per_minute ?? tier.perMinute,
    perDay: row.per_day ?? tier.perDay,
    perAddressPerMinute: row.per_address,
    origins: JSON.parse(row.origins) as string[],
    fees: recipient === null ? undefined : { recipient, buyPermille, sellPermille },
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
  };
}
