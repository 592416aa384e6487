import type { Registry } from "../../core/protocol.ts";
import type { Pool, PoolId, StateId } from "../../core/types.ts";
import type { Book, Change, Slot } from "../market/book.ts";
import type { BlockLogs, ChainLog, Header } from "../node/types.ts";
import { type Dispatch, maySpeakOf } from "./dispatch.ts";
import { atOf } from "./load.ts";

/** A committed block with what is needed to undo it. */
export type BlockRecord = {
  readonly header: Header;
  /** Slots as they were before this block. */
  readonly before: ReadonlyMap<StateId, Slot | undefined>;
  /** States that this block changed and whose value before it is not known; undoing the block has them read again. */
  readonly unknown: ReadonlySet<StateId>;
  readonly added: readonly PoolId[];
  /** Pools that this block's logs may have changed, whether known or not. */
  readonly touched: ReadonlySet<PoolId>;
  readonly trust: BlockLogs["trust"];
};

/** A commit under construction on top of the book; readers of the market see nothing of it until it is committed. */
export type Draft = {
  pool(id: PoolId): Pool | undefined;
  slot(id: StateId): Slot | undefined;
  /** States that the draft has set so far. */
  changed(): Iterable<StateId>;
  /** Adds a pool that is known without a log. */
  add(pool: Pool): void;
  /** Adds a pool with a state that was read already; without a slot the state is read at the end. */
  adopt(pool: Pool, slot: Slot | undefined): void;
  /** Removes a pool. */
  drop(id: PoolId): void;
  /**
   * Applies one block's logs in order. Doubted logs are not applied: the pools that they concern and those in
   * `suspects` are read at the end.
   */
  extend(header: Header, logs: Pick<BlockLogs, "logs" | "trust">, suspects: readonly Pool[]): BlockRecord;
  /** Undoes blocks, newest first. */
  undo(newestFirst: readonly BlockRecord[]): void;
  /** Marks a state to be read at the end. */
  reload(id: StateId): void;
  /**
   * Replaces a state that must be read by a refusal, so that its pools are not priced, and reads it no more in this
   * commit.
   */
  refuse(id: StateId, why: string): void;
  /** One pool for each state that must be read. */
  wanted(): Pool[];
  /** Sets the states that were read; after that no state must be read. */
  fill(slots: ReadonlyMap<StateId, Slot>): void;
  change(header: Header, reset: boolean): Change;
};

type Open = {
  readonly book: Book;
  readonly slots: Map<StateId, Slot | undefined>;
  readonly added: Map<PoolId, Pool>;
  readonly removed: Set<PoolId>;
  readonly dirty: Set<StateId>;
  /** By state: its own pool, which lists the state first. */
  readonly owners: Map<StateId, Pool>;
};

export type DraftFacts = {
  readonly dispatch: Dispatch;
  readonly registry: Registry;
  /** Called with the pools that logs announce. Absent: they are added, and read at the end. */
  readonly onFound?: ((pools: readonly Pool[]) => void) | undefined;
};

/** @param book the base of the draft: the market's book, or an empty one for a new sync */
export function createDraft(book: Book, facts: DraftFacts): Draft {
  const open: Open = {
    book,
    slots: new Map(),
    added: new Map(),
    removed: new Set(),
    dirty: new Set(),
    owners: new Map(),
  };
  return {
    pool: (id) => poolIn(open, id),
    slot: (id) => slotIn(open, id),
    changed: () => open.slots.keys(),
    add: (pool) => void addTo(open, pool),
    adopt: (pool, slot) => adopt(open, pool, slot),
    drop: (id) => drop(open, id),
    extend(header, told, suspects) {
      const record = extend(open, facts, header, told);
      for (const pool of suspects) suspect(open, record, pool);
      return { header, trust: told.trust, ...record };
    },
    undo: (records) => undo(open, records),
    reload: (id) => void open.dirty.add(id),
    refuse(id, why) {
      open.dirty.delete(id);
      open.slots.set(id, { refusal: why });
    },
    wanted: () => [...open.dirty].map((id) => ownerOf(open, id)).filter((pool) => pool !== undefined),
    fill(slots) {
      for (const [id, slot] of slots) open.slots.set(id, slot);
      open.dirty.clear();
    },
    change: ({ number, hash, parentHash, timestamp }, reset) => ({
      head: { number, hash, parentHash, timestamp },
      reset,
      slots: open.slots,
      removed: [...open.removed],
      added: [...open.added.values()],
    }),
  };
}

function poolIn({ added, removed, book }: Open, id: PoolId): Pool | undefined {
  return added.get(id) ?? (removed.has(id) ? undefined : book.pools.get(id));
}

function slotIn({ slots, book }: Open, id: StateId): Slot | undefined {
  return slots.has(id) ? slots.get(id) : book.slot(id);
}

function ownerOf(open: Open, id: StateId): Pool | undefined {
  const owner = open.owners.get(id);
  if (owner !== undefined && poolIn(open, owner.id) !== undefined) return owner;
  for (const reader of open.book.readersOf(id)) {
    const pool = poolIn(open, reader);
    if (pool?.stateIds[0] === id) return pool;
  }
  return undefined;
}

