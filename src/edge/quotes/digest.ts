import { createHash } from "node:crypto";
import { encodePlain } from "../../core/codec.ts";
import type { StateId, View } from "../../core/types.ts";
import type { StateDigest } from "../../service/ports/ports-quotes.ts";

/**
 * Keys of a state that say when and how far it was read, or what was kept of older blocks. Two reads of the same block
 * may differ in them: the ticks that are read, for example, lie around the price at that moment. Averages over older
 * blocks set fees, which the amounts of a route show anyway.
 */
const READING: ReadonlySet<string> = new Set(["readAt", "readFor", "past", "lowest", "highest"]);

/** Digests by state object: a state is hashed once, however many routes cross its pool. */
const known = new WeakMap<object, string>();

/**
 * SHA-256 in hex of each state as the codec encodes it, without the keys of `READING`, in code-unit order of the ids.
 *
 * @returns a digest for each id that has a state; no id twice
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
