import type { At, Log, StateId } from "../../core/types.ts";
import type { Dispatch } from "../indexer/dispatch.ts";
import { stateOf } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import type { Base, Partial, Transaction } from "./partial.ts";

/** Partials and transactions of one block that are kept until its parent is committed; a stream with more is not believed. */
const MOST_PARTIALS = 64;
const MOST_TRANSACTIONS = 20_000;

export type Preview = {
  /** Takes the next partial of the stream, whatever is wrong with it. */
  take(partial: Partial): void;
  /** Says that some were missed: what is there of the block is dropped until the next one begins. */
  lose(): void;
};

type PreviewRequest = {
  readonly market: Pick<Market, "book" | "head" | "preview" | "onCommit">;
  readonly dispatch: Pick<Dispatch, "touched">;
};

type Building = {
  readonly payloadId: string;
  readonly base: Base;
  /** Index of the partial that comes next. */
  next: number;
  readonly seen: Set<string>;
  /** All of the block so far, in its order. */
  readonly logs: Log[];
  /** How many of them are in the states. */
  applied: number;
  states: Map<StateId, unknown>;
  /** States that a log changed without saying how: they stay as the parent left them. */
  unknown: Set<StateId>;
};

/**
 * What the block that is being built does to pools, as an overlay on its sealed parent. The states of the chain are never
 * touched: the market drops the overlay with the next block, and reads of the chain are compared with sealed states alone.
 * Partials are taken in their order; where one is missing, comes twice or out of turn, or does not show its logs, the
 * overlay is dropped until the next block begins.
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
    // The market has dropped the overlay, and what it was laid over may have been read again.
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

/** @returns false where the block cannot be followed any further */
function extend(building: Building, transactions: readonly Transaction[] | undefined): boolean {
  if (transactions === undefined || building.next >= MOST_PARTIALS) return false;
  building.next++;
  for (const { hash, logs } of transactions) {
    // Some endpoints repeat what earlier partials said.
    if (building.seen.has(hash)) continue;
    building.seen.add(hash);
    building.logs.push(...logs);
  }
  return building.seen.size <= MOST_TRANSACTIONS;
}

type Applying = PreviewRequest & { readonly at: At };

/** @returns whether a state that may be priced is another one now */
function applyLog(log: Log, building: Building, { market, dispatch, at }: Applying): boolean {
  let isChanged = false;
  for (const [protocol, ids] of dispatch.touched(log)) {
    for (const pool of ids.map((id) => market.book.pools.get(id))) {
      if (pool?.protocol !== protocol.name) continue;
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

/** @returns undefined where it is not known, or may not be priced */
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

/** A design that throws on a log is met again when the block is sealed, where it is counted. */
function applied(apply: () => unknown): unknown {
  try {
    return apply();
  } catch {
    return "reload";
  }
}
