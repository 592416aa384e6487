import type { Word } from "./word.ts";
import { readWord, writeWord } from "./word.ts";

/** The memory of one call: it grows in words, and its price grows with the square of its size. */
export type Memory = {
  /** Makes room. @returns gas that it costs */
  grow(offset: number, size: number): number;
  load(offset: number): Word;
  store(offset: number, value: Word): void;
  store8(offset: number, value: number): void;
  write(offset: number, bytes: Uint8Array): void;
  /** A copy. */
  slice(offset: number, size: number): Uint8Array;
  /** As hex digits, without the prefix. */
  digits(offset: number, size: number): string;
  /** In bytes, as MSIZE says. */
  size(): number;
};

export function createMemory(): Memory {
  let bytes = Buffer.alloc(4096);
  let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** In bytes. */
  let used = 0;
  let paid = 0;
  return {
    grow(offset, size) {
      if (offset + size <= used) return 0;
      const words = Math.ceil((offset + size) / 32);
      used = words * 32;
      if (used > bytes.length) {
        const larger = Buffer.alloc(Math.max(used, bytes.length * 2));
        larger.set(bytes);
        bytes = larger;
        view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      }
      const total = 3 * words + Math.floor((words * words) / 512);
      const more = total - paid;
      paid = total;
      return more;
    },
    load: (offset) => readWord(view, offset),
    store: (offset, value) => writeWord(view, offset, value),
    store8(offset, value) {
      bytes[offset] = value;
    },
    write(offset, part) {
      bytes.set(part, offset);
    },
    slice: (offset, size) => Uint8Array.prototype.slice.call(bytes, offset, offset + size),
    digits: (offset, size) => bytes.toString("hex", offset, offset + size),
    size: () => used,
  };
}
