import type { Hex } from "../../core/types.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { ChainReader, Header } from "../node/types.ts";
import { indexOf, type Ring } from "./ring.ts";

/** Most blocks taken into the market in one commit while catching up. */
const SLICE_BLOCKS = 64;

/** How to get from the ring's newest block to the target, or to a block on the path to it. */
export type Plan =
  | {
      readonly kind: "extend";
      /** Number of blocks of the ring that stay; the newer ones are undone. */
      readonly keep: number;
      /** Blocks to apply, oldest first; each one's parent is the one before it. */
      readonly headers: readonly Header[];
    }
  /** The fork began below the ring. */
  | { readonly kind: "too-deep" };

/**
 * Walks back by parent hash until a block of the ring. It starts at `target`, or where that is more than SLICE_BLOCKS
 * ahead, at the canonical block SLICE_BLOCKS ahead.
 *
 * @param ring not empty
 * @throws NodeFailure `missing` where the nodes no longer know a parent: the chain has moved on, and a new plan is
 *   needed
 */
export async function planTo(target: Header, ring: Ring, reader: ChainReader): Promise<Plan> {
  const tip = ring[ring.length - 1]!.header;
  const near =
    target.number > tip.number + SLICE_BLOCKS ? await canonical(tip.number + SLICE_BLOCKS, reader) : target;
  const between =
    near.number > tip.number + 1 ? await reader.headersByNumber(tip.number + 1, near.number - 1) : [];
  const known = new Map(between.flatMap((header) => (header === undefined ? [] : [[header.hash, header]])));
  const headers = [near];
  for (;;) {
    const { parentHash, number } = headers[headers.length - 1] as Header;
    const at = indexOf(ring, parentHash);
    if (at >= 0) return { kind: "extend", keep: at + 1, headers: headers.reverse() };
    if (number <= ring[0]!.header.number + 1) return { kind: "too-deep" };
    headers.push(numbered(known.get(parentHash) ?? (await parentOf(parentHash, number, reader)), number));
  }
}

async function canonical(number: number, reader: ChainReader): Promise<Header> {
  const [header] = await reader.headersByNumber(number, number);
  if (header === undefined) throw new NodeFailure("missing", `block ${number} is gone`);
  return header;
}

async function parentOf(hash: Hex, childNumber: number, reader: ChainReader): Promise<Header> {
  const header = await reader.headerByHash(hash);
  if (header === undefined) throw new NodeFailure("missing", `parent of block ${childNumber} is unknown`);
  if (header.hash !== hash)
    throw new NodeFailure("refused", `another block than the parent of ${childNumber}`);
  return header;
}

/** Numbers that do not fall from child to parent could name each other as parents without end. */
function numbered(header: Header, childNumber: number): Header {
  if (header.number === childNumber - 1) return header;
  throw new NodeFailure("refused", `block ${header.number} as the parent of ${childNumber}`);
}
