import type { Address, Head, Pool, PoolId, StateId, View } from "../../core/types.ts";
import { createOneOrMany } from "./one-or-many.ts";

/** The content of one state id. Only a `state` can be priced. */
export type Slot =
  | { readonly state: unknown }
  /** The protocol's reason why the pool must not be priced. */
  | { readonly refusal: string }
  /** The protocol threw on the pool, which is a bug; other pools are not affected. */
  | { readonly broken: string };

/** The changes of one commit, which are applied atomically. */
export type Change = {
  readonly head: Head;
  /** Whether all earlier pools and states are dropped first. */
  readonly reset: boolean;
  /** undefined = the state is removed. */
  readonly slots: ReadonlyMap<StateId, Slot | undefined>;
  /** Removed before `added` is added: a pool may be in both. */
  readonly removed: readonly PoolId[];
  readonly added: readonly Pool[];
};

/**
 * Pools and states of one chain after the newest commit. A view is a snapshot: each commit keeps the states that it
 * replaced, and an older view reads those first. There are no locks and no copies of the whole.
 */
export type Book = {
  readonly pools: ReadonlyMap<PoolId, Pool>;
  slot(id: StateId): Slot | undefined;
  /** Ids of all states that have a slot. */
  stateIds(): Iterable<StateId>;
  /** Pools that read this state, in the order in which they were added. */
  readersOf(id: StateId): ReadonlySet<PoolId>;
  poolsOf(token: Address): ReadonlySet<PoolId>;
  tokens(): Iterable<Address>;
  view(): View;
  apply(change: Change): void;
};

/**
 * A version of the states: `before` has the states that the next commit replaced, and `next` is the version after it;
 * undefined in the newest version.
 */
type Version = { before: ReadonlyMap<StateId, Slot | undefined>; next: Version | undefined };

export function createBook(): Book {
  const pools = new Map<PoolId, Pool>();
  const slots = new Map<StateId, Slot>();
  const readers = createOneOrMany<StateId, PoolId>();
  const byToken = createOneOrMany<Address, PoolId>();
  let newest: Version = { before: new Map(), next: undefined };

  const add = (pool: Pool) => {
    pools.set(pool.id, pool);
    for (const id of pool.stateIds) readers.add(id, pool.id);
    for (const token of pool.tokens) byToken.add(token, pool.id);
  };
  const remove = (poolId: PoolId) => {
    const pool = pools.get(poolId);
    if (pool === undefined) return;
    pools.delete(poolId);
    for (const id of pool.stateIds) readers.delete(id, poolId);
    for (const token of pool.tokens) byToken.delete(token, poolId);
  };
  const write = (changes: ReadonlyMap<StateId, Slot | undefined>) => {
    const before = new Map([...changes.keys()].map((id) => [id, slots.get(id)]));
    for (const [id, slot] of changes) {
      if (slot === undefined) slots.delete(id);
      else slots.set(id, slot);
    }
    const version: Version = { before: new Map(), next: undefined };
    newest.before = before;
    newest.next = version;
    newest = version;
  };

  return {
    pools,
    slot: (id) => slots.get(id),
    stateIds: () => slots.keys(),
    readersOf: (id) => readers.get(id),
    poolsOf: (token) => byToken.get(token),
    tokens: () => byToken.keys(),
    view: () => viewOf(newest, slots),
    apply({ reset, slots: changes, removed, added }) {
      const gone = reset ? [...pools.keys()] : removed;
      const emptied = reset ? new Map([...slots.keys()].map((id) => [id, undefined])) : new Map();
      for (const id of gone) remove(id);
      for (const pool of added) add(pool);
      write(new Map([...emptied, ...changes]));
    },
  };
}

function viewOf(taken: Version, slots: ReadonlyMap<StateId, Slot>): View {
  return {
    get(id) {
      for (let version = taken; version.next !== undefined; version = version.next) {
        if (version.before.has(id)) return stateOf(version.before.get(id));
      }
      return stateOf(slots.get(id));
    },
  };
}

/** The state of a slot, undefined where it cannot be priced. */
export function stateOf(slot: Slot | undefined): unknown {
  return slot !== undefined && "state" in slot ? slot.state : undefined;
}
