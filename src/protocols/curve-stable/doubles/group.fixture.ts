import fc from "fast-check";
import type { Address, Pool } from "../../../core/types.ts";
import { virtualPrice } from "../exact/liquidity.ts";
import type { BaseView, State } from "../state.ts";

/** Random base pools with metapools over them, which hold no more LP tokens than exist. */

export const NOW = 1_700_000_000;
const E18 = 10n ** 18n;
export const named = (k: number): Address => `0x${k.toString(16).padStart(40, "0")}`;
const BASE = named(0xba);
export const LP_TOKEN = named(0x99);

export type PoolGroup = { readonly pools: readonly Pool[]; readonly states: ReadonlyMap<string, State> };

type Terms = Pick<State, "rounding" | "ramp" | "aPrecision" | "fee" | "adminFee" | "offpegFeeMultiplier">;

const terms: fc.Arbitrary<Terms> = fc
  .record({
    rounding: fc.constantFrom("base" as const, "together" as const, "early" as const),
    a: fc.integer({ min: 10, max: 5000 }),
    ramps: fc.boolean(),
    fee: fc.constantFrom(0n, 100_000n, 1_000_000n, 4_000_000n, 10_000_000n, 40_000_000n),
    adminFee: fc.constantFrom(0n, 5_000_000_000n, 10_000_000_000n),
    offpegFeeMultiplier: fc.constantFrom(0n, 0n, 20_000_000_000n),
  })
  .map(({ a, ramps, ...rest }) => ({
    ...rest,
    aPrecision: 100n,
    ramp: {
      initialA: BigInt(a) * 50n,
      futureA: BigInt(a) * 100n,
      initialTime: NOW - 100_000,
      futureTime: ramps ? NOW + 100_000 : NOW - 10_000,
    },
  }));

/** Percentages of a coin, from a tenth to ten times the balanced amount. */
const lean = fc
  .integer({ min: -100, max: 100 })
  .map((power) => BigInt(Math.round(100 * 10 ** (power / 100))));

/** Pools of 10^3 to 10^9 whole coins. */
export const bases: fc.Arbitrary<State> = fc
  .record({
    terms,
    coins: fc.array(fc.record({ decimals: fc.constantFrom(6, 8, 18), lean }), { minLength: 2, maxLength: 3 }),
    digits: fc.integer({ min: 3, max: 9 }),
    price: fc.integer({ min: 700, max: 1300 }),
  })
  .map(({ terms: own, coins, digits, price }): State => {
    const balances = coins.map((coin) => coin.lean * 10n ** BigInt(digits + coin.decimals - 2));
    const rates = coins.map(({ decimals }) => 10n ** BigInt(36 - decimals));
    const empty = { ...own, balances, rates, base: null, worth: null, readAt: 0 };
    return { ...empty, lpSupply: (virtualPrice({ ...empty, lpSupply: E18 }, NOW)! * 1000n) / BigInt(price) };
  });

const metapools = fc.array(
  fc.record({
    terms,
    lean,
    lpPermille: fc.integer({ min: 1, max: 330 }),
    age: fc.constantFrom(0, 600, 601, 9999),
  }),
  { minLength: 1, maxLength: 3 },
);

/** A metapool's view of its base pool: live, or a slightly lower virtual price of some time ago. */
function viewOf(base: State, age: number): BaseView {
  return age === 0
    ? "live"
    : { virtualPrice: (virtualPrice(base, NOW)! * 99_990n) / 100_000n, updatedAt: NOW - age };
}

export const poolGroups: fc.Arbitrary<PoolGroup> = fc.tuple(bases, metapools).map(([base, over]) => {
  const coins = base.balances.map((_, k) => named(k + 1));
  const pool = (id: Address, tokens: readonly Address[], stateIds: Pool["stateIds"]): Pool => ({
    ...{ id, address: id, protocol: "curve-stable", deployment: "arbitrary", tokens, stateIds },
    facts: {
      implementation: stateIds.length > 1 ? "meta" : "base",
      own: stateIds.length > 1 ? 2 : coins.length,
    },
  });
  const states = new Map<string, State>([[BASE, base]]);
  const pools = [pool(BASE, coins, [BASE])];
  for (const [k, { terms: own, lean: other, lpPermille, age }] of over.entries()) {
    const id = named(0xa0 + k);
    const lp = (base.lpSupply * BigInt(lpPermille)) / 1000n;
    const shape = { rates: [E18, E18], lpSupply: 0n, worth: null, readAt: 0, base: viewOf(base, age) };
    states.set(id, { ...own, ...shape, balances: [(lp * other) / 100n, lp] });
    pools.push(pool(id, [named(0x50 + k), LP_TOKEN, ...coins], [id, BASE]));
  }
  return { pools, states };
});
