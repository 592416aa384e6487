import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers";
import type { Asker, KeptQuote, QuoteRecord, QuotesPort } from "../../service/ports/ports-quotes.ts";
import { stateDigests } from "./digest.ts";
import type { QuoteFile, StoredRecord } from "./quote-file.ts";
import { createRing, type RingLimits } from "./ring.ts";

/** Largest record in bytes; a larger one is cut. */
export const MOST_BYTES = 64 * 1024;
const MEGABYTE = 1024 * 1024;

export const quoteLimits: RingLimits = { total: 64 * MEGABYTE, perCaller: 4 * MEGABYTE };

type Pending = {
  readonly record: QuoteRecord;
  readonly asker: Asker;
  readonly states: Parameters<QuotesPort["keep"]>[2];
};

export type Quotes = QuotesPort & {
  /** Bytes kept. */
  size(): number;
  close(): void;
};

/**
 * Records of offers in memory, as bytes. A record is encoded after its answer was handed over, so that no request waits
 * for it.
 *
 * @param file also stores the records; absent = a restart forgets them
 */
export function createQuotes(limits: RingLimits = quoteLimits, file?: QuoteFile): Quotes {
  const ring = createRing(limits, (id) => file?.drop(id));
  const askers = createAskers(file?.earlier ?? []);
  for (const { id, asker, body } of file?.earlier ?? []) ring.put(id, `earlier ${asker}`, body);
  const pending = new Map<string, Pending>();
  const write = () => {
    for (const [id, { record, asker, states }] of pending) {
      const digests = stateDigests(states.view, states.ids);
      const kept = { id, owner: asker.owner ?? null, states: digests, isCut: false, record };
      const body = encodeWithin(kept);
      file?.put({ id, asker: askers.numberOf(asker.caller), body });
      ring.put(id, asker.caller, body);
    }
    pending.clear();
  };
  return {
    size: ring.size,
    close() {
      write();
      file?.close();
    },
    keep(record, asker, states) {
      const id = newId();
      if (pending.size === 0) setImmediate(write);
      pending.set(id, { record, asker, states });
      return id;
    },
    find(id) {
      write();
      const bytes = ring.get(id);
      return bytes && (JSON.parse(bytes.toString("utf8")) as KeptQuote);
    },
  };
}

/**
 * Callers whose numbers are remembered. Beyond it all numbers are forgotten, and a caller that returns counts as a new
 * one.
 */
const MOST_ASKERS = 10_000;

/** Numbers for callers, so that the file of records contains no addresses or keys. */
function createAskers(earlier: readonly StoredRecord[]) {
  let next = earlier.reduce((most, { asker }) => Math.max(most, asker + 1), 0);
  const numbers = new Map<string, number>();
  return {
    numberOf(caller: string): number {
      const known = numbers.get(caller);
      if (known !== undefined) return known;
      if (numbers.size >= MOST_ASKERS) numbers.clear();
      numbers.set(caller, next);
      return next++;
    },
  };
}

/** 122 random bits, so that nobody can guess an id. The runtime draws random bytes for many ids at a time. */
const newId = (): string => randomUUID().replaceAll("-", "");

/** Cuts of a record that is too large, applied one after the other until it fits. */
const CUTS: readonly ((record: QuoteRecord) => QuoteRecord)[] = [
  (record) => ({ ...record, pools: record.pools.filter(({ verdict }) => verdict === "used") }),
  (record) => ({ ...record, pools: [], candidates: [], prices: [], refused: [] }),
  (record) => ({ ...record, steps: [], request: { ...record.request, sources: NOT_TOLD } }),
];
const NOT_TOLD = { list: "exclude", names: [], rfqOnly: false } as const;

function encodeWithin(kept: KeptQuote): Buffer {
  let bytes = bytesOf(kept);
  let { record } = kept;
  for (const cut of CUTS) {
    if (bytes.length <= MOST_BYTES) return bytes;
    record = cut(record);
    bytes = bytesOf({ ...kept, isCut: true, record });
  }
  return bytes.length <= MOST_BYTES ? bytes : bytesOf({ ...kept, states: [], isCut: true, record });
}

const bytesOf = (kept: KeptQuote): Buffer => Buffer.from(JSON.stringify(kept), "utf8");
