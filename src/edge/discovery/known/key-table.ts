import { cut, enlarged } from "../../../core/math/rows.ts";
import type { Hex } from "../../../core/types.ts";

/**
 * Numbers hexadecimal names in order of arrival. All names lie in one byte array, so that no name needs an object of
 * its own.
 */
export type KeyTable = {
  /** The number of a name; -1 where it is not in the table. */
  find(name: string): number;
  /** The number of a name; a new name is added with the next number. */
  put(name: string): number;
  name(index: number): Hex;
  size(): number;
};

/** Bytes of the longest name. */
const LONGEST = 32;

const FIRST_ROOM = 1024;
/** Least number of hash slots per name, so that runs of occupied slots stay short. */
const SLOTS_EACH = 2;
/** Names moved to the grown hash table with each new name, so that all are moved long before it grows again. */
const MOVED_AT_ONCE = 8;

/** @returns whether a name can be in a table: 20 or 32 bytes in lower case */
export function isKey(name: string): boolean {
  return /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}

export function createKeyTable(): KeyTable {
  /** Random, so that whoever chooses names, such as pool addresses, cannot make them collide. */
  const salt = Math.floor(Math.random() * 2 ** 32) | 1;
  const sought = Buffer.alloc(LONGEST);
  let length = 0;
  let size = 0;
  let bytes = new Uint8Array(FIRST_ROOM * LONGEST);
  let held = Buffer.from(bytes.buffer);
  /** By name: where its bytes begin. One more entry says where the last name ends. */
  let starts = new Uint32Array(FIRST_ROOM);
  const slots = createSlots({
    first(count, index) {
      const hash = index < 0 ? mixed(sought, 0, salt) : mixed(held, starts[index]!, salt);
      return hash & (count - 1);
    },
    isSought(index) {
      const [start, end] = [starts[index]!, starts[index + 1]!];
      return sought.compare(held, start, end, 0, length) === 0;
    },
  });
  const seek = (name: string) => {
    length = sought.write(name.slice(2), "hex");
  };
  return {
    find(name) {
      seek(name);
      return slots.find();
    },
    put(name) {
      seek(name);
      const index = slots.find();
      if (index >= 0) return index;
      const start = starts[size]!;
      if (bytes.length < start + length) {
        bytes = enlarged(bytes, start + length);
        held = Buffer.from(bytes.buffer);
      }
      starts = enlarged(starts, size + 2);
      sought.copy(held, start, 0, length);
      starts[size + 1] = start + length;
      slots.take(size);
      return size++;
    },
    name: (index) => `0x${held.toString("hex", starts[index]!, starts[index + 1]!)}`,
    size: () => size,
  };
}

type Naming = {
  /**
   * The first of `count` slots to probe for the name with this number; a negative `index` means the name that is
   * sought.
   */
  readonly first: (count: number, index: number) => number;
  /** Whether the name with this number is the one that is sought. */
  readonly isSought: (index: number) => boolean;
};

/** An open-addressing hash table from names to their numbers, which grows step by step. */
function createSlots({ first, isSought }: Naming) {
  let slots = new Int32Array(FIRST_ROOM * SLOTS_EACH).fill(-1);
  /** The slots from before the last growth; older names with a number of `moved` or more are only there. */
  let older: Int32Array | undefined;
  let moved = 0;
  const findIn = (of: Int32Array): number => {
    for (let slot = first(of.length, -1); ; slot = (slot + 1) & (of.length - 1)) {
      const index = of[slot]!;
      if (index < 0 || isSought(index)) return index;
    }
  };
  const place = (index: number) => {
    let slot = first(slots.length, index);
    while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = index;
  };
  const moveSome = (from: Int32Array) => {
    const count = from.length / SLOTS_EACH;
    for (const end = Math.min(moved + MOVED_AT_ONCE, count); moved < end; moved++) place(moved);
    if (moved < count) return;
    cut(from, 0);
    older = undefined;
  };
  /**
   * Doubles the slots. Names move later, a few at a time, since moving half a million at once would block the event
   * loop.
   */
  const grow = () => {
    older = slots;
    moved = 0;
    slots = new Int32Array(slots.length * 2).fill(-1);
  };
  return {
    /** The number of the name that is sought; -1 where it is not in the table. */
    find(): number {
      const index = findIn(slots);
      return index >= 0 || older === undefined ? index : findIn(older);
    },
    /** Puts a new number into its slot, and moves the next few numbers out of the old slots. */
    take(index: number): void {
      place(index);
      if (older !== undefined) moveSome(older);
      if ((index + 1) * SLOTS_EACH === slots.length) grow();
    },
  };
}

function mixed(from: Buffer, start: number, salt: number): number {
  const bits = from.readUInt32LE(start) ^ Math.imul(from.readUInt32LE(start + 16), 0x9e3779b1);
  const product = Math.imul(bits, salt);
  return (product ^ (product >>> 15)) >>> 0;
}
