import type { Registry } from "../../core/protocol.ts";
import type { Pool, PoolId, StateId } from "../../core/types.ts";
import type { Change, Slot } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import type { BlockLogs, ChainLog, ChainReader, Header } from "../node/types.ts";
import { type Adoption, adoptAll } from "./adopt.ts";
import type { Aging } from "./aging.ts";
import type { Dispatch } from "./dispatch.ts";
import { type BlockRecord, createDraft, type Draft } from "./draft.ts";
import { loadStates } from "./load.ts";
import type { Plan } from "./plan.ts";
import { push, type Ring, split } from "./ring.ts";
import type { Suspects } from "./suspects.ts";

export type Indexing = {
  readonly market: Market;
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly reader: ChainReader;
  /** Finds the pools that a block may have changed. */
  readonly suspects: Suspects;
  /** Finds the states that have become stale by time alone. */
  readonly aging: Aging;
  readonly blockTimeMs: number;
  /** Reads the own states of many pools at a block. Absent: `loadStates` does. @throws NodeFailure */
  readonly load?: (pools: readonly Pool[], block: Header) => Promise<Map<StateId, Slot>>;
  /** Called with a change before it is committed, for work that yields to requests. */
  readonly prepare?: (change: Change) => Promise<void>;
  /** Sorts pools, those first that must be priced soonest. Absent: their order stays. */
  readonly byDepth?: (pools: readonly Pool[]) => Pool[];
  /** Called with the pools that new logs announce. Absent: these pools are added and read at once. */
  readonly onFound?: (pools: readonly Pool[]) => void;
  /** Called with the pools that the logs of committed blocks may have changed, whether known or not. */
  readonly onTouched?: (pools: Iterable<PoolId>) => void;
};

type AdvanceFacts = {
  /** Pools to read again because their state was found wrong. */
  readonly reloads: readonly PoolId[];
  readonly adoptions: readonly Adoption[];
  /** Pools that leave the market. */
  readonly leaving: readonly PoolId[];
  /** Whether unproven logs are doubted, since states were found to differ from the chain. */
  readonly isSuspicious: boolean;
  /**
   * When the plan's last block was reported as the head, monotonic milliseconds; undefined where it is not the head.
   */
  readonly seenAt: number | undefined;
};

/**
 * Most states that are read in one commit where logs are doubted or more reloads than this wait. Pools of the other
 * states are not priced until they are read.
 */
const MOST_READ = 600;
const WAITS = "its state is being read again";

type Advanced = {
  readonly ring: Ring;
  /** Pools whose states are still to be read. */
  readonly left: readonly PoolId[];
};

/**
 * Takes a plan's blocks into the market: undoes blocks, applies logs, reads the states that must be read at the newest
 * block, and commits. Nothing is committed when a read fails.
 *
 * @throws NodeFailure
 */
export async function advance(
  indexing: Indexing,
  ring: Ring,
  plan: Extract<Plan, { kind: "extend" }>,
  { reloads, adoptions, leaving, isSuspicious, seenAt }: AdvanceFacts,
): Promise<Advanced> {
  const { market } = indexing;
  const { kept, undone } = split(ring, plan.keep);
  const header = plan.headers.at(-1) ?? (kept.at(-1) as BlockRecord).header;
  const told = await toldLogs(indexing, plan.headers, isSuspicious);
  const draft = createDraft(market.book, indexing);
  draft.undo(undone);
  const records = plan.headers.map((block, k) =>
    draft.extend(block, told[k] as BlockLogs, suspectsOf(indexing, block, told[k] as BlockLogs)),
  );
  for (const id of leaving) draft.drop(id);
  const adopted = adoptAll(draft, push(kept, records), adoptions);
  const due = market.due(header.number);
  const wrong = ownStates([...reloads, ...due], draft);
  const old = indexing.aging.unfit(header, draft.slot, draft.changed());
  for (const id of [...wrong, ...old]) draft.reload(id);
  const isBounded = reloads.length > MOST_READ || told.some(({ trust }) => trust === "doubted");
  const left = isBounded ? postpone(indexing, draft) : [];
  const late = unknownAfter(undone, draft);
  draft.fill(await load(indexing, draft.wanted(), header));
  const change = draft.change(header, false);
  await indexing.prepare?.(change);
  for (const log of told.flatMap(({ disputed }) => disputed)) refuseDisputed(indexing, log);
  market.commit(change, { released: due, seenAt });
  for (const { touched } of records) indexing.onTouched?.(touched);
  return { ring: forgetting(adopted, wrong, [...old, ...late]), left };
}

/** Reads the own states of pools at a block, many by one request where the chain's `load` does. @throws NodeFailure */
export function load({ load: own, registry, reader }: Indexing, pools: readonly Pool[], header: Header) {
  return own?.(pools, header) ?? loadStates(pools, header, registry, reader.read);
}

async function toldLogs(
  { reader, dispatch }: Indexing,
  headers: readonly Header[],
  isSuspicious: boolean,
): Promise<BlockLogs[]> {
  const told = await reader.logsOf(headers, dispatch.topics);
  return told.map((one) => (isSuspicious && one.trust === "told" ? { ...one, trust: "doubted" } : one));
}

function suspectsOf({ market, suspects }: Indexing, header: Header, { trust }: BlockLogs): Pool[] {
  return trust === "doubted" ? suspects(header, market.book.pools.values()) : [];
}

/** Postpones all but the deepest MOST_READ of the states that must be read. @returns the pools that wait */
function postpone({ byDepth }: Indexing, draft: Draft): PoolId[] {
  const wanted = draft.wanted();
  const later = (byDepth?.(wanted) ?? wanted).slice(MOST_READ);
  for (const { stateIds } of later) draft.refuse(stateIds[0], WAITS);
  return later.map(({ id }) => id);
}

/** Quarantines the pools that a disputed log concerns, since nothing shows which endpoint is right. */
function refuseDisputed({ market, dispatch }: Indexing, log: ChainLog): void {
  for (const [, ids] of dispatch.touched(log))
    for (const id of ids) market.quarantine(id, "two endpoints disagree about its logs");
}

function ownStates(pools: readonly PoolId[], draft: Draft): StateId[] {
  return pools.map((id) => draft.pool(id)?.stateIds[0]).filter((id) => id !== undefined);
}

/**
 * States that undone blocks leave unknown and that are read at the newest block: their value before that block stays
 * unknown.
 */
function unknownAfter(undone: readonly BlockRecord[], draft: Draft): StateId[] {
  const wanted = new Set(draft.wanted().map(({ stateIds: [own] }) => own));
  return [...new Set(undone.flatMap(({ unknown }) => [...unknown]))].filter((id) => wanted.has(id));
}

/**
 * Marks states in the records as unknown before their blocks: a state that was found wrong (`wrong`) in every record,
 * since it may have been wrong all along; one that was read only at the newest block (`late`) in that block's record.
 */
function forgetting(ring: Ring, wrong: readonly StateId[], late: readonly StateId[]): Ring {
  if (wrong.length === 0 && late.length === 0) return ring;
  return ring.map((record, k) => {
    const lost = k === ring.length - 1 ? [...wrong, ...late.filter((id) => !record.before.has(id))] : wrong;
    if (lost.length === 0) return record;
    const before = new Map(record.before);
    for (const id of lost) before.delete(id);
    return { ...record, before, unknown: new Set([...record.unknown, ...lost]) };
  });
}
