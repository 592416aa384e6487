import { decodePlain, encodePlain } from "../../core/codec.ts";
import type { Head, Hex, Pool, PoolId, StateId } from "../../core/types.ts";

/**
 * How the state of a market reaches whoever keeps a copy of it: one delta for each change, in order, and slices of the whole
 * for a follower that joins. The bytes are those of `core/codec.ts`, so they may cross threads, machines and versions.
 */
export interface StateBus {
  /**
   * Writes states that the next change will bring, a few in each turn of the event loop: `publish`, which is one turn, then takes less long.
   */
  prepare(states: readonly unknown[]): Promise<void>;
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
const SCHEMA = 2;

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
  /** States as the bytes of `core/codec.ts`, each by itself: a reader keeps them so, and reads few of them at a time. */
  readonly states: readonly (readonly [StateId, Uint8Array])[];
};

/** Bytes before the head of a message: its length, big-endian. */
const HEAD_LENGTH_BYTES = 4;

/** The length of the head; the head, with the length of each state in its place; the states, one after the other. */
export function encodeDelta(delta: Omit<Delta, "schema">): Uint8Array {
  const states = delta.states.map(([id, state]) => [id, state.length]);
  const head = encodePlain({ schema: SCHEMA, ...delta, states });
  const statesAt = HEAD_LENGTH_BYTES + head.length;
  const bytes = new Uint8Array(delta.states.reduce((sum, [, state]) => sum + state.length, statesAt));
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, HEAD_LENGTH_BYTES);
  let at = statesAt;
  for (const [, state] of delta.states) {
    bytes.set(state, at);
    at += state.length;
  }
  return bytes;
}

type DeltaHead = Omit<Delta, "states"> & { readonly states: readonly (readonly [StateId, number])[] };

/**
 * The states share the memory of the message.
 *
 * @throws RangeError for bytes of another schema or that are not whole
 */
export function decodeDelta(bytes: Uint8Array): Delta {
  const headLength = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  let at = HEAD_LENGTH_BYTES + headLength;
  const head = decodePlain(bytes.subarray(HEAD_LENGTH_BYTES, at)) as DeltaHead;
  if (head.schema !== SCHEMA) throw new RangeError(`state bus: schema ${head.schema}, not ${SCHEMA}`);
  const states = head.states.map(([id, length]) => {
    at += length;
    return [id, bytes.subarray(at - length, at)] as const;
  });
  if (at !== bytes.length) throw new RangeError(`state bus: ${bytes.length} bytes, not ${at}`);
  return { ...head, states };
}

export function headOf({ blockNumber, blockHash, parentHash, timestamp }: Delta): Head {
  return { number: blockNumber, hash: blockHash, parentHash, timestamp };
}
