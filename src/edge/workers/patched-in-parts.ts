import { setImmediate } from "node:timers";
import type { Engine } from "../../core/routing/types.ts";
import type { At, Pool, PoolId, View } from "../../core/types.ts";
import { patchOrName } from "../market/offers.ts";

/** Pools applied in one turn of the event loop, about 1 ms; requests are served between two turns. */
const PART = 100;
/** Changes of fewer pools than this are applied at once: they block the event loop for about 2 ms at most. */
const LEAST = 200;

type Patch = { readonly view: View; readonly at: At };

/**
 * Wraps the engine of a thread that searches in other threads and uses its own engine only for prices of tokens. Of a
 * large change, pools whose tokens all have a price already are applied in parts over the next turns of the event loop;
 * until then the engine has them as before the change. Pools with a token that has no price yet are applied at once.
 *
 * @param onThrown called for each pool on which the engine throws after `patch` has returned
 */
export function patchedInParts(engine: Engine, onThrown: (pool: PoolId, error: unknown) => void): Engine {
  const waiting = new Map<PoolId, Pool>();
  let newest: Patch | undefined;
  const isPriced = ({ tokens }: Pool) => tokens.every((token) => engine.nativePer(token) !== undefined);
  const divided = (pools: readonly Pool[]) => {
    if (pools.length < LEAST) return { now: pools, later: [] };
    const { now = [], later = [] } = Object.groupBy(pools, (pool) => (isPriced(pool) ? "later" : "now"));
    return { now, later };
  };
  const takePart = () => {
    const pools: Pool[] = [];
    for (const pool of waiting.values()) {
      if (pools.length === PART) break;
      pools.push(pool);
      waiting.delete(pool.id);
    }
    if (pools.length === 0) return;
    const { view, at } = newest!;
    const failed = patchOrName({ pools, removed: [] }, (part) => engine.patch(part, view, at));
    for (const { pool, error } of failed) onThrown(pool, error);
    if (waiting.size > 0) setImmediate(takePart);
  };
  return {
    ...engine,
    patch({ pools, removed }, view, at) {
      newest = { view, at };
      const isWaiting = waiting.size > 0;
      const { now, later } = divided(pools);
      for (const id of [...removed, ...now.map((pool) => pool.id)]) waiting.delete(id);
      engine.patch({ pools: now, removed }, view, at);
      for (const pool of later) waiting.set(pool.id, pool);
      if (!isWaiting && later.length > 0) setImmediate(takePart);
    },
  };
}
