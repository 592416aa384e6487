import type { Hex } from "../../../core/types.ts";
import { keccak, keccakHex } from "./keccak.ts";
import { bytesOf, encodeRlp, type Rlp } from "./rlp.ts";

/** Root of an empty list. */
export const EMPTY_ROOT: Hex = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/**
 * Items hashed before the event loop is yielded: the receipts of a large block take longer than other requests may
 * wait.
 */
const ITEMS_AT_ONCE = 64;

/**
 * Root of an ordered list as it appears in a header: of the Merkle-Patricia trie from the RLP of each index to the
 * item.
 *
 * @source Ethereum yellow paper, appendix D
 */
export async function listRoot(items: readonly Buffer[]): Promise<Hex> {
  if (items.length === 0) return EMPTY_ROOT;
  const leaves = items.map((value, k) => ({ path: encodeRlp(bytesOf(k)).toString("hex"), value }));
  return keccakHex(encodeRlp(await nodeOf(leaves, 0, { done: 0 })));
}

type Leaf = { readonly path: string; readonly value: Buffer };
type Progress = { done: number };

async function nodeOf(leaves: readonly Leaf[], depth: number, progress: Progress): Promise<Rlp> {
  const [first] = leaves as [Leaf];
  if (leaves.length === 1) {
    if (++progress.done % ITEMS_AT_ONCE === 0) await new Promise(setImmediate);
    return [compact(first.path.slice(depth), true), first.value];
  }
  const shared = sharedDepth(leaves, depth);
  if (shared > depth) {
    const below = await nodeOf(leaves, shared, progress);
    return [compact(first.path.slice(depth, shared), false), linked(below)];
  }
  const branch: Rlp[] = [];
  for (const digit of "0123456789abcdef") {
    const below = leaves.filter(({ path }) => path[depth] === digit);
    branch.push(below.length === 0 ? NOTHING : linked(await nodeOf(below, depth + 1, progress)));
  }
  const own = leaves.find(({ path }) => path.length === depth);
  return [...branch, own?.value ?? NOTHING];
}

const NOTHING = Buffer.alloc(0);

function sharedDepth(leaves: readonly Leaf[], depth: number): number {
  const [first] = leaves as [Leaf];
  let end = depth;
  while (end < first.path.length && leaves.every(({ path }) => path[end] === first.path[end])) end++;
  return end;
}

/** The reference to a trie node in its parent: its hash where it encodes to 32 bytes or more, else the node itself. */
function linked(node: Rlp): Rlp {
  const encoded = encodeRlp(node);
  return encoded.length < 32 ? node : keccak(encoded);
}

function compact(path: string, isLeaf: boolean): Buffer {
  const flag = isLeaf ? 2 : 0;
  return Buffer.from(path.length % 2 === 0 ? `${flag}0${path}` : `${flag + 1}${path}`, "hex");
}
