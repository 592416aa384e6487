import { setImmediate } from "node:timers";
import type { Engine } from "../../core/routing/types.ts";
import type { At, Pool, PoolId, View } from "../../core/types.ts";
import { patchOrName } from "../market/offers.ts";

/** Pools taken over in one turn of the event loop, some 1 ms; requests are answered between two turns. */
const PART = 100;
/** Changes of fewer pools than this are taken over at once: a turn of the loop may be as long. */
const LEAST = 200;

type Patch = { readonly view: View; readonly at: At };

/**
 * The engine of a thread that lets others search, and asks its own for prices of tokens alone. Of a large change, pools whose tokens
 * are priced already are taken over in parts within the next turns of the event loop: until then their prices are those of the change before.
 * New pools and tokens are there at once.
 *
 * @param onThrown told of each pool on which the engine threw later than in `patch`
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
