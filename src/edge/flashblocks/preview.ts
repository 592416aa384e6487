import type { At, Log, StateId } from "../../core/types.ts";
import { type Dispatch, maySpeakOf } from "../indexer/dispatch.ts";
import { stateOf } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import type { Base, Partial, Transaction } from "./partial.ts";

/** Most partials, transactions and logs of one block. A block with more is no longer followed. */
const MOST_PARTIALS = 64;
const MOST_TRANSACTIONS = 20_000;
const MOST_LOGS = 100_000;

export type Preview = {
  /** Applies the next partial of the stream; never throws because of its content. */
  take(partial: Partial): void;
  /** Reports that partials may be missing: drops the overlay until the next block begins. */
  lose(): void;
};

type PreviewRequest = {
  readonly market: Pick<Market, "book" | "head" | "preview" | "onCommit">;
  readonly dispatch: Pick<Dispatch, "touched">;
};

type Building = {
  readonly payloadId: string;
  readonly base: Base;
  /** Index of the partial that is expected next. */
  next: number;
  /** Hashes of the transactions so far. */
  readonly seen: Set<string>;
  /** All logs of the block so far, in its order. */
  readonly logs: Log[];
  /** Number of logs that are applied to `states`. */
  applied: number;
  states: Map<StateId, unknown>;
  /** States that a log changes in a way that cannot be derived from it; they are priced as after the parent block. */
  unknown: Set<StateId>;
};

/**
 * Applies the logs of the block that is being built to the pool states of its sealed parent, as an overlay of the
 * market. Committed states do not change: the next commit removes the overlay, and reads of the chain are compared with
 * committed states only. Partials must arrive in order. Where one is missing, repeated, out of order or without its
 * logs, the overlay is dropped until the next block begins.
 */
export function createPreview({ market, dispatch }: PreviewRequest): Preview {
  let building: Building | undefined;
  const drop = () => {
    if (building !== undefined && building.states.size > 0) market.preview(new Map());
    building = undefined;
  };
  const flush = () => {
    if (building === undefined || market.head()?.hash !== building.base.parentHash) return;
    const { base, logs, applied: from } = building;
    const at = { blockNumber: base.number, timestamp: base.timestamp };
    building.applied = logs.length;
    const applying = { market, dispatch, at };
    let isChanged = false;
    for (const log of logs.slice(from)) isChanged = applyLog(log, building, applying) || isChanged;
    if (isChanged) market.preview(new Map(building.states));
  };
  market.onCommit((head) => {
    if (building === undefined) return;
    // The commit has removed the overlay and may have changed the states below it, so all logs are applied again.
    Object.assign(building, { applied: 0, states: new Map(), unknown: new Set() });
    if (building.base.number <= head.number) building = undefined;
    flush();
  });
  return {
    take(partial) {
      if (partial.index === 0) {
        drop();
        building = begun(partial);
      } else if (building?.payloadId !== partial.payloadId || building.next !== partial.index) return drop();
      if (building === undefined || !extend(building, partial.transactions)) return drop();
      flush();
    },
    lose: drop,
  };
}

function begun({ payloadId, base }: Partial): Building | undefined {
  if (base === undefined) return undefined;
  const empty = { seen: new Set<string>(), logs: [], states: new Map(), unknown: new Set<StateId>() };
  return { payloadId, base, next: 0, applied: 0, ...empty };
}

/** Adds the transactions of a partial. @returns false where the block cannot be followed any further */
function extend(building: Building, transactions: readonly Transaction[] | undefined): boolean {
  if (transactions === undefined || building.next >= MOST_PARTIALS) return false;
  building.next++;
  for (const { hash, logs } of transactions) {
    // Some endpoints repeat the transactions of earlier partials.
    if (building.seen.has(hash)) continue;
    building.seen.add(hash);
    // Not by a spread, whose arguments overflow the stack where there are very many.
    for (const log of logs) building.logs.push(log);
  }
  return building.seen.size <= MOST_TRANSACTIONS && building.logs.length <= MOST_LOGS;
}

type Applying = PreviewRequest & { readonly at: At };

/** Applies a log to the states of the pools that it concerns. @returns whether any state may have changed */
function applyLog(log: Log, building: Building, { market, dispatch, at }: Applying): boolean {
  let isChanged = false;
  for (const [protocol, ids] of dispatch.touched(log)) {
    for (const pool of ids.map((id) => market.book.pools.get(id))) {
      if (pool?.protocol !== protocol.name || !maySpeakOf(pool, log, protocol)) continue;
      const before = stateBefore(pool.stateIds[0], building, market.book);
      if (before === undefined) continue;
      change(
        building,
        pool.stateIds[0],
        applied(() => protocol.apply(before, log, at)),
      );
      isChanged = true;
    }
  }
  return isChanged;
}

/** The state before a log. @returns undefined where the state is unknown or cannot be priced */
function stateBefore(id: StateId, { states, unknown }: Building, book: Market["book"]): unknown {
  return unknown.has(id) ? undefined : (states.get(id) ?? stateOf(book.slot(id)));
}

function change({ states, unknown }: Building, id: StateId, next: unknown): void {
  if (next !== "reload") states.set(id, next);
  else {
    unknown.add(id);
    states.delete(id);
  }
}

/** A protocol that throws on a log counts as "reload" here: the indexer meets the same bug once the block is sealed. */
function applied(apply: () => unknown): unknown {
  try {
    return apply();
  } catch {
    return "reload";
  }
}
