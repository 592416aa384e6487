import type { Address, Hex, Pool } from "../../core/types.ts";
import { createBook } from "../market/book.ts";
import { chunks } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { BlockLogs, ChainReader, Header } from "../node/types.ts";
import { type Indexing, load } from "./advance.ts";
import { createDraft } from "./draft.ts";
import { floorAt, RING_BLOCKS, type Ring } from "./ring.ts";

/**
 * History is read by ranges up to this many blocks below the head; the blocks above that are read by hash, so that
 * reorgs show.
 */
const TAIL_BLOCKS = RING_BLOCKS / 2;
const HEADERS_AT_ONCE = 64;

/** Pools discovered up to a block, kept so that only what is above must be read again. */
export type Settled = {
  readonly number: number;
  /**
   * Hash of that block, once its header was read; if the chain later has another hash there, its history has changed.
   */
  readonly hash: Hex | undefined;
  readonly pools: readonly Pool[];
};

export const NOTHING_SETTLED: Settled = { number: -1, hash: undefined, pools: [] };

/** A head as the nodes report it. */
export type Target = {
  readonly header: Header;
  /** Monotonic milliseconds of the report. */
  readonly seenAt: number;
  /** Label of the endpoint that reported it. */
  readonly by: string;
};

type SyncRequest = {
  readonly indexing: Indexing;
  readonly settled: Settled;
  /** The highest head that the nodes report now, and when. @throws NodeFailure where no node reports one */
  readonly newest: () => Target;
  readonly explain: (progress: string) => void;
  /** Stores what was discovered, for the next try if the sync fails later. */
  readonly keep: (settled: Settled) => void;
};

/**
 * Builds the market from nothing: discovers pools from the factories' logs, reads every state at one block and commits.
 *
 * @returns the ring of the newest blocks, with the records that undo them
 * @throws NodeFailure; what was discovered until then is kept
 */
export async function sync(request: SyncRequest): Promise<Ring> {
  const { indexing, explain } = request;
  const { market, registry, dispatch, reader } = indexing;
  const settled = await settle(request);
  const { header: head, seenAt } = request.newest();
  const headers = await linked(reader, settled.number, head);
  if (settled.hash !== undefined && settled.hash !== headers[0]?.hash) {
    request.keep(NOTHING_SETTLED);
    throw new NodeFailure("missing", "the history below the newest blocks has changed");
  }
  request.keep({ ...settled, hash: headers[0]!.hash });

  const blocks = headers.slice(1);
  const logs = await reader.logsOf(blocks, dispatch.topics);
  const draft = createDraft(createBook(), { dispatch, registry });
  const pools = [...dispatch.seeds(), ...settled.pools];
  for (const pool of pools) draft.add(pool);
  const records = blocks.map((header, k) => {
    const told = logs[k] as BlockLogs;
    return draft.extend(header, told, told.trust === "doubted" ? indexing.suspects(header, pools) : []);
  });
  const wanted = draft.wanted();
  explain(`reading the state of ${wanted.length} pools at block ${head.number}`);
  draft.fill(await load(indexing, wanted, head));
  market.commit(draft.change(head, true), { released: market.due(Number.POSITIVE_INFINITY), seenAt });
  return [floorAt(headers[0] as Header), ...records];
}

/** Discovers pools by ranges until the remaining blocks fit the ring; repeated, since the chain grows meanwhile. */
async function settle(request: SyncRequest): Promise<Settled> {
  let { settled } = request;
  for (;;) {
    const head = request.newest().header.number;
    if (settled.number >= 0 && head - settled.number <= RING_BLOCKS) return settled;
    settled = await discoverUpTo(Math.max(0, head - TAIL_BLOCKS), settled, request);
    request.keep(settled);
  }
}

async function discoverUpTo(
  last: number,
  settled: Settled,
  { indexing, explain }: SyncRequest,
): Promise<Settled> {
  const pools = new Map(settled.pools.map((pool) => [pool.id, pool]));
  for await (const { found, upTo } of discoverIn(indexing, settled.number + 1, last)) {
    for (const pool of found) if (!pools.has(pool.id)) pools.set(pool.id, pool);
    explain(`reading history: block ${upTo} of ${last}, ${pools.size} pools`);
  }
  return { number: last, hash: undefined, pools: [...pools.values()] };
}

async function* discoverIn({ dispatch, reader }: Indexing, first: number, last: number) {
  for (const segment of segments(dispatch.factories, first, last)) {
    for await (const page of reader.logsIn({ ...segment, topics: dispatch.topics })) {
      const found = page.flatMap((log) => dispatch.discover(log));
      yield { found, upTo: page.at(-1)?.blockNumber ?? segment.first };
    }
  }
}

type Factory = { readonly address: Address; readonly fromBlock: number };

/**
 * Splits a range of blocks where factories were deployed, so that each part names only the factories that exist in it.
 */
function segments(factories: readonly Factory[], first: number, last: number) {
  const starts = [...new Set(factories.map(({ fromBlock }) => Math.max(first, fromBlock)))];
  const bounds = starts.filter((start) => start <= last).sort((a, b) => a - b);
  return bounds.map((start, k) => ({
    first: start,
    last: (bounds[k + 1] ?? last + 1) - 1,
    addresses: [...new Set(factories.filter((f) => f.fromBlock <= start).map((f) => f.address))],
  }));
}

/** Headers from block `first` to `head`, each the parent of the next. */
async function linked(reader: ChainReader, first: number, head: Header): Promise<Header[]> {
  const numbers = Array.from({ length: head.number - first }, (_, k) => first + k);
  const parts = chunks(numbers, HEADERS_AT_ONCE);
  const headers = [];
  for (const part of parts) headers.push(...(await reader.headersByNumber(part[0]!, part.at(-1)!)));
  headers.push(head);
  for (const [k, header] of headers.entries()) {
    const parent = headers[k - 1];
    if (header === undefined || (k > 0 && header.parentHash !== parent?.hash)) {
      throw new NodeFailure("missing", "the chain moved while its newest blocks were read");
    }
  }
  return headers as Header[];
}
