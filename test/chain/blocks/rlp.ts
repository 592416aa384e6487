import type { Hex } from "../../../src/core/types.ts";

/** What RLP encodes: bytes, and lists of such. */
export type Rlp = Hex | readonly Rlp[];

/**
 * Hex digits in, hex digits out: a chain encodes each of its blocks several times over, and a general codec takes most of the time
 * that the chain is made in.
 *
 * @source Ethereum yellow paper, appendix B
 */
export function toRlp(item: Rlp): Hex {
  return `0x${digitsOf(item)}`;
}

function digitsOf(item: Rlp): string {
  if (typeof item !== "string") {
    let body = "";
    for (const part of item) body += digitsOf(part);
    return prefix(0xc0, body.length / 2) + body;
  }
  const digits = item.slice(2);
  // A byte below 0x80 is its own encoding.
  return digits.length === 2 && digits < "80" ? digits : prefix(0x80, digits.length / 2) + digits;
}

function prefix(kind: number, length: number): string {
  if (length <= 55) return (kind + length).toString(16);
  const digits = length.toString(16);
  const size = digits.length + (digits.length % 2);
  return (kind + 55 + size / 2).toString(16) + digits.padStart(size, "0");
}
