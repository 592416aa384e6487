import type { Hex } from "../../../core/types.ts";

/** Numbers for hexadecimal names, in the order in which they came: the names lie in one array of bytes, no object each. */
export type KeyTable = {
  /** The number of a name; -1 where it has none. */
  find(name: string): number;
  /** The number of a name, which gets the next one where it has none. */
  put(name: string): number;
  name(index: number): Hex;
  size(): number;
};

/** Bytes that a name takes here, and whether it is shorter by the difference to the width. */
const WIDTH = 32;
const SHORT = 20;

const FIRST_ROOM = 1024;
/** Slots for each name at the least: chains of taken slots stay short. */
const SLOTS_EACH = 2;

/** @returns whether a name can be in a table: 20 or 32 bytes in lower case; one of 32 must not look like one of 20 */
export function isKey(name: string): boolean {
  return /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name) && !(name.length === 66 && name.endsWith(TAIL));
}
const TAIL = "00".repeat(WIDTH - SHORT);

export function createKeyTable(): KeyTable {
  /** Nobody who chooses names knows which ones share a slot. */
  const salt = Math.floor(Math.random() * 2 ** 32) | 1;
  const scratch = Buffer.alloc(WIDTH);
  let bytes = Buffer.alloc(FIRST_ROOM * WIDTH);
  let slots = new Int32Array(FIRST_ROOM * SLOTS_EACH).fill(-1);
  let size = 0;
  const slotOf = (from: Buffer, start: number) => mixed(from, start, salt) & (slots.length - 1);
  /** The slot of what is in the scratch: taken by it, or free. */
  const seek = (): number => {
    for (let slot = slotOf(scratch, 0); ; slot = (slot + 1) & (slots.length - 1)) {
      const index = slots[slot]!;
      if (index < 0 || scratch.compare(bytes, index * WIDTH, (index + 1) * WIDTH) === 0) return slot;
    }
  };
  const write = (name: string) => {
    scratch.fill(0);
    scratch.write(name.slice(2), "hex");
  };
  const grow = () => {
    bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)]);
    slots = new Int32Array(slots.length * 2).fill(-1);
    for (let index = 0; index < size; index++) {
      let slot = slotOf(bytes, index * WIDTH);
      while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = index;
    }
  };
  return {
    find(name) {
      write(name);
      return slots[seek()]!;
    },
    put(name) {
      write(name);
      const slot = seek();
      const index = slots[slot]!;
      if (index >= 0) return index;
      slots[slot] = size;
      scratch.copy(bytes, size * WIDTH);
      size++;
      if (size * WIDTH === bytes.length) grow();
      return size - 1;
    },
    name(index) {
      const text = bytes.toString("hex", index * WIDTH, (index + 1) * WIDTH);
      return `0x${text.endsWith(TAIL) ? text.slice(0, 2 * SHORT) : text}`;
    },
    size: () => size,
  };
}

function mixed(from: Buffer, start: number, salt: number): number {
  const bits = from.readUInt32LE(start) ^ Math.imul(from.readUInt32LE(start + 16), 0x9e3779b1);
  const product = Math.imul(bits, salt);
  return (product ^ (product >>> 15)) >>> 0;
}
