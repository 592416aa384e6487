import { header } from "../parse.ts";
import { NodeFailure } from "../transport/failure.ts";
import type { Header } from "../types.ts";
import type { Seals } from "./seal.ts";

/**
 * Parses a header and recomputes its hash, where this chain's headers can be encoded.
 *
 * @returns undefined where the node does not know the block
 * @throws NodeFailure `refused` where the fields hash to something else
 */
export function readHeader(value: unknown, seals: Seals): Header | undefined {
  const read = header(value);
  if (read === undefined) return undefined;
  const verdict = seals.header(value);
  if (verdict === "differs")
    throw new NodeFailure("refused", `the header of block ${read.number} does not hash to its name`);
  return { ...read, isSealed: verdict === "fits" };
}