/** @returns false where a pool of this id is known already */
function addTo(open: Open, pool: Pool): boolean {
  if (poolIn(open, pool.id) !== undefined) return false;
  const own = pool.stateIds[0];
  const isOwner = ownerOf(open, own) === undefined;
  open.added.set(pool.id, pool);
  if (isOwner) {
    open.owners.set(own, pool);
    open.dirty.add(own);
  }
  return true;
}

function adopt(open: Open, pool: Pool, slot: Slot | undefined): void {
  if (!addTo(open, pool) || slot === undefined) return;
  const own = pool.stateIds[0];
  if (!open.dirty.delete(own)) return;
  open.slots.set(own, slot);
}

type Recording = {
  before: Map<StateId, Slot | undefined>;
  unknown: Set<StateId>;
  added: PoolId[];
  touched: Set<PoolId>;
};

type Told = Pick<BlockLogs, "logs" | "trust">;

function extend(open: Open, facts: DraftFacts, header: Header, { logs, trust }: Told): Recording {
  const record: Recording = { before: new Map(), unknown: new Set(), added: [], touched: new Set() };
  for (const log of logs) {
    const found = facts.dispatch.discover(log);
    if (found.length > 0) announce(open, record, found, facts.onFound);
    for (const [protocol, ids] of facts.dispatch.touched(log)) {
      for (const id of ids) record.touched.add(id);
      const isMeant = (pool: Pool | undefined) =>
        pool?.protocol === protocol.name && maySpeakOf(pool, log, protocol);
      const pools = ids.map((id) => poolIn(open, id)).filter(isMeant);
      const concern = (pool: Pool) =>
        trust === "doubted"
          ? suspect(open, record, pool)
          : applyLog(open, record, { pool, log, header, protocol });
      (pools as Pool[]).forEach(concern);
    }
    for (const { name } of facts.dispatch.paused(log)) pause(open, record, log, name);
  }
  return record;
}

/** Has every pool of a design at the address of a log's emitter read again. */
function pause(open: Open, record: Recording, { address }: ChainLog, protocol: string): void {
  // Pools that are about to enter the market were read before this block: `adoptAll` has them read again too.
  record.touched.add(address);
  for (const id of [...open.book.pools.keys(), ...open.added.keys()]) {
    const pool = poolIn(open, id);
    if (pool?.protocol === protocol && pool.address === address) suspect(open, record, pool);
  }
}

/** Marks a pool's state to be read, as one that the block changed. */
function suspect(open: Open, record: Recording, { id: poolId, stateIds: [id] }: Pool): void {
  record.touched.add(poolId);
  if (!open.dirty.has(id) && !record.before.has(id)) record.before.set(id, slotIn(open, id));
  else if (!record.before.has(id)) record.unknown.add(id);
  open.dirty.add(id);
}

function announce(
  open: Open,
  record: Recording,
  found: readonly Pool[],
  onFound: DraftFacts["onFound"],
): void {
  if (onFound !== undefined) onFound(found);
  else record.added.push(...found.filter((pool) => addTo(open, pool)).map(({ id }) => id));
}

type Application = {
  readonly pool: Pool;
  readonly log: ChainLog;
  readonly header: Header;
  readonly protocol: NonNullable<ReturnType<Registry["get"]>>;
};

function applyLog(open: Open, record: Recording, { pool, log, header, protocol }: Application): void {
  const id = pool.stateIds[0];
  if (open.dirty.has(id)) {
    if (!record.before.has(id)) record.unknown.add(id);
    return;
  }
  const slot = slotIn(open, id);
  if (!record.before.has(id)) record.before.set(id, slot);
  const next = slot !== undefined && "state" in slot ? applied(slot.state) : "reload";
  if (next === "reload") open.dirty.add(id);
  else open.slots.set(id, { state: next });

  function applied(state: unknown): unknown {
    try {
      return protocol.apply(state, log, atOf(header));
    } catch {
      // The state is read from the chain instead; if loading throws too, it is counted there.
      return "reload";
    }
  }
}

function undo(open: Open, newestFirst: readonly BlockRecord[]): void {
  for (const { before, unknown, added } of newestFirst) {
    for (const id of unknown) open.dirty.add(id);
    for (const [id, slot] of before) {
      open.slots.set(id, slot);
      open.dirty.delete(id);
    }
    for (const id of added) drop(open, id);
  }
}

function drop(open: Open, poolId: PoolId): void {
  const pool = poolIn(open, poolId);
  open.added.delete(poolId);
  if (open.book.pools.has(poolId)) open.removed.add(poolId);
  if (pool !== undefined) forget(open, pool);
}

/** Removes the own state of a removed pool, unless another pool owns it too. */
function forget(open: Open, pool: Pool): void {
  const id = pool.stateIds[0];
  open.owners.delete(id);
  if (ownerOf(open, id) !== undefined) return;
  open.slots.set(id, undefined);
  open.dirty.delete(id);
}
