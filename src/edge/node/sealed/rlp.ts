import type { Hex } from "../../../core/types.ts";

/**
 * Recursive length prefix (RLP), the encoding of which headers and receipts are hashed.
 *
 * @source Ethereum yellow paper, appendix B
 */

export type Rlp = Buffer | readonly Rlp[];

export function encodeRlp(item: Rlp): Buffer {
  if (Buffer.isBuffer(item)) {
    return item.length === 1 && item[0]! < 0x80 ? item : Buffer.concat([prefix(item.length, 0x80), item]);
  }
  const body = Buffer.concat((item as readonly Rlp[]).map(encodeRlp));
  return Buffer.concat([prefix(body.length, 0xc0), body]);
}

function prefix(length: number, base: number): Buffer {
  if (length < 56) return Buffer.from([base + length]);
  const digits = bytesOf(length);
  return Buffer.concat([Buffer.from([base + 55 + digits.length]), digits]);
}

export function bytes(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

/** A number in big-endian bytes without leading zeros; 0 is the empty string. */
export function bytesOf(value: bigint | number): Buffer {
  if (value === 0 || value === 0n) return Buffer.alloc(0);
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}
