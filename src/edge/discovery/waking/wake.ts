import { setImmediate } from "node:timers/promises";
import type { Head, Pool } from "../../../core/types.ts";
import { ADOPTED_AT_ONCE } from "../../indexer/adopt.ts";
import { backoff, chunks, mapLimit, sleep } from "../../node/pace/pace.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import type { DiscoveryContext } from "../types.ts";
import type { Why } from "./awake.ts";
import { loadBulk } from "./load-bulk.ts";

/** Pools in a batch, whose states are read at one block. */
const POOLS_AT_ONCE = 300;
const BATCHES_AT_ONCE = 2;

type Waking = {
  readonly why: Why;
  /** Called with the number of pools in each batch once they are in the market. */
  readonly onBatch?: (count: number) => void;
};

/**
 * Brings pools into the market, together with the pools whose states they read. Each batch is read at the block that is
 * the newest when its turn comes, so that a long list can take longer than a node keeps old states.
 *
 * @throws NodeFailure where a batch fails; earlier batches stay in the market
 */
export async function wake(
  context: DiscoveryContext,
  pools: readonly Pool[],
  { why, onBatch = () => undefined }: Waking,
): Promise<void> {
  const { awake, market } = context;
  const isThere = ({ id }: Pool) => awake.get(id) !== undefined && market.book.pools.has(id);
  const ids = (list: readonly Pool[]) => list.map(({ id }) => id);
  const wanted = withShared(context, pools);
  // Yields the event loop between two walks over lists of up to 20,000 pools.
  await setImmediate();
  awake.keep(ids(wanted.filter(isThere)), why);
  const asleep = wanted.filter((pool) => !isThere(pool));
  await mapLimit(chunks(asleep, POOLS_AT_ONCE), BATCHES_AT_ONCE, async (part) => {
    await wakeTogether(context, part);
    awake.keep(ids(part), why);
    onBatch(part.length);
  });
}

/** The pools, and the known pools whose states they read, such as the base pool of a metapool. */
function withShared({ known }: DiscoveryContext, pools: readonly Pool[]): readonly Pool[] {
  const others = pools.flatMap(({ stateIds: [, ...shared] }) => shared.map((id) => known.get(id)));
  if (others.length === 0) return pools;
  const all = [...pools, ...others.filter((pool) => pool !== undefined)];
  return [...new Map(all.map((pool) => [pool.id, pool])).values()];
}

/**
 * Most blocks at which a batch is tried: if a reorg drops the block, or the node its state, the batch is read at the
 * newest block.
 */
const MOST_BLOCKS = 5;

async function wakeTogether(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  let left = pools;
  for (let blocks = 0; blocks < MOST_BLOCKS && !context.signal.aborted; blocks++) {
    const block = headOf(context);
    const slots = await loadBulk(left, block, context).catch((error: unknown) => {
      if (error instanceof NodeFailure && error.kind === "missing") return undefined;
      throw error;
    });
    // Yields the event loop between decoding the states and adopting the pools.
    await setImmediate();
    if (slots === undefined) continue;
    const parts = chunks(left, ADOPTED_AT_ONCE).map((part) => ({ pools: part, slots, block }));
    const taken = await Promise.all(parts.map(context.indexer.adopt));
    left = parts.flatMap((part, k) => (taken[k] ? [] : part.pools));
    if (left.length === 0) return;
  }
  throw new NodeFailure("missing", "the chain moved on each time that pools were read");
}

/** @throws NodeFailure before the first block */
export function headOf({ market }: DiscoveryContext): Head {
  const head = market.head();
  if (head === undefined) throw new NodeFailure("transport", "no node has answered yet");
  return head;
}

/**
 * Runs `work` until it succeeds or the chain is stopped; after a NodeFailure it runs again after a backoff.
 *
 * @returns whether it succeeded
 */
export async function persistently(
  { signal, log, progress }: DiscoveryContext,
  work: () => Promise<void>,
): Promise<boolean> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      log[failures === 2 ? "warn" : "debug"]({ why: error.message, step: progress.step }, "discovery waits");
      await sleep(backoff(failures, 250, 5_000), signal);
    }
  }
  return false;
}
