import { createHash } from "node:crypto";
import { encodePlain } from "../../core/codec.ts";
import type { StateId, View } from "../../core/types.ts";
import type { StateDigest } from "../../service/ports/ports-quotes.ts";

/**
 * Parts that say when and how far a state was read, or what was kept of older blocks: two readings of one block differ in them.
 * The ticks that are read lie around the price of that moment. Time-weighted averages of older blocks set fees, which the amounts of
 * a route show.
 */
const READING: ReadonlySet<string> = new Set(["readAt", "readFor", "past", "lowest", "highest"]);

/** Digests of states as they are asked for: a state is hashed once, however many routes cross its pool. */
const known = new WeakMap<object, string>();

/**
 * SHA-256 in hex of each state as the codec writes it, without the parts that tell of the reading alone, by ids in code-unit order.
 *
 * @returns states that are there; none twice
 */
export function stateDigests(view: View, ids: readonly StateId[]): StateDigest[] {
  return [...new Set(ids)].sort().flatMap((id) => {
    const digest = digestOf(view.get(id));
    return digest === undefined ? [] : [{ id, digest }];
  });
}

function digestOf(state: unknown): string | undefined {
  if (state === undefined) return undefined;
  if (typeof state !== "object" || state === null) return sha256(encodePlain(state));
  const before = known.get(state);
  if (before !== undefined) return before;
  const lasting = Object.entries(state).filter(([key]) => !READING.has(key));
  const digest = sha256(encodePlain(Array.isArray(state) ? state : Object.fromEntries(lasting)));
  known.set(state, digest);
  return digest;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
