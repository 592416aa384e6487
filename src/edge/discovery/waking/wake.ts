import { setImmediate } from "node:timers/promises";
import type { Head, Pool } from "../../../core/types.ts";
import { ADOPTED_AT_ONCE } from "../../indexer/adopt.ts";
import { backoff, chunks, mapLimit, sleep } from "../../node/pace/pace.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import type { DiscoveryContext } from "../types.ts";
import type { Why } from "./awake.ts";
import { loadBulk } from "./load-bulk.ts";

/** Pools whose states are read at one block. */
const POOLS_AT_ONCE = 300;
const BATCHES_AT_ONCE = 2;

type Waking = {
  readonly why: Why;
  /** Called with the pools of each batch once they are in the market. */
  readonly onBatch?: (count: number) => void;
};

/**
 * Brings pools into the market, with those whose states they read. Each batch is read at a block of its own, the newest when
 * its turn comes, so that a long list outlives the time for which a node keeps old states.
 *
 * @throws NodeFailure where a batch fails; those before it stay in the market
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
  awake.keep(ids(wanted.filter(isThere)), why);
  const asleep = wanted.filter((pool) => !isThere(pool));
  await mapLimit(chunks(asleep, POOLS_AT_ONCE), BATCHES_AT_ONCE, async (part) => {
    await wakeTogether(context, part);
    awake.keep(ids(part), why);
    onBatch(part.length);
  });
}

/** Pools, and those whose own state some of them read beside theirs, such as the base pool of a metapool. */
function withShared({ known }: DiscoveryContext, pools: readonly Pool[]): readonly Pool[] {
  const others = pools.flatMap(({ stateIds: [, ...shared] }) => shared.map((id) => known.get(id)));
  if (others.length === 0) return pools;
  const all = [...pools, ...others.filter((pool) => pool !== undefined)];
  return [...new Map(all.map((pool) => [pool.id, pool])).values()];
}

/** A block may leave the chain, or its state the node, while a batch is read: then it is read at the newest. */
const MOST_BLOCKS = 5;

async function wakeTogether(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  let left = pools;
  for (let blocks = 0; blocks < MOST_BLOCKS && !context.signal.aborted; blocks++) {
    const block = headOf(context);
    const slots = await loadBulk(left, block, context).catch((error: unknown) => {
      if (error instanceof NodeFailure && error.kind === "missing") return undefined;
      throw error;
    });
    // What was read is decoded in one turn, and taken over in the next: others have theirs between.
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
 * Does a work until it succeeds or the chain is stopped: a node that fails is asked again a little later.
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
