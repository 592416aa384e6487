import { decodePlain } from "../../../core/codec.ts";
import { grown } from "../../../core/math/rows.ts";
import type { StateId } from "../../../core/types.ts";
import { createDecoded } from "./decoded.ts";

/**
 * The states of a market as bytes of `core/codec.ts`, packed into one buffer. A market has a hundred thousand states,
 * of which a search reads a few hundred; as objects they would take five times as much memory. Recently read states are
 * cached in decoded form.
 */
export type PackedStates = {
  /** The state as it was set last, from the cache where possible; undefined where there is none. */
  get(id: StateId): unknown;
  /** Decodes the state without the cache, for states that are not read again soon. */
  read(id: StateId): unknown;
  /** Copies the bytes. */
  set(id: StateId, bytes: Uint8Array): void;
  delete(id: StateId): void;
  clear(): void;
  /** Size of the buffer in bytes. */
  heldBytes(): number;
};

/** Largest size of the buffer: address space is reserved for it, but memory is committed only as the buffer grows. */
const MOST_BYTES = 2 ** 30;
/** The buffer grows in multiples of this. */
const STEP_BYTES = 2 ** 20;
/** Bytes reserved beyond a state's length, so that a next state with slightly longer amounts fits the same place. */
const SPARE_BYTES = 4;

/** The buffer, and the place of each state in it. `start`, `length` and `room` are indexed by slot, in bytes. */
type Packed = {
  bytes: Uint8Array;
  /** End of the last place. */
  used: number;
  /** Sum of `room` over all states; the rest of `used` is gaps. */
  taken: number;
  readonly slots: Map<StateId, number>;
  /** Slots that no state has. */
  readonly free: number[];
  start: Uint32Array;
  length: Uint32Array;
  room: Uint32Array;
};

export function createPackedStates(): PackedStates {
  let packed = emptyPacked();
  const decoded = createDecoded();
  const bytesOf = (id: StateId): Uint8Array | undefined => {
    const slot = packed.slots.get(id);
    if (slot === undefined) return undefined;
    const start = packed.start[slot]!;
    return packed.bytes.slice(start, start + packed.length[slot]!);
  };
  return {
    get: (id) => decoded.get(id, () => bytesOf(id)),
    read(id) {
      const bytes = bytesOf(id);
      return bytes && decodePlain(bytes);
    },
    set(id, bytes) {
      decoded.delete(id);
      const known = packed.slots.get(id);
      const slot =
        known !== undefined && bytes.length <= packed.room[known]! ? known : place(packed, id, bytes.length);
      packed.bytes.set(bytes, packed.start[slot]!);
      packed.length[slot] = bytes.length;
    },
    delete(id) {
      decoded.delete(id);
      leave(packed, id);
    },
    clear() {
      decoded.clear();
      packed = emptyPacked();
    },
    heldBytes: () => packed.bytes.length,
  };
}

function emptyPacked(): Packed {
  const buffer = new ArrayBuffer(STEP_BYTES, { maxByteLength: MOST_BYTES });
  const none = () => new Uint32Array(16);
  const places = { start: none(), length: none(), room: none() };
  return { bytes: new Uint8Array(buffer), used: 0, taken: 0, slots: new Map(), free: [], ...places };
}

function leave(packed: Packed, id: StateId): void {
  const slot = packed.slots.get(id);
  if (slot === undefined) return;
  packed.taken -= packed.room[slot]!;
  packed.slots.delete(id);
  packed.free.push(slot);
}

/** Gives a state a new place at the end. Closes the gaps first where they take more than half of a full buffer. */
function place(packed: Packed, id: StateId, length: number): number {
  leave(packed, id);
  const room = length + SPARE_BYTES;
  if (packed.used + room > packed.bytes.length) {
    if (packed.taken < packed.used / 2) closeGaps(packed);
    reserve(packed, packed.used + room);
  }
  const slot = packed.free.pop() ?? packed.slots.size;
  for (const key of ["start", "length", "room"] as const) packed[key] = grown(packed[key], slot + 1);
  packed.slots.set(id, slot);
  packed.start[slot] = packed.used;
  packed.room[slot] = room;
  packed.used += room;
  packed.taken += room;
  return slot;
}

/** Moves all states to the front of the buffer, in the order of their places. */
function closeGaps(packed: Packed): void {
  const { bytes, slots, start, room } = packed;
  packed.used = 0;
  for (const slot of [...slots.values()].sort((a, b) => start[a]! - start[b]!)) {
    bytes.copyWithin(packed.used, start[slot]!, start[slot]! + room[slot]!);
    start[slot] = packed.used;
    packed.used += room[slot]!;
  }
}

/** Resizes the buffer to hold `size` bytes. @throws RangeError beyond MOST_BYTES */
function reserve({ bytes }: Packed, size: number): void {
  const buffer = bytes.buffer as ArrayBuffer;
  const held = Math.ceil(size / STEP_BYTES) * STEP_BYTES;
  if (held !== buffer.byteLength) buffer.resize(held);
}
