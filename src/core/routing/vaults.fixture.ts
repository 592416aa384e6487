import type { Protocol } from "../protocol.ts";
import type { Address } from "../types.ts";
import { createEngine } from "./engine.ts";
import { at, constantProduct, fixtureRegistry, type PairSpec, poolOf, WRAPPED } from "./market.fixture.ts";
import type { Engine } from "./types.ts";

const PPM = 1_000_000n;

/** A pool that exchanges one to one less a fee, for at most `room` units a swap. */
export type Vault = { readonly room: bigint; readonly feePpm: bigint };

const vault = {
  ...constantProduct,
  name: "vault",
  quote: (...[view, pool, , , amount]) => {
    const { room, feePpm } = view.get(pool.stateIds[0]) as Vault;
    const amountOut = (amount * (PPM - feePpm)) / PPM;
    if (amount > room || amountOut <= 0n) return undefined;
    return { amountIn: amount, amountOut, gas: 60_000, writes: [] };
  },
  mirror: (state) => state,
  quoteFloat: (mirror, _i, _j, x) => x * (1 - Number((mirror as Vault).feePpm) / 1e6),
  curve: (mirror) => ({
    x: Float64Array.of(0),
    y: Float64Array.of(0),
    m: Float64Array.of(1 - Number((mirror as Vault).feePpm) / 1e6),
    c: Float64Array.of(0),
    end: Number((mirror as Vault).room),
  }),
} as Protocol;

/** An engine over vaults and constant-product pools. */
export function vaultMarket(
  vaults: readonly (Vault & { readonly tokens: readonly Address[] })[],
  pairs: readonly PairSpec[] = [],
): Engine {
  const states = new Map<string, unknown>();
  const specs = [...vaults.map((one) => ({ ...one, reserves: [], protocol: vault.name })), ...pairs];
  const pools = specs.map((spec, k) => {
    const pool = poolOf(spec, k);
    states.set(pool.id, { feePpm: 3000n, ...spec });
    return pool;
  });
  const engine = createEngine(new Map([...fixtureRegistry, [vault.name, vault]]), { wrappedNative: WRAPPED });
  engine.patch({ pools, removed: [] }, { get: (id) => states.get(id) }, at);
  return engine;
}
