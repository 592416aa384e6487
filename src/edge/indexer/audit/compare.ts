import { isDeepStrictEqual } from "node:util";
import type { Protocol, Registry } from "../../../core/protocol.ts";
import type { At, Head, Pool, PoolId, StateId, View } from "../../../core/types.ts";
import type { MarketPort } from "../../../service/ports/ports.ts";
import { type Slot, stateOf } from "../../market/book.ts";
import { nextAt } from "../../next-at.ts";
import { createPauses } from "../../pauses.ts";
import { isRead } from "../suspects.ts";

export type Comparing = {
  readonly registry: Registry;
  readonly blockTimeMs: number;
  /** Used to wait for the next block. */
  readonly market: { readonly port: Pick<MarketPort, "waitFor"> };
  /** @throws NodeFailure */
  readonly load: (pools: readonly Pool[], block: Head) => Promise<Map<StateId, Slot>>;
};

type Held = { readonly head: Head; readonly view: View };

/** Most milliseconds between the two reads of a pool that differs, where the next block does not come sooner. */
const PAUSE_MS = 2_000;

/**
 * The pools whose state in the view differs from the state read at `head`. Pools that differ are read once more at
 * `head` after the next block: a node that is importing a block may answer reads of the block before with the state
 * after it, as anvil does while it mines.
 *
 * @throws NodeFailure where the reads fail
 */
export async function differingPools(
  comparing: Comparing,
  pools: readonly Pool[],
  held: Held,
): Promise<PoolId[]> {
  const doubtful = await readDiffering(comparing, pools, held);
  if (doubtful.length === 0) return [];
  await comparing.market.port.waitFor(held.head.number + 1, Math.min(PAUSE_MS, comparing.blockTimeMs));
  const again = await readDiffering(comparing, doubtful, held);
  return again.map(({ id }) => id);
}

async function readDiffering(
  { registry, load, blockTimeMs }: Comparing,
  pools: readonly Pool[],
  { head, view }: Held,
): Promise<Pool[]> {
  const held = pools.filter((pool) => view.get(pool.stateIds[0]) !== undefined && isRead(registry, pool));
  if (held.length === 0) return [];
  const slots = await load(held, head);
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
  const wrong: Pool[] = [];
  const pause = createPauses();
  for (const pool of held) {
    if (isWrong(pool)) wrong.push(pool);
    await pause();
  }
  return wrong;
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

/**
 * Whether two states are equal as data, or give the same quotes in all trials, since a state may contain the time of
 * its read.
 */
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
