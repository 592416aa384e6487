/** The memory of one call: it grows in words, and its price grows with the square of its size. */
export type Memory = {
  /** Makes room. @returns gas that it costs */
  grow(offset: number, size: number): number;
  load(offset: number): bigint;
  store(offset: number, value: bigint): void;
  store8(offset: number, value: number): void;
  write(offset: number, bytes: Uint8Array): void;
  /** A copy. */
  slice(offset: number, size: number): Uint8Array;
  /** In bytes, as MSIZE says. */
  size(): number;
};

export function createMemory(): Memory {
  let bytes = new Uint8Array(4096);
  let view = new DataView(bytes.buffer);
  let used = 0;
  let paid = 0;
  return {
    grow(offset, size) {
      const end = Math.ceil((offset + size) / 32);
      if (end <= used) return 0;
      used = end;
      if (end * 32 > bytes.length) {
        const larger = new Uint8Array(Math.max(end * 32, bytes.length * 2));
        larger.set(bytes);
        bytes = larger;
        view = new DataView(bytes.buffer);
      }
      const total = 3 * end + Math.floor((end * end) / 512);
      const more = total - paid;
      paid = total;
      return more;
    },
    load(offset) {
      const high = (view.getBigUint64(offset) << 64n) | view.getBigUint64(offset + 8);
      return (high << 128n) | (view.getBigUint64(offset + 16) << 64n) | view.getBigUint64(offset + 24);
    },
    store(offset, value) {
      view.setBigUint64(offset, value >> 192n);
      view.setBigUint64(offset + 8, value >> 128n);
      view.setBigUint64(offset + 16, value >> 64n);
      view.setBigUint64(offset + 24, value);
    },
    store8(offset, value) {
      bytes[offset] = value;
    },
    write(offset, part) {
      bytes.set(part, offset);
    },
    slice: (offset, size) => bytes.slice(offset, offset + size),
    size: () => used * 32,
  };
}
