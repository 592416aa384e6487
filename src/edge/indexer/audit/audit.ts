import type { Logger } from "pino";
import type { Pool, PoolId } from "../../../core/types.ts";
import type { Market } from "../../market/market.ts";
import { NodeFailure } from "../../node/failure.ts";
import { type Comparing, differingPools } from "./compare.ts";
import type { Ranks } from "./ranks.ts";

type AuditRequest = Comparing & {
  readonly market: Market;
  readonly ranks: Ranks;
  /** Every one of this many pools, the deepest, is compared within `blocks` blocks. */
  readonly deepest: number;
  readonly blocks: number;
  /** Pools whose newest state nothing proves, by chance. */
  readonly unproven: (count: number) => readonly Pool[];
  /** Asks for pools to be read afresh. */
  readonly reload: (pools: readonly PoolId[]) => void;
  /** Told that states were found to be wrong. */
  readonly onWrong: () => void;
  readonly log: Logger;
};

/** Of these each time, where there are any. */
const UNPROVEN = 12;
/** Beside the deepest, a share of all others is compared, so that each gets its turn. */
const OTHERS = 1 / 8;

type Cursor = { queue: Pool[]; other: PoolId | undefined };

/**
 * Compares pools with the chain, at the committed head: the deepest again and again, all others in turn. A pool whose state
 * is not what the chain says is quarantined, counted and read again: its logs were missed or forged, or its design is misread.
 *
 * @returns what does the share of one block; it resolves with the pools that differed, and never rejects for a node
 */
export function createAudit(request: AuditRequest): (blocks?: number) => Promise<readonly PoolId[]> {
  const cursor: Cursor = { queue: [], other: undefined };
  return async (blocks = 1) => {
    const { market, log, ranks } = request;
    const head = market.head();
    if (head === undefined) return [];
    const part = blocks / Math.max(1, request.blocks);
    ranks.step(Math.ceil(market.book.pools.size * part));
    const before = { ...cursor, queue: [...cursor.queue] };
    try {
      const pools = take(request, cursor, Math.ceil(request.deepest * part));
      return refuse(request, await differingPools(request, pools, { head, view: market.book.view() }));
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      Object.assign(cursor, before);
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
  const all = [...market.book.pools.values()];
  const others = following(all, cursor.other).slice(0, Math.ceil(share * OTHERS));
  cursor.other = others.at(-1)?.id;
  return [...new Set([...unproven(UNPROVEN), ...first, ...others])].filter(({ id }) =>
    market.book.pools.has(id),
  );
}

/** The pools from the one after `cursor` on, round to it. */
function following(pools: readonly Pool[], cursor: PoolId | undefined): Pool[] {
  const start = pools.findIndex(({ id }) => id === cursor) + 1;
  return [...pools.slice(start), ...pools.slice(0, start)];
}
