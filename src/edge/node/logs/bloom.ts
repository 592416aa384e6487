import type { Hex, Log } from "../../../core/types.ts";
import { keccak } from "../sealed/keccak.ts";
import { bytes } from "../sealed/rlp.ts";

/** The 2048-bit bloom filter of a header over the addresses and topics of the block's logs. @source Ethereum yellow paper, 4.3.1 */

const BYTES = 256;

/** The three bit positions of a value, counted from the end of the filter. */
const bitsOf = remembering((value: Hex): readonly number[] => {
  const hash = keccak(bytes(value));
  return [0, 2, 4].map((k) => (((hash[k] as number) << 8) | (hash[k + 1] as number)) & 2047);
});

/**
 * Whether a block with this bloom may hold a log with one of the topics (or addresses). False is certain only where the
 * chain fills its blooms; it is also the answer for a bloom of another length.
 */
export function mayHold(bloom: Hex, topics: readonly Hex[]): boolean {
  if (bloom.length !== 2 + BYTES * 2) return false;
  const filter = bytesOf(bloom);
  return topics.some((topic) => bitsOf(topic).every((bit) => isSet(filter, bit)));
}

/** The bloom of a list of logs. It equals the header's only if the list holds all logs of the block, or nearly all. */
export function bloomOf(logs: readonly Log[]): Hex {
  const filter = new Uint8Array(BYTES);
  for (const { address, topics } of logs) {
    for (const value of [address, ...topics]) {
      for (const bit of bitsOf(value)) filter[BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
    }
  }
  return `0x${Buffer.from(filter).toString("hex")}`;
}

/** Share of the filter's bits that are set, 0 … 1; the larger it is, the more false positives. */
export function fillOf(bloom: Hex): number {
  let set = 0;
  for (let byte = bytes(bloom), k = 0; k < byte.length; k++)
    for (let bits = byte[k] as number; bits > 0; bits >>= 1) set += bits & 1;
  return set / (BYTES * 8);
}

/** The last decoded filter, since one block's filter is tested for thousands of pools in a row. */
let newest: { readonly bloom: Hex; readonly bytes: Buffer } | undefined;

function bytesOf(bloom: Hex): Buffer {
  if (newest?.bloom !== bloom) newest = { bloom, bytes: bytes(bloom) };
  return newest.bytes;
}

function isSet(filter: Buffer, bit: number): boolean {
  return ((filter[BYTES - 1 - (bit >> 3)]! >> (bit & 7)) & 1) === 1;
}

/**
 * Most values whose bit positions are kept, more than a market has pools, so that each is hashed once and not once per
 * block. When that many are kept, all are dropped together.
 */
const REMEMBERED = 131_072;

function remembering<V>(compute: (value: Hex) => V): (value: Hex) => V {
  const known = new Map<Hex, V>();
  return (value) => {
    const old = known.get(value);
    if (old !== undefined) return old;
    if (known.size >= REMEMBERED) known.clear();
    const fresh = compute(value);
    known.set(value, fresh);
    return fresh;
  };
}
