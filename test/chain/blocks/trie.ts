import type { Hex } from "../../../src/core/types.ts";
import { keccakOf } from "../model/hash.ts";
import { type Rlp, toRlp } from "./rlp.ts";

/**
 * The root of an ordered list as headers name it for transactions, receipts and withdrawals: a Merkle-Patricia trie from the
 * RLP of each index to the item.
 *
 * @source Ethereum yellow paper, appendix D
 */
export function listRoot(items: readonly Hex[]): Hex {
  if (items.length === 0) return EMPTY_ROOT;
  const entries = items.map((value, k): Entry => ({ path: nibbles(toRlp(rlpIndex(k))), value }));
  return keccakOf(toRlp(nodeOf(entries, 0)));
}

export const EMPTY_ROOT: Hex = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

type Entry = { readonly path: string; readonly value: Hex };

function rlpIndex(k: number): Hex {
  if (k === 0) return "0x";
  const digits = k.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

function nibbles(hex: Hex): string {
  return hex.slice(2);
}

function nodeOf(entries: readonly Entry[], depth: number): Rlp {
  const [first] = entries as [Entry];
  if (entries.length === 1) return [compact(first.path.slice(depth), true), first.value];
  const shared = sharedDepth(entries, depth);
  if (shared > depth)
    return [compact(first.path.slice(depth, shared), false), linked(nodeOf(entries, shared))];
  const branch: Rlp[] = [];
  for (let digit = 0; digit < 16; digit++) {
    const below = entries.filter(({ path }) => Number.parseInt(path[depth] ?? "x", 16) === digit);
    branch.push(below.length === 0 ? "0x" : linked(nodeOf(below, depth + 1)));
  }
  const own = entries.find(({ path }) => path.length === depth);
  return [...branch, own?.value ?? "0x"];
}

function sharedDepth(entries: readonly Entry[], depth: number): number {
  const [first] = entries as [Entry];
  let end = depth;
  while (end < first.path.length && entries.every(({ path }) => path[end] === first.path[end])) end++;
  return end;
}

/** A node of 32 bytes or more is named by its hash, a smaller one stands in its parent. */
function linked(node: Rlp): Rlp {
  const encoded = toRlp(node);
  return encoded.length >= 2 + 64 ? keccakOf(encoded) : node;
}

function compact(path: string, isLeaf: boolean): Hex {
  const flag = isLeaf ? 2 : 0;
  return path.length % 2 === 0 ? `0x${flag}0${path}` : `0x${flag + 1}${path}`;
}
