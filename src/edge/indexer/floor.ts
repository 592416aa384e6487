import { NodeFailure } from "../node/transport/failure.ts";
import type { ChainReader, Header } from "../node/types.ts";
import { floorAt, type Ring } from "./ring.ts";

/** Most blocks by which a ring is lengthened below the block at which the market began. */
const BELOW = 32;

/**
 * Whether the nodes have a block with the number before this one, as they have where a market may begin at it.
 *
 * @throws NodeFailure where no node answers
 */
export async function isReachable({ number }: Header, reader: ChainReader): Promise<boolean> {
  if (number === 0) return true;
  try {
    const [before] = await reader.headersByNumber(number - 1, number - 1);
    return before !== undefined;
  } catch (error) {
    if (!(error instanceof NodeFailure) || SILENT.has(error.kind)) throw error;
    return false;
  }
}

/** Failures that say nothing about a block. */
const SILENT: ReadonlySet<string> = new Set(["transport", "rate-limit"]);

/**
 * Adds the ancestors of a ring's oldest block, at which the market began, so that a fork from below it can be followed.
 * No pool was in the market before that block, so that undoing it has every pool read again.
 *
 * @returns the ring as it was where no node knows the block's parent
 * @throws NodeFailure
 */
export async function lengthened(ring: Ring, reader: ChainReader): Promise<Ring> {
  const { number } = ring[0]!.header;
  const headers = number === 0 ? [] : await reader.headersByNumber(Math.max(0, number - BELOW), number - 1);
  const known = new Map(headers.flatMap((header) => (header === undefined ? [] : [[header.hash, header]])));
  const older: Header[] = [];
  for (let child = ring[0]!.header; older.length < Math.min(BELOW, number); child = older.at(-1) as Header) {
    const parent = known.get(child.parentHash) ?? (await reader.headerByHash(child.parentHash));
    if (parent?.number !== child.number - 1) break;
    older.push(parent);
  }
  return [...older.reverse().map(floorAt), ...ring];
}
