import type { Head, Pool } from "../../core/types.ts";
import { NodeFailure } from "../node/failure.ts";
import { backoff, chunks, mapLimit, sleep } from "../node/pace.ts";
import { loadBulk } from "./load-bulk.ts";
import type { DiscoveryContext } from "./types.ts";

/** Pools whose states are read at one block. */
const POOLS_AT_ONCE = 300;
const BATCHES_AT_ONCE = 2;

/**
 * Brings pools into the market. Each batch is read at a block of its own, the newest when its turn comes, so that a long
 * list outlives the time for which a node keeps old states.
 *
 * @param onBatch called with the pools of each batch once they are in the market
 * @throws NodeFailure where a batch fails; those before it stay in the market
 */
export async function wake(
  context: DiscoveryContext,
  pools: readonly Pool[],
  onBatch: (count: number) => void = () => undefined,
): Promise<void> {
  const asleep = pools.filter(({ id }) => !context.market.book.pools.has(id));
  await mapLimit(chunks(asleep, POOLS_AT_ONCE), BATCHES_AT_ONCE, async (part) => {
    await wakeTogether(context, part);
    onBatch(part.length);
  });
}

/** A block may leave the chain, or its state the node, while a batch is read: then it is read at the newest. */
const MOST_BLOCKS = 5;

async function wakeTogether(context: DiscoveryContext, pools: readonly Pool[]): Promise<void> {
  for (let blocks = 0; blocks < MOST_BLOCKS && !context.signal.aborted; blocks++) {
    const block = headOf(context);
    const slots = await loadBulk(pools, block, context).catch((error: unknown) => {
      if (error instanceof NodeFailure && error.kind === "missing") return undefined;
      throw error;
    });
    if (slots !== undefined && (await context.indexer.adopt({ pools, slots, block }))) return;
  }
  throw new NodeFailure("missing", "the chain moved on each time that pools were read");
}

/** @throws NodeFailure before the first block */
export function headOf({ market }: DiscoveryContext): Head {
  const head = market.head();
  if (head === undefined) throw new NodeFailure("transport", "no node has answered yet");
  return head;
}

/** Does a work until it succeeds or the chain is stopped: a node that fails is asked again a little later. */
export async function persistently(
  { signal, log, progress }: DiscoveryContext,
  work: () => Promise<void>,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      log[failures === 2 ? "warn" : "debug"]({ why: error.message, step: progress.step }, "discovery waits");
      await sleep(backoff(failures, 250, 5_000), signal);
    }
  }
}
