import { setImmediate } from "node:timers";
import { encodePlain } from "../../core/codec.ts";
import type { Head, Pool, PoolId, StateId } from "../../core/types.ts";
import { type Delta, encodeDelta, type Follower, type Published, type StateBus } from "./state-bus.ts";

/** Pools in one slice. The event loop serves requests between two slices. */
const SLICE = 500;

/** Most pools that a change sends at once; a larger change is sent in slices. */
const AT_ONCE = 4_000;

/** States that `prepare` encodes in one turn of the event loop, which takes a millisecond or less. */
const PREPARED = 100;

/** A follower with the pools that are still to be sent to it. A new one also lacks the head (`isNew`). */
type Seat = { readonly follower: Follower; readonly pending: Set<PoolId>; isNew: boolean };

type Bus = {
  readonly chain: number;
  readonly epoch: number;
  seq: number;
  head: Head | undefined;
  stateOf: (id: StateId) => unknown;
  /** The pools that can be priced. */
  readonly pools: Map<PoolId, Pool>;
  readonly seats: Set<Seat>;
  /** Encoded bytes of prepared states, by state; cleared by the next change. */
  readonly written: Map<unknown, Uint8Array>;
  isPumping: boolean;
};

/** The state bus between the threads of one process. */
export function createInProcessBus(chain: number, epoch: number): StateBus {
  const bus: Bus = {
    ...{ chain, epoch, seq: 0, head: undefined, stateOf: () => undefined },
    ...{ pools: new Map(), seats: new Set(), written: new Map(), isPumping: false },
  };
  return {
    prepare: (states) => writeAhead(bus, states),
    publish: (change) => publish(bus, change),
    follow: (follower) => {
      const seat = { follower, pending: new Set(bus.pools.keys()), isNew: bus.head !== undefined };
      bus.seats.add(seat);
      pump(bus);
      return { seq: bus.seq, end: () => void bus.seats.delete(seat) };
    },
  };
}

/**
 * Encodes the states of the next change. Those of a change that is sent in slices are encoded with their slice instead.
 */
async function writeAhead({ written }: Bus, states: readonly unknown[]): Promise<void> {
  if (states.length > AT_ONCE) return;
  for (const [k, state] of states.entries()) {
    written.set(state, encodePlain(state));
    if (k % PREPARED === PREPARED - 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

function publish(bus: Bus, change: Published): void {
  const isLarge = change.pools.length > AT_ONCE;
  const bytes = encodeDelta(rowsOf(bus, change, isLarge));
  bus.written.clear();
  for (const seat of bus.seats) {
    const { follower, pending } = seat;
    if (change.reset) pending.clear();
    for (const id of change.removed) pending.delete(id);
    if (isLarge) for (const { id } of change.pools) pending.add(id);
    follower(bytes, !isWaiting(seat), bus.seq);
  }
  pump(bus);
}

/** Applies a change to the bus. @returns the message of the change; without pools where they follow in slices */
function rowsOf(bus: Bus, change: Published, isLarge: boolean): Omit<Delta, "schema"> {
  const { head, stateOf, reset, pools, removed } = change;
  bus.seq += 1;
  bus.head = head;
  bus.stateOf = stateOf;
  if (reset) bus.pools.clear();
  for (const id of removed) bus.pools.delete(id);
  const fresh = pools.filter((pool) => bus.pools.get(pool.id) !== pool);
  const known = pools.filter((pool) => bus.pools.get(pool.id) === pool);
  for (const pool of fresh) bus.pools.set(pool.id, pool);
  const rows = isLarge
    ? { pools: [], changed: [], states: [] }
    : { pools: fresh, changed: known.map(({ id }) => id), states: statesOf(bus, pools) };
  return { ...envelope(bus), ...rows, kind: "change", reset, removed };
}

/** Sends one slice at a time until every follower has everything. */
function pump(bus: Bus): void {
  if (bus.isPumping) return;
  const seat = [...bus.seats].find(isWaiting);
  if (seat === undefined) return;
  bus.isPumping = true;
  setImmediate(() => {
    bus.isPumping = false;
    if (bus.seats.has(seat) && isWaiting(seat)) sendSlice(bus, seat);
    pump(bus);
  });
}

const isWaiting = ({ pending, isNew }: Seat): boolean => isNew || pending.size > 0;

/** Sends the next pools that a follower lacks, to it and to every other follower that lacks any of them. */
function sendSlice(bus: Bus, seat: Seat): void {
  const ids = [...seat.pending].slice(0, SLICE);
  const pools = ids.map((id) => bus.pools.get(id)!);
  const bytes = encodeDelta({
    ...envelope(bus),
    ...{ kind: "slice", reset: false, pools, changed: [], removed: [] },
    states: statesOf(bus, pools),
  });
  for (const other of bus.seats) {
    if (other !== seat && !ids.some((id) => other.pending.has(id))) continue;
    other.isNew = false;
    for (const id of ids) other.pending.delete(id);
    other.follower(bytes, !isWaiting(other), bus.seq);
  }
}

function envelope({ chain, epoch, seq, head }: Bus) {
  const { number, hash, parentHash, timestamp } = head!;
  return { chain, epoch, seq, blockNumber: number, blockHash: hash, parentHash, timestamp };
}

function statesOf({ stateOf, written }: Bus, pools: readonly Pool[]): Delta["states"] {
  const ids = new Set(pools.flatMap(({ stateIds }) => stateIds));
  return [...ids].map((id) => {
    const state = stateOf(id);
    return [id, written.get(state) ?? encodePlain(state)] as const;
  });
}
