import { performance } from "node:perf_hooks";
import { decodePlain } from "../../../core/codec.ts";
import type { Registry } from "../../../core/protocol.ts";
import { createEngine } from "../../../core/routing/engine.ts";
import type { Engine } from "../../../core/routing/types.ts";
import type { Address, At, Chain, Pool, PoolId, StateId } from "../../../core/types.ts";
import { patchOrName } from "../../market/offers.ts";
import type { AwakeRow } from "../../store/pool-messages.ts";

/**
 * The market as the last run left it, in a graph of its own. It only gives the pools of likely routes, so that those
 * are read first; no price comes from it.
 */
export type RememberedMarket = {
  add(rows: readonly AwakeRow[], at: At): void;
  /** Pools of the routes from one token to another, for some amounts; none where no route is known. */
  between(tokenIn: Address, tokenOut: Address, at: At): PoolId[];
};

/** Amounts for which routes are searched, in wei of the native coin. */
const AMOUNTS_WEI = [1e18, 1e20];
const SEARCH_MS = 25;
const LIMITS = { maxHops: 4, maxLegs: 16, timeoutMs: SEARCH_MS };

export function createRememberedMarket(
  registry: Registry,
  chain: Pick<Chain, "wrappedNative">,
): RememberedMarket {
  const engine = createEngine(registry, chain);
  const states = new Map<StateId, unknown>();
  const view = { get: (id: StateId) => states.get(id) };
  /** Pools whose shared states have not been added yet. */
  let waiting: Pool[] = [];
  return {
    add(rows, at) {
      const all = [...waiting];
      for (const row of rows) {
        const pool = decodePlain(row.pool) as Pool;
        if (row.state !== null) states.set(pool.stateIds[0], decodePlain(row.state));
        all.push(pool);
      }
      const isWhole = ({ stateIds }: Pool) => stateIds.every((id) => states.has(id));
      waiting = all.filter((pool) => !isWhole(pool) && states.has(pool.stateIds[0]));
      // A state of another version of the design may make the design throw: the pool is then left out.
      patchOrName({ pools: all.filter(isWhole), removed: [] }, (change) => engine.patch(change, view, at));
    },
    between: (tokenIn, tokenOut, at) => [
      ...new Set(AMOUNTS_WEI.flatMap((wei) => routeOf(engine, { tokenIn, tokenOut, wei, at }))),
    ],
  };
}

type Asked = {
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly wei: number;
  readonly at: At;
};

function routeOf(engine: Engine, { tokenIn, tokenOut, wei, at }: Asked): PoolId[] {
  const price = engine.nativePer(tokenIn);
  if (price === undefined || !(price > 0)) return [];
  const amount = BigInt(Math.max(1, Math.floor(Math.min(wei / price, 1e60))));
  const result = engine.find({
    ...{ tokenIn, tokenOut, amount, side: "in", at, gasPriceWei: undefined, ...LIMITS },
    isUnproven: true,
    allows: () => true,
    now: () => performance.now(),
  });
  return result.kind === "found" ? result.route.steps.map(({ pool }) => pool.id) : [];
}
