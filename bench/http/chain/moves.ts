import type { Protocol, Registry } from "../../../src/core/protocol.ts";
import type { At, Pool, StateId, View } from "../../../src/core/types.ts";

/** A pool is moved by so little that no swap between moved pools pays its gas. */
const MOST_MOVED = 1e-5;
/** Powers of ten that are tried as amounts. */
const MOST_DIGITS = 27;

type States = readonly (readonly [StateId, unknown])[];

/**
 * States of pools that go to and fro: each time a pool is touched it is as after a small swap, or as before it. Nothing is kept but what
 * moved pools come back to: memory of the bench counts as the service's.
 *
 * @param view the states as they are when a pool is touched
 * @returns the next states of a pool; none where no swap is small enough
 */
export function createMoves(registry: Registry, view: () => View, at: At) {
  const before = new Map<string, States>();
  return (pool: Pool): States => {
    const back = before.get(pool.id);
    if (back !== undefined) {
      before.delete(pool.id);
      return back;
    }
    const now = view();
    const after = smallSwap(registry.get(pool.protocol)!, pool, { view: now, at });
    if (after.length > 0)
      before.set(
        pool.id,
        after.map(([id]) => [id, now.get(id)]),
      );
    return after;
  };
}

/**
 * Moves every second pool once, before anything is measured. Blocks that then touch pools in turn leave half of all moved
 * at any time: a search takes several times as long where prices differ by the last digits as where they are equal,
 * so the figures would depend on when they were taken.
 */
export function moveEverySecond(
  pools: readonly Pool[],
  move: ReturnType<typeof createMoves>,
  keep: (id: StateId, state: unknown) => void,
): void {
  for (let k = 1; k < pools.length; k += 2) for (const [id, state] of move(pools[k]!)) keep(id, state);
}

/** What the largest power of ten leaves that is paid the rate of smaller ones. */
function smallSwap(protocol: Protocol, pool: Pool, { view, at }: { view: View; at: At }) {
  let [best, writes] = [0, [] as readonly (readonly [StateId, unknown])[]];
  for (let digits = 0; digits <= MOST_DIGITS; digits++) {
    const fill = protocol.quote(view, pool, 0, 1, 10n ** BigInt(digits), "in", at);
    if (fill === undefined) continue;
    const rate = Number(fill.amountOut) / Number(fill.amountIn);
    if (rate < best * (1 - MOST_MOVED)) break;
    [best, writes] = [Math.max(best, rate), fill.writes];
  }
  return writes;
}
