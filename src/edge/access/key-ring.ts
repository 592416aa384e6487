import { timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import type { KeyPort } from "../../service/ports/ports-access.ts";
import { hashOf } from "./key-secret.ts";
import { type KeyStore, openKeyStore, type StoredKey, type Usage } from "./key-store.ts";

/** The API keys of this service in memory, kept in step with their file. */
export type KeyRing = {
  readonly port: KeyPort;
  /** Reads the keys again where another process has changed them, and writes the usage since the last call. */
  refresh(): void;
  close(): void;
};

/** Interval of `refresh`, milliseconds: the longest time until a revoked key is refused. */
const REFRESH_MS = 1_000;
/** Longest wait for another process that writes the file, when the usage is written for the last time. */
const LAST_WAIT_MS = 1_000;
const DAY_SECONDS = 86_400;

type Index = {
  readonly count: number;
  readonly byHash: ReadonlyMap<string, StoredKey>;
  readonly ids: ReadonlySet<string>;
};

/**
 * @param folder folder of the file of keys; undefined = there are no keys
 * @param unixSeconds the wall clock, since a day's quota ends at midnight UTC
 * @throws Error where the file cannot be opened
 */
export function openKeyRing(
  folder: string | undefined,
  unixSeconds: () => number,
  log: Pick<Logger, "error">,
): KeyRing {
  const store = openKeyStore(folder);
  // A wait for another process that writes the file would stop every request, and the next refresh tries again.
  store.waitAtMost(0);
  const { usedToday, count, save } = createUsage(store, () => Math.floor(unixSeconds() / DAY_SECONDS));
  let version = store.version();
  let index = indexOf(store.all());
  const refresh = () => {
    const newest = store.version();
    if (newest !== version) index = indexOf(store.all());
    version = newest;
    // Last, so that a revocation takes effect even where nothing can be written.
    save();
  };
  const timer = setInterval(() => {
    try {
      refresh();
    } catch (err) {
      log.error({ err }, "the keys cannot be read or their usage not be written");
    }
  }, REFRESH_MS).unref();
  return {
    port: {
      inUse: () => index.count > 0,
      find: (secret) => findKey(index, secret),
      isValid: (id) => index.ids.has(id),
      usedToday,
      count,
    },
    refresh,
    close() {
      clearInterval(timer);
      try {
        store.waitAtMost(LAST_WAIT_MS);
        save();
      } finally {
        store.close();
      }
    },
  };
}

/** Requests of each key today, and what of them is not written yet. */
function createUsage(store: KeyStore, today: () => number) {
  const used = new Map<string, Usage>();
  const unsaved = new Map<string, Usage>();
  for (const usage of store.usage()) if (usage.day === today()) used.set(usage.id, usage);
  const usedToday = (id: string): number => {
    const usage = used.get(id);
    return usage?.day === today() ? usage.requests : 0;
  };
  return {
    usedToday,
    count(id: string, requests: number) {
      const usage = { id, day: today(), requests: usedToday(id) + requests };
      used.set(id, usage);
      unsaved.set(`${id} ${usage.day}`, usage);
    },
    save() {
      if (unsaved.size === 0) return;
      store.saveUsage([...unsaved.values()]);
      unsaved.clear();
    },
  };
}

function indexOf(keys: readonly StoredKey[]): Index {
  const valid = keys.filter(({ revokedAt }) => revokedAt === undefined);
  const byHash = new Map(valid.map((key) => [key.hash, key]));
  return { count: keys.length, byHash, ids: new Set(valid.map(({ id }) => id)) };
}

function findKey({ byHash }: Index, secret: string): StoredKey | undefined {
  const hash = hashOf(secret);
  const key = byHash.get(hash);
  if (key === undefined) return undefined;
  return timingSafeEqual(Buffer.from(hash, "hex"), Buffer.from(key.hash, "hex")) ? key : undefined;
}
