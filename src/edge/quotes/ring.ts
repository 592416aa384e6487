/** Limits in bytes. */
export type RingLimits = {
  readonly total: number;
  /** Bytes of one caller; its oldest entries are dropped for its newest. */
  readonly perCaller: number;
};

/**
 * Entries by id. The oldest entries of the callers with the most bytes are dropped first, so that no caller displaces
 * another's.
 */
export type Ring = {
  put(id: string, caller: string, bytes: Buffer): void;
  get(id: string): Buffer | undefined;
  /** Bytes kept. */
  size(): number;
};

type Share = { bytes: number; readonly ids: Set<string> };

/** Bytes counted for an entry beside its content: its id, and its places in two maps. */
const ENTRY_BYTES = 256;
/** Share of the total that is freed at a time. A larger share compares callers less often and keeps fewer entries. */
const FREED = 1 / 32;

/** @param onDrop called with the id of each entry that is dropped */
export function createRing(limits: RingLimits, onDrop: (id: string) => void = () => undefined): Ring {
  const entries = new Map<string, { readonly caller: string; readonly bytes: Buffer }>();
  const shares = new Map<string, Share>();
  let total = 0;
  const drop = (id: string) => {
    const { caller, bytes } = entries.get(id)!;
    const share = shares.get(caller)!;
    entries.delete(id);
    share.ids.delete(id);
    share.bytes -= bytes.length + ENTRY_BYTES;
    total -= bytes.length + ENTRY_BYTES;
    if (share.ids.size === 0) shares.delete(caller);
    onDrop(id);
  };
  const dropOldest = (share: Share, until: () => boolean) => {
    for (const id of share.ids) {
      if (until()) return;
      drop(id);
    }
  };
  const makeRoom = () => {
    const goal = limits.total * (1 - FREED);
    const most = fairShare(shares, goal);
    for (const [id, { caller }] of entries) {
      if (total <= goal) return;
      if (shares.get(caller)!.bytes > most) drop(id);
    }
  };
  return {
    put(id, caller, bytes) {
      const share = shares.get(caller) ?? { bytes: 0, ids: new Set() };
      shares.set(caller, share);
      entries.set(id, { caller, bytes });
      share.ids.add(id);
      share.bytes += bytes.length + ENTRY_BYTES;
      total += bytes.length + ENTRY_BYTES;
      dropOldest(share, () => share.bytes <= limits.perCaller);
      if (total > limits.total) makeRoom();
    },
    get: (id) => entries.get(id)?.bytes,
    size: () => total,
  };
}

/**
 * The largest cap in bytes per caller with which all callers together keep at most `goal` bytes; Infinity where they do
 * already.
 */
function fairShare(shares: ReadonlyMap<string, Share>, goal: number): number {
  const sizes = [...shares.values()].map(({ bytes }) => bytes).sort((a, b) => a - b);
  let left = goal;
  for (const [k, size] of sizes.entries()) {
    const equal = left / (sizes.length - k);
    if (size > equal) return equal;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
