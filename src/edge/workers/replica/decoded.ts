import { decodePlain } from "../../../core/codec.ts";
import type { StateId } from "../../../core/types.ts";

/** A cache of decoded states. */
type Decoded = {
  /** @param bytesOf the encoded state, read on a miss; undefined where there is none */
  get(id: StateId, bytesOf: () => Uint8Array | undefined): unknown;
  delete(id: StateId): void;
  clear(): void;
};

/** Capacity in bytes of the states' encoded form. The decoded form takes about ten times as much. */
const MOST_BYTES = 2 ** 20;

type Kept = { readonly state: unknown; readonly length: number };

/** Evicts the state that was decoded first. */
export function createDecoded(): Decoded {
  const kept = new Map<StateId, Kept>();
  let bytesKept = 0;
  const drop = (id: StateId) => {
    bytesKept -= kept.get(id)?.length ?? 0;
    kept.delete(id);
  };
  return {
    get(id, bytesOf) {
      const known = kept.get(id);
      if (known !== undefined) return known.state;
      const bytes = bytesOf();
      if (bytes === undefined) return undefined;
      const state = decodePlain(bytes);
      kept.set(id, { state, length: bytes.length });
      bytesKept += bytes.length;
      for (const oldest of kept.keys()) {
        if (bytesKept <= MOST_BYTES) break;
        drop(oldest);
      }
      return state;
    },
    delete: drop,
    clear() {
      kept.clear();
      bytesKept = 0;
    },
  };
}
