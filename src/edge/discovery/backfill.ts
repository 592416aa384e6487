import { hasWords, uintAt } from "../../core/abi.ts";
import type { PairSource } from "../../core/protocol.ts";
import type { Address, Hex, Pool } from "../../core/types.ts";
import type { PairPool } from "../lens/named.ts";
import { poolsOfPairs } from "../lens/pairs.ts";
import { chunks, mapLimit, sleep } from "../node/pace/pace.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import type { DiscoveryContext } from "./types.ts";
import { wakeDeep, wakeDeepOf } from "./waking/deep.ts";
import { sleepShallow } from "./waking/floor.ts";
import { headOf, persistently } from "./waking/wake.ts";

/** Number of hubs whose pairs with each listed token are asked for. */
const HUBS_BESIDE = 6;
/** Pairs whose pools are asked for together. */
const PAIRS_AT_ONCE = 1_200;
/** Found pools whose depth is checked together, before the deep ones among them are read. */
const POOLS_AT_ONCE = 300;
/** Parts of pairs or pools under way at once, so that the node has work while the answers for one part are handled. */
const PARTS_AT_ONCE = 3;
/** Pairs of a factory that are read together. */
const NUMBERED_AT_ONCE = 3_000;
/**
 * Where a page of logs covers fewer blocks than this, reading the history takes too long and factories are asked
 * instead.
 */
const LEAST_WINDOW = 200;
/** Pages after which the number of blocks in a page should have grown to the endpoint's limit. */
const SETTLING_PAGES = 8;
/** Milliseconds between two checks of whether new or traded pools are deep. */
const FRESH_EVERY_MS = 60_000;
/** At every FLOOR_EVERY-th such check, pools that have become shallow leave the market. */
const FLOOR_EVERY = 10;

/** Position of the backfill. Finished parts are not repeated after a failure or when the market restarts. */
export type Cursor = {
  /** Number of pairs of listed tokens that were asked for. */
  listed: number;
  /** Pools of listed tokens whose depth was not checked yet. */
  readonly found: PairPool[];
  /** Every creation log from this block on was read; undefined before the first page. */
  block: number | undefined;
  /** Number of blocks in the last page of logs, with which reading resumes; undefined before the first page. */
  width: number | undefined;
  /** First block that was not followed while no process ran; undefined where none was missed, or all were read. */
  since: number | undefined;
  /** By factory: the index from which on its pairs were read. */
  readonly numbered: Map<Address, number>;
  /** Number of the last line of an imported snapshot that was handled. */
  hints: number;
  isDone: boolean;
};

export const newCursor = (): Cursor => ({
  listed: 0,
  found: [],
  block: undefined,
  width: undefined,
  since: undefined,
  numbered: new Map(),
  hints: 0,
  isDone: false,
});

/** Resets the cursor, so that the backfill starts again. */
export function forgetProgress(cursor: Cursor): void {
  cursor.numbered.clear();
  cursor.found.length = 0;
  Object.assign(cursor, { listed: 0, block: undefined, since: undefined, hints: 0, isDone: false });
}

type Sources = {
  /** Checks the pools that an imported snapshot names. @throws NodeFailure */
  readonly checkHints: () => Promise<void>;
  /** Pools that were announced, or traded while outside the market, since the last call. */
  readonly takeFresh: () => Pool[];
};

/**
 * Finds all pools of the chain in the background, then keeps checking new ones. Failures of nodes are retried, not
 * thrown.
 */
export async function backfill(
  context: DiscoveryContext,
  cursor: Cursor,
  { checkHints, takeFresh }: Sources,
): Promise<void> {
  if (cursor.since !== undefined) await persistently(context, () => readSince(context, cursor));
  await persistently(context, checkHints);
  if (!cursor.isDone) {
    await persistently(context, () => readListed(context, cursor));
    await persistently(context, () => readHistory(context, cursor));
    cursor.isDone = !context.signal.aborted;
    await context.save();
  }
  begin(context, { phase: "complete", step: "following the chain", total: 0 });
  for (let turn = 1; !context.signal.aborted; turn++) {
    await sleep(FRESH_EVERY_MS, context.signal);
    const fresh = takeFresh();
    await persistently(context, () => wakeDeep(context, fresh));
    if (turn % FLOOR_EVERY === 0) await persistently(context, () => sleepShallow(context));
  }
}

type Step = { readonly phase: "discovering" | "complete"; readonly step: string; readonly total: number };

function begin({ progress, signal }: DiscoveryContext, step: Step): void {
  if (!signal.aborted) Object.assign(progress, { ...step, done: 0 });
}

/** Asks for the pools of each listed token with each of the first hubs. @throws NodeFailure */
async function readListed(context: DiscoveryContext, cursor: Cursor): Promise<void> {
  const { chain, listed, known, quietLens, progress } = context;
  if (!quietLens.isUsable()) return;
  const beside = chain.hubs.slice(0, HUBS_BESIDE);
  const pairs = listed
    .filter((token) => !chain.hubs.includes(token))
    .flatMap((token) => beside.map((hub) => [token, hub] as const));
  const step = `asking for the pools of ${listed.length} listed tokens`;
  begin(context, { phase: "discovering", step, total: pairs.length });
  const parts = chunks(pairs.slice(cursor.listed), PAIRS_AT_ONCE);
  const found: PairPool[][] = [];
  let taken = 0;
  await mapLimit(parts, PARTS_AT_ONCE, async (part, k) => {
    if (context.signal.aborted) return;
    found[k] = await poolsOfPairs({ ...context, lens: quietLens }, part, headOf(context));
    // In the order of the pairs, since the cursor holds only their number.
    for (let pools = found[taken]; pools !== undefined; pools = found[++taken]) {
      for (const { pool } of pools) known.add(pool);
      cursor.found.push(...pools);
      cursor.listed += parts[taken]!.length;
    }
    progress.done = cursor.listed;
  });
  await wakeFound(context, cursor);
  await context.save();
}

