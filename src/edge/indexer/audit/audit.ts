import type { Logger } from "pino";
import type { Head, Pool, PoolId } from "../../../core/types.ts";
import type { Market } from "../../market/market.ts";
import { NodeFailure } from "../../node/transport/failure.ts";
import { createPauses } from "../../pauses.ts";
import { type Comparing, differingPools } from "./compare.ts";
import type { Ranks } from "./ranks.ts";

export type AuditRequest = Comparing & {
  readonly market: Market;
  readonly ranks: Ranks;
  /** Number of the deepest pools, each of which is compared within `blocks` blocks. */
  readonly deepest: number;
  readonly blocks: number;
  /** A random sample of pools whose newest state is not proven. */
  readonly unproven: (count: number) => readonly Pool[];
  /** Has pools read again. */
  readonly reload: (pools: readonly PoolId[]) => void;
  /** Called when states were found to be wrong. */
  readonly onWrong: () => void;
  readonly log: Logger;
};

/** Sample size of unproven pools in each comparison. */
const UNPROVEN = 12;
/** Pools compared from all pools in turn, as a share of the deepest pools that are compared. */
const OTHERS = 1 / 8;

/** The deepest pools that are still to be compared, and the position in the walk over all pools. */
type Cursor = { queue: Pool[]; others: Iterator<Pool, undefined> | undefined };

/**
 * Compares states of pools with the chain at the committed head: the deepest pools repeatedly, all others in turn. A
 * pool whose state differs is quarantined and read again: its logs were missed or forged, or the design's code is
 * wrong.
 *
 * @returns a function that compares the share of `blocks` blocks (1 by default); it resolves with the pools that
 *   differ, and with none where a node fails
 */
export function createAudit(request: AuditRequest): (blocks?: number) => Promise<readonly PoolId[]> {
  const cursor: Cursor = { queue: [], others: undefined };
  return async (blocks = 1) => {
    const { market, log, ranks } = request;
    if (market.head() === undefined) return [];
    const part = Math.min(1, blocks / Math.max(1, request.blocks));
    await rankPart(ranks, Math.ceil(market.book.pools.size * part));
    const before = [...cursor.queue];
    const head = market.head() as Head;
    try {
      const pools = take(request, cursor, Math.ceil(request.deepest * part));
      return refuse(request, await differingPools(request, pools, { head, view: market.book.view() }));
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      cursor.queue = before;
      log.debug({ why: error.message }, "audit left out");
      return [];
    }
  };
}

function refuse({ market, reload, onWrong }: AuditRequest, wrong: readonly PoolId[]): readonly PoolId[] {
  if (wrong.length === 0) return wrong;
  for (const id of wrong) market.quarantine(id, "its state is not what the chain says");
  reload(wrong);
  onWrong();
  return wrong;
}

/** The pools whose turn it is. */
function take({ ranks, deepest, market, unproven }: AuditRequest, cursor: Cursor, share: number): Pool[] {
  if (cursor.queue.length === 0) cursor.queue = ranks.deepest(deepest);
  const first = cursor.queue.splice(0, share);
  const others = following(cursor, market, Math.ceil(share * OTHERS));
  return [...new Set([...unproven(UNPROVEN), ...first, ...others])].filter(({ id }) =>
    market.book.pools.has(id),
  );
}

/** The next pools of a cyclic walk over the book; visits only the pools that it returns. */
function following(cursor: Cursor, { book }: Market, count: number): Pool[] {
  const pools: Pool[] = [];
  for (let ends = 0; pools.length < count && ends < 2; ) {
    cursor.others ??= book.pools.values();
    const { value, done } = cursor.others.next();
    if (done !== true) pools.push(value);
    else {
      cursor.others = undefined;
      ends++;
    }
  }
  return pools;
}

/** Pools whose depth is computed between two checks of whether to yield the event loop. */
const RANKED_IN_A_ROW = 8;

async function rankPart(ranks: Ranks, count: number): Promise<void> {
  const pause = createPauses();
  for (let left = count; left > 0; left -= RANKED_IN_A_ROW) {
    ranks.step(Math.min(left, RANKED_IN_A_ROW));
    await pause();
  }
}
