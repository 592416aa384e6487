/**
 * A word of 256 bits: a number up to 2^53 - 1, a bigint above. Each value has one form only, so that words are equal where `===`
 * says so. Places, counts and flags are most of what a contract reckons with, and a number costs a tenth of a bigint.
 */
export type Word = number | bigint;

const MOST = Number.MAX_SAFE_INTEGER;

/** @param value 0 … 2^256 - 1 */
export function wordOf(value: bigint): Word {
  return value <= MOST ? Number(value) : value;
}

/** The word of 32 bytes at a place of `view` that has them. */
export function readWord(view: DataView, at: number): Word {
  if (
    view.getUint32(at) === 0 &&
    (view.getUint32(at + 4) |
      view.getUint32(at + 8) |
      view.getUint32(at + 12) |
      view.getUint32(at + 16) |
      view.getUint32(at + 20)) ===
      0
  ) {
    const high = view.getUint32(at + 24);
    if (high < 0x200000) return high * 2 ** 32 + view.getUint32(at + 28);
    return view.getBigUint64(at + 24);
  }
  const high = (view.getBigUint64(at) << 64n) | view.getBigUint64(at + 8);
  return (high << 128n) | (view.getBigUint64(at + 16) << 64n) | view.getBigUint64(at + 24);
}

export function writeWord(view: DataView, at: number, value: Word): void {
  if (typeof value === "number") {
    view.setFloat64(at, 0);
    view.setFloat64(at + 8, 0);
    view.setFloat64(at + 16, 0);
    view.setUint32(at + 24, value / 2 ** 32);
    view.setUint32(at + 28, value);
    return;
  }
  view.setBigUint64(at, BigInt.asUintN(64, value >> 192n));
  view.setBigUint64(at + 8, BigInt.asUintN(64, value >> 128n));
  view.setBigUint64(at + 16, BigInt.asUintN(64, value >> 64n));
  view.setBigUint64(at + 24, BigInt.asUintN(64, value));
}
