import { decodePlain, encodePlain } from "../../core/codec.ts";
import type { Head, Hex, Pool, PoolId, StateId } from "../../core/types.ts";

/**
 * Replicates the state of a market to followers: one delta for each change, in order, and slices of the whole market
 * for a follower that joins. The bytes are those of `core/codec.ts`, so they may cross threads, machines and versions.
 */
export interface StateBus {
  /**
   * Encodes states of the next change ahead of time, a few in each turn of the event loop, so that `publish`, which
   * blocks the event loop, takes less time.
   */
  prepare(states: readonly unknown[]): Promise<void>;
  publish(change: Published): void;
  /** Sends the follower the whole market, then every change. */
  follow(follower: Follower): Following;
}

/** A change of the priceable pools, with access to the states after it. */
export type Published = {
  readonly head: Head;
  /** Whether all earlier pools and states are dropped first. */
  readonly reset: boolean;
  /** Pools that are new or that have a changed state. */
  readonly pools: readonly Pool[];
  readonly removed: readonly PoolId[];
  /** The state of an id after this change. */
  readonly stateOf: (id: StateId) => unknown;
};

/**
 * Receives one message; is never called while `follow` runs. `isLevel`: with this message the follower has the whole
 * market. `seq` is the sequence number in the bytes.
 */
export type Follower = (bytes: Uint8Array, isLevel: boolean, seq: number) => void;

export type Following = {
  /** Sequence number of the last change before the first message. */
  readonly seq: number;
  end(): void;
};

/** Version of the layout below; readers reject any other. */
const SCHEMA = 2;

/** One message. A slice brings pools that the bus already has, and carries the sequence number of the last change. */
export type Delta = {
  readonly schema: number;
  readonly kind: "change" | "slice";
  readonly chain: number;
  /** Identifies the writer: sequence numbers of different writers cannot be compared. */
  readonly epoch: number;
  /**
   * Sequence number of the change, counted by its writer. It is no block number, since a reorganisation repeats those.
   */
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
  /** States as bytes of `core/codec.ts`, each encoded separately, since a reader decodes only the few that it reads. */
  readonly states: readonly (readonly [StateId, Uint8Array])[];
};

/** Size of the big-endian length of the head, with which a message starts. */
const HEAD_LENGTH_BYTES = 4;

/** Encodes a message: the length of the head; the head, with each state replaced by its length; then all states. */
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
 * Decodes a message. The states are views of its bytes, not copies.
 *
 * @throws RangeError for bytes of another schema or of a wrong length
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
