import { expect, test } from "vitest";
import type { Protocol } from "../../protocol.ts";
import { createEngine } from "../engine.ts";
import { ask, at, constantProduct, fixtureRegistry, poolOf, token, WRAPPED } from "../market.fixture.ts";

const E21 = 10n ** 21n;
const PPM = 1_000_000n;

type Vault = { readonly room: bigint; readonly feePpm: bigint };

/** Exchanges unit for unit less a fee, until it is full. */
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

/** From token 1 or, unit for unit, 3 to token 2. */
const VAULTS: readonly Vault[] = Array.from({ length: 120 }, (_, k) => ({
  room: BigInt(1 + ((k * 7) % 20)) * E21,
  feePpm: BigInt((k * 37) % 120) * 40n,
}));
const ROOM = VAULTS.reduce((sum, { room }) => sum + room, 0n);

/** What they pay for an amount, those of the least fee first. */
function mostFor(amount: bigint): number {
  let [left, paid] = [amount, 0];
  for (const { room, feePpm } of VAULTS.toSorted((a, b) => Number(a.feePpm - b.feePpm))) {
    const taken = room < left ? room : left;
    paid += Number(taken) * (1 - Number(feePpm) / 1e6);
    left -= taken;
  }
  return paid;
}

test.each([24n, 36n, 44n, 60n, 76n, 84n])(
  "an order of %i in a hundred of what pools of no slippage take fills them, the best first",
  (percent) => {
    const states = new Map<string, Vault>();
    const vaults = [{ room: 100_000n * E21, feePpm: 0n }, ...VAULTS].map((state, k) => {
      const tokens = k === 0 ? [token(1), token(3)] : [token(k % 2 === 0 ? 1 : 3), token(2)];
      const pool = poolOf({ tokens, reserves: [], protocol: vault.name }, k);
      states.set(pool.id, state);
      return pool;
    });
    const engine = createEngine(new Map([...fixtureRegistry, [vault.name, vault]]), {
      wrappedNative: WRAPPED,
    });
    engine.patch({ pools: vaults, removed: [] }, { get: (id) => states.get(id) }, at);
    const amount = (ROOM * percent) / 100n;
    const found = engine.find(ask(token(1), token(2), amount));
    if (found.kind === "missing") throw new Error(found.reason);
    expect(Number(found.route.amountOut) / mostFor(amount)).toBeGreaterThan(1 - 2e-4);
  },
);
