import { decodePlain } from "../../../core/codec.ts";
import { grown } from "../../../core/math/rows.ts";
import type { StateId } from "../../../core/types.ts";
import { createDecoded } from "./decoded.ts";

/**
 * States of a market as the bytes of `core/codec.ts`, one beside the other in one buffer. A market has a hundred thousand states, of which
 * a search reads some hundred, and as objects they take five times as much memory. What was read lately is kept decoded.
 */
export type PackedStates = {
  /** The state as it was set last; the same object as before where it was read lately. */
  get(id: StateId): unknown;
  /** The same for a reader that does not come back: nothing is kept of it. */
  read(id: StateId): unknown;
  /** Copies the bytes. */
  set(id: StateId, bytes: Uint8Array): void;
  delete(id: StateId): void;
  clear(): void;
  /** Bytes of the buffer. */
  heldBytes(): number;
};

/** Address space for all states; memory is taken only as far as it is used. */
const MOST_BYTES = 2 ** 30;
/** The buffer grows by so much at a time. */
const STEP_BYTES = 2 ** 20;
/** Room beyond a state's length, so that the next one, whose amounts may be a byte longer, fits the same place. */
const SPARE_BYTES = 4;

/** Where a state lies, by slot; slots without an id are free. */
type Packed = {
  bytes: Uint8Array;
  /** Where the last place ends. */
  used: number;
  /** Bytes of all places that are taken. */
  taken: number;
  readonly slots: Map<StateId, number>;
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

/** Gives a state a new place, at the end. */
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

/** Moves all states to the front, in the order in which they lie. */
function closeGaps(packed: Packed): void {
  const { bytes, slots, start, room } = packed;
  packed.used = 0;
  for (const slot of [...slots.values()].sort((a, b) => start[a]! - start[b]!)) {
    bytes.copyWithin(packed.used, start[slot]!, start[slot]! + room[slot]!);
    start[slot] = packed.used;
    packed.used += room[slot]!;
  }
}

/** @throws RangeError beyond `MOST_BYTES` */
function reserve({ bytes }: Packed, size: number): void {
  const buffer = bytes.buffer as ArrayBuffer;
  const held = Math.ceil(size / STEP_BYTES) * STEP_BYTES;
  if (held !== buffer.byteLength) buffer.resize(held);
}
