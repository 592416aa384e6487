import { decodePlain, encodePlain } from "../../core/codec.ts";
import type { Head, Hex, Pool, PoolId, StateId } from "../../core/types.ts";

/**
 * How the state of a market reaches whoever keeps a copy of it: one delta for each change, in order, and slices of the whole
 * for a follower that joins. The bytes are those of `core/codec.ts`, so they may cross threads, machines and versions.
 */
export interface StateBus {
  publish(change: Published): void;
  /** Gives the follower all that is there, then every change. */
  follow(follower: Follower): Following;
}

/** A change of what may be priced, with the states that it leaves. */
export type Published = {
  readonly head: Head;
  /** True where nothing of before is kept. */
  readonly reset: boolean;
  /** Pools that are new, or of which a state changed. */
  readonly pools: readonly Pool[];
  readonly removed: readonly PoolId[];
  /** The state behind an id, as this change leaves it. */
  readonly stateOf: (id: StateId) => unknown;
};

/** Takes one message, never while `follow` runs. `isLevel` = with this one it has all that there is; `seq` as in the bytes. */
export type Follower = (bytes: Uint8Array, isLevel: boolean, seq: number) => void;

export type Following = {
  /** The number of the last change before the first message. */
  readonly seq: number;
  end(): void;
};

/** Names the layout below; readers refuse others. */
const SCHEMA = 1;

/** What one message says. A slice brings pools that are already there and has the number of the change before it. */
export type Delta = {
  readonly schema: number;
  readonly kind: "change" | "slice";
  readonly chain: number;
  /** Differs from one writer to the next: numbers of different writers are never compared. */
  readonly epoch: number;
  /** Of the change, counted by its writer; never a block number, which a reorganisation repeats. */
  readonly seq: number;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly parentHash: Hex;
  /** Unix time of the block in seconds. */
  readonly timestamp: number;
  readonly reset: boolean;
  /** Records of pools that the reader may not know. */
  readonly pools: readonly Pool[];
  /** Pools of earlier records whose states changed. */
  readonly changed: readonly PoolId[];
  readonly removed: readonly PoolId[];
  readonly states: readonly (readonly [StateId, unknown])[];
};

export function encodeDelta(delta: Omit<Delta, "schema">): Uint8Array {
  return encodePlain({ ...delta, schema: SCHEMA });
}

/** @throws RangeError for bytes of another schema or that are not whole */
export function decodeDelta(bytes: Uint8Array): Delta {
  const delta = decodePlain(bytes) as Delta;
  if (delta.schema !== SCHEMA) throw new RangeError(`state bus: schema ${delta.schema}, not ${SCHEMA}`);
  return delta;
}

export function headOf({ blockNumber, blockHash, parentHash, timestamp }: Delta): Head {
  return { number: blockNumber, hash: blockHash, parentHash, timestamp };
}