/** Brings the deep pools of `found` into the market, part by part, and removes each part once it is done. */
async function wakeFound(context: DiscoveryContext, { found }: Cursor): Promise<void> {
  const step = `reading the deep ones of ${found.length} pools of listed tokens`;
  begin(context, { phase: "discovering", step, total: found.length });
  await mapLimit(chunks(found, POOLS_AT_ONCE), PARTS_AT_ONCE, async (part) => {
    if (context.signal.aborted) return;
    await wakeDeepOf(context, part);
    found.splice(found.indexOf(part[0] as PairPool), part.length);
    context.progress.done += part.length;
  });
}

const REFUSED: ReadonlySet<string> = new Set(["unsupported", "range", "rpc"]);

/**
 * Reads all creation logs, newest first; where nodes serve none, or too few blocks at once, the numbered pairs of
 * factories.
 */
async function readHistory(context: DiscoveryContext, cursor: Cursor): Promise<void> {
  try {
    await readLogs(context, cursor);
  } catch (error) {
    const isRefused = error instanceof NodeFailure && REFUSED.has(error.kind);
    if (!isRefused) throw error;
    context.log.info({ why: error.message }, "no logs of the chain's history: factories are asked instead");
    await readNumbered(context, cursor);
  }
}

/**
 * Reads the creation logs of the blocks that were missed while no process ran. Where nodes serve no logs, the backfill
 * counts as unfinished, so that factories are asked.
 */
async function readSince(context: DiscoveryContext, cursor: Cursor): Promise<void> {
  const { dispatch, reader, known } = context;
  const addresses = [...new Set(dispatch.factories.map(({ address }) => address))];
  const range = { first: cursor.since as number, last: headOf(context).number };
  try {
    for await (const { logs } of reader.logsBefore({ ...range, addresses, topics: dispatch.creations })) {
      const found = logs.flatMap((log) => dispatch.discover(log)).filter((pool) => known.add(pool));
      if (!(await persistently(context, () => wakeDeep(context, found)))) return;
    }
  } catch (error) {
    if (!(error instanceof NodeFailure && REFUSED.has(error.kind))) throw error;
    cursor.isDone = false;
  }
  cursor.since = undefined;
}

async function readLogs(context: DiscoveryContext, cursor: Cursor): Promise<void> {
  const { dispatch, reader, known, progress } = context;
  const { factories, creations: topics } = dispatch;
  const newest = headOf(context).number;
  const earliest = Math.min(newest + 1, ...factories.map(({ fromBlock }) => fromBlock));
  const step = `reading which pools were created since block ${earliest}`;
  begin(context, { phase: "discovering", step, total: newest - earliest });
  const addresses = [...new Set(factories.map(({ address }) => address))];
  let end = cursor.block ?? newest + 1;
  let pages = 0;
  for await (const { first, logs } of reader.logsBefore({
    first: earliest,
    last: end - 1,
    addresses,
    topics,
    width: cursor.width,
  })) {
    const found = logs.flatMap((log) => dispatch.discover(log));
    // An earlier process may have read the first page without finishing it, so its known pools are checked too.
    const pools = found.filter((pool) => known.add(pool) || pages === 0);
    // Retried however long nodes fail, since pools that are known now would not be found again by reading the page
    // again.
    if (!(await persistently(context, () => wakeDeep(context, pools)))) return;
    const width = end - first;
    end = first;
    cursor.block = first;
    cursor.width = width;
    await context.save();
    progress.done = newest - first;
    if (++pages > SETTLING_PAGES && width < LEAST_WINDOW && first > earliest)
      throw new NodeFailure("range", `logs of ${width} blocks at once`);
  }
}

/** allPairsLength() */
const ALL_PAIRS_LENGTH: Hex = "0x574f2ba3";

async function readNumbered(context: DiscoveryContext, cursor: Cursor): Promise<void> {
  const sources = context.dispatch.pairSources.filter(({ numbered }) => numbered);
  if (!context.quietLens.isUsable() || sources.length === 0) return;
  const calls = sources.map(({ target }) => ({ to: target, data: ALL_PAIRS_LENGTH }));
  const lengths = (await context.quietLens.read(calls, headOf(context))).map((answer) =>
    hasWords(answer, 1) ? Number(uintAt(answer, 0)) : 0,
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const step = `asking ${sources.length} factories for their ${total} pairs`;
  begin(context, { phase: "discovering", step, total });
  for (const [k, source] of sources.entries()) {
    await readPairsOf(context, cursor, source, lengths[k] as number);
  }
}

async function readPairsOf(
  context: DiscoveryContext,
  { numbered }: Cursor,
  source: PairSource,
  length: number,
): Promise<void> {
  const { known, progress, quietLens, signal } = context;
  for (let end = numbered.get(source.target) ?? length; end > 0 && !signal.aborted; ) {
    const start = Math.max(0, end - NUMBERED_AT_ONCE);
    const pairs = await quietLens.enumerate(source.target, [start, end - 1], headOf(context));
    const found = pairs.flatMap(({ named, tokens, reserves }) => {
      const pool = source.poolOf(tokens, named, undefined, []);
      return pool === undefined ? [] : [{ pool, of: tokens, balances: reserves }];
    });
    const fresh = found.filter(({ pool }) => known.add(pool));
    if (!(await persistently(context, () => wakeDeepOf(context, fresh)))) return;
    progress.done += end - start;
    end = start;
    numbered.set(source.target, end);
    await context.save();
  }
}
