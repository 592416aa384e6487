import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import type { Protocol, Registry } from "../../core/protocol.ts";
import type { At, Head, Pool, PoolId, View } from "../../core/types.ts";
import { stateOf } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import { nextAt } from "../next-at.ts";
import { NodeFailure } from "../node/failure.ts";
import type { ChainReader } from "../node/types.ts";
import { loadStates } from "./load.ts";

type SelfCheckRequest = {
  readonly market: Market;
  readonly registry: Registry;
  readonly reader: ChainReader;
  readonly blockTimeMs: number;
  /** Pools compared each time. */
  readonly sample: number;
  /** Asks for pools to be read afresh. */
  readonly reload: (pools: readonly PoolId[]) => void;
  readonly log: Logger;
};

/**
 * Compares a few pools with the chain, at the committed head. A pool whose state is not what the chain says is quarantined,
 * counted and read again: its events were missed, or its design is misread. Turn by turn every pool gets looked at.
 *
 * @returns what does one turn; it resolves with the pools that differed, and never rejects for a node
 */
export function createSelfCheck(request: SelfCheckRequest): () => Promise<readonly PoolId[]> {
  let cursor: PoolId | undefined;
  return async () => {
    const { market, log, reload } = request;
    const head = market.head();
    if (head === undefined) return [];
    const view = market.book.view();
    const pools = following([...market.book.pools.values()], cursor).slice(0, request.sample);
    cursor = pools.at(-1)?.id;
    try {
      const wrong = await differingPools(request, pools, { head, view });
      for (const id of wrong) market.quarantine(id, "its state is not what the chain says");
      if (wrong.length > 0) reload(wrong);
      return wrong;
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      log.debug({ why: error.message }, "self-check left out");
      return [];
    }
  };
}

/** The pools from the one after `cursor` on, round to it. */
function following(pools: readonly Pool[], cursor: PoolId | undefined): Pool[] {
  const start = pools.findIndex(({ id }) => id === cursor) + 1;
  return [...pools.slice(start), ...pools.slice(0, start)];
}

/**
 * The pools whose state the chain, read at `head`, tells otherwise.
 *
 * @throws NodeFailure where the reads fail
 */
export async function differingPools(
  { registry, reader, blockTimeMs }: Pick<SelfCheckRequest, "registry" | "reader" | "blockTimeMs">,
  pools: readonly Pool[],
  { head, view }: { head: Head; view: View },
): Promise<PoolId[]> {
  // What is read of no contract, such as a maker's levels, has nothing on the chain to be compared with.
  const isRead = (pool: Pool) => registry.get(pool.protocol)!.reads(pool, []).length > 0;
  const held = pools.filter((pool) => view.get(pool.stateIds[0]) !== undefined && isRead(pool));
  const slots = await loadStates(held, head, registry, reader.read);
  const at = nextAt(head, blockTimeMs);
  const isWrong = (pool: Pool) => {
    const id = pool.stateIds[0];
    const read = stateOf(slots.get(id));
    const protocol = registry.get(pool.protocol) as Protocol;
    return (
      read === undefined ||
      !sameState({ protocol, pool, at }, view, { get: (one) => (one === id ? read : view.get(one)) })
    );
  };
  return held.filter(isWrong).map(({ id }) => id);
}

const SIZES = [
  1n,
  10n ** 3n,
  10n ** 6n,
  10n ** 9n,
  10n ** 12n,
  10n ** 15n,
  10n ** 18n,
  10n ** 21n,
  10n ** 24n,
];

type Compared = { readonly protocol: Protocol; readonly pool: Pool; readonly at: At };

/** Equal as data, or equal in every quote that is tried: a state may carry when it was read. */
function sameState({ protocol, pool, at }: Compared, held: View, read: View): boolean {
  const id = pool.stateIds[0];
  if (isDeepStrictEqual(held.get(id), read.get(id))) return true;
  const fill = (view: View, [i, j, size]: readonly [number, number, bigint]) => {
    const filled = protocol.quote(view, pool, i, j, size, "in", at);
    return [filled?.amountIn, filled?.amountOut];
  };
  try {
    return trials(pool.tokens.length).every((trial) =>
      isDeepStrictEqual(fill(held, trial), fill(read, trial)),
    );
  } catch {
    return false;
  }
}

function trials(tokens: number): (readonly [number, number, bigint])[] {
  const indices = Array.from({ length: tokens }, (_, k) => k);
  const pairs = indices.flatMap((i) => indices.filter((j) => j !== i).map((j) => [i, j] as const));
  return pairs.flatMap(([i, j]) => SIZES.map((size) => [i, j, size] as const));
}
