import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { Registry } from "../../../core/protocol.ts";
import { createEngine } from "../../../core/routing/engine.ts";
import type { Engine } from "../../../core/routing/types.ts";
import type { Address, At, Chain, Pool, PoolId, StateId } from "../../../core/types.ts";
import { patchOrName } from "../../market/offers.ts";
import type { Remembered } from "./remembered.ts";

/**
 * The market as the last run left it, in a graph of its own. It tells which pools a route would take, so that they are read
 * first; nothing is ever priced by it.
 */
export type Memory = {
  /** Takes pools over, the first that come being the first that can be told. */
  add(rows: readonly Remembered[]): Promise<void>;
  /** Pools of the routes from one token to another, for some amounts; none where no route is known. */
  between(tokenIn: Address, tokenOut: Address): Promise<PoolId[]>;
  size(): number;
};

type MemoryRequest = {
  readonly registry: Registry;
  readonly chain: Pick<Chain, "wrappedNative">;
  /** The block expected to execute. */
  readonly at: () => At;
};

/** Pools that are taken over before others get their turn. */
const POOLS_IN_A_ROW = 50;
/** Amounts of which routes are told, in wei of the native coin. */
const AMOUNTS_WEI = [1e18, 1e20];
const SEARCH_MS = 25;
const LIMITS = { maxHops: 4, maxLegs: 16, timeoutMs: SEARCH_MS };

export function createMemory({ registry, chain, at }: MemoryRequest): Memory {
  const engine = createEngine(registry, chain);
  const states = new Map<StateId, unknown>();
  const view = { get: (id: StateId) => states.get(id) };
  let size = 0;
  /** Pools whose other states have not come yet. */
  let waiting: Pool[] = [];
  return {
    async add(rows) {
      for (const { pool, state } of rows) if (state !== undefined) states.set(pool.stateIds[0], state);
      const all = [...waiting, ...rows.map(({ pool }) => pool)];
      const isWhole = ({ stateIds }: Pool) => stateIds.every((id) => states.has(id));
      waiting = all.filter((pool) => !isWhole(pool) && states.has(pool.stateIds[0]));
      const whole = all.filter(isWhole);
      for (let start = 0; start < whole.length; start += POOLS_IN_A_ROW) {
        const pools = whole.slice(start, start + POOLS_IN_A_ROW);
        // A state of another version of a design may make it throw: that pool is then no help, and no harm.
        patchOrName({ pools, removed: [] }, (change) => engine.patch(change, view, at()));
        size += pools.length;
        await setImmediate();
      }
    },
    async between(tokenIn, tokenOut) {
      const found = new Set<PoolId>();
      for (const wei of AMOUNTS_WEI) {
        for (const _ of engine.prepare()) await setImmediate();
        for (const id of routeOf(engine, { tokenIn, tokenOut, wei, at: at() })) found.add(id);
        await setImmediate();
      }
      return [...found];
    },
    size: () => size,
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
