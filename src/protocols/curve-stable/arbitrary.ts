import fc from "fast-check";
import type { Address, Hex } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import type { ImplementationName } from "./chain/implementations.ts";
import type { BaseView, RoundingName, State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000cc";
const BASE = "0x00000000000000000000000000000000000000ba";
const NOW = 1_700_000_000;
const coin = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/** The highest fee of a pool as a fraction of the output. */
function feeShare({ fee, offpegFeeMultiplier }: State): number {
  return (Number(fee) / 1e10) * Math.max(1, Number(offpegFeeMultiplier) / 1e10);
}

function subject(own: State, base: State | undefined, implementation: ImplementationName): Subject {
  const count = own.balances.length;
  return {
    pool: {
      id: POOL,
      address: POOL,
      protocol: "curve-stable",
      deployment: "arbitrary",
      tokens: Array.from({ length: count + (base?.balances.length ?? 0) }, (_, k) => coin(k)),
      stateIds: base === undefined ? [POOL] : [POOL, BASE],
      facts: { implementation, own: count },
    },
    states: new Map([[POOL, own], ...(base === undefined ? [] : [[BASE, base] as const])]),
    at: { blockNumber: 1, timestamp: NOW },
    roundings: 8,
    outputFee: feeShare(own) + (base === undefined ? 0 : feeShare(base)),
  };
}

/** A pool with this state. */
export const subjectOf = (state: State): Subject => subject(state, undefined, "base");

/**
 * A metapool over `base`. Fees of a deposit are rounded in units of the base coins, which may have few decimals, and
 * a unit of the LP token may be worth a hundred units of the other coin.
 */
export function metaSubjectOf(own: State, base: State): Subject {
  const coarsest = base.rates.reduce((most, rate) => (rate > most ? rate : most), 0n) / 10n ** 18n;
  return { ...subject(own, base, "meta"), roundings: 400 * Number(coarsest) };
}

/**
 * A lending pool: its coins are listed again as their underlying coins. A unit of one may be worth several of the
 * other, and the pool withholds no unit for rounding.
 */
export function lendingSubjectOf(state: State): Subject {
  const { pool, ...rest } = subject(state, undefined, "compound");
  const tokens = Array.from({ length: 2 * state.balances.length }, (_, k) => coin(k));
  return { ...rest, pool: { ...pool, tokens }, roundings: 32, favour: 4 };
}

type Shape = {
  readonly decimals: fc.Arbitrary<number>;
  readonly most: number;
  readonly roundings: readonly RoundingName[];
};

/** Pools imbalanced by up to a factor of 100, with a thousand to a billion whole coins. */
function states({ decimals, most, roundings }: Shape): fc.Arbitrary<State> {
  return fc
    .record({
      coins: fc.array(fc.record({ decimals, lean: fc.integer({ min: 10, max: 1000 }) }), {
        minLength: 2,
        maxLength: most,
      }),
      whole: fc.integer({ min: 3, max: 9 }).map((digits) => 10n ** BigInt(digits)),
      rounding: fc.constantFrom(...roundings),
      a: fc.integer({ min: 10, max: 5000 }),
      ramps: fc.boolean(),
      fee: fc.integer({ min: 0, max: 40_000_000 }),
      adminFee: fc.constantFrom(0n, 5_000_000_000n, 10_000_000_000n),
      dynamic: fc.boolean(),
    })
    .map(({ coins, whole, rounding, a, ramps, fee, adminFee, dynamic }) => ({
      rounding,
      balances: coins.map((c) => (whole * BigInt(c.lean) * 10n ** BigInt(c.decimals)) / 100n),
      rates: coins.map((c) => 10n ** BigInt(36 - c.decimals)),
      ramp: {
        initialA: BigInt(a) * 50n,
        futureA: BigInt(a) * 100n,
        initialTime: NOW - 100_000,
        futureTime: ramps ? NOW + 100_000 : NOW - 10_000,
      },
      aPrecision: 100n,
      fee: BigInt(fee),
      adminFee,
      offpegFeeMultiplier: dynamic ? 20_000_000_000n : 0n,
      lpSupply: coins.reduce((sum, c) => sum + BigInt(c.lean), 0n) * whole * 10n ** 16n,
      base: null,
      worth: null,
      readAt: 0,
    }));
}

const decimals = fc.constantFrom(6, 8, 18);
const eighteen = fc.constant(18);
const plain = states({
  decimals,
  most: 4,
  roundings: ["base", "together", "early", "steth", "feeAfterRate"],
});
const base = fc.oneof(
  states({ decimals, most: 3, roundings: ["base", "together", "early"] }),
  states({ decimals: eighteen, most: 3, roundings: ["base", "together", "early"] }),
);
const view: fc.Arbitrary<BaseView> = fc.oneof(
  fc.constant("live" as const),
  fc
    .constantFrom(NOW - 600, NOW - 601)
    .map((updatedAt) => ({ virtualPrice: 10n ** 18n + 12345n, updatedAt })),
);
const meta = fc
  .tuple(states({ decimals: eighteen, most: 2, roundings: ["base", "together"] }), base, view)
  .map(([own, under, known]) => {
    // So many units of rounding would hide a fee that grows with the amount, or be mistaken for one.
    const isCoarse = under.rates.some((rate) => rate > 10n ** 18n);
    const offpegFeeMultiplier = isCoarse ? 0n : own.offpegFeeMultiplier;
    return metaSubjectOf({ ...own, base: known, offpegFeeMultiplier }, under);
  });

const lending = fc
  .tuple(
    states({ decimals, most: 3, roundings: ["aave", "templateA", "first"] }),
    fc.option(fc.array(fc.integer({ min: 50, max: 300 }), { minLength: 3, maxLength: 3 })),
  )
  .map(([state, worth]) => {
    const percents = worth?.map((percent) => BigInt(percent) * 10n ** 16n).slice(0, state.balances.length);
    return lendingSubjectOf({ ...state, worth: percents ?? null });
  });

export const subjects: fc.Arbitrary<Subject> = fc.oneof(plain.map(subjectOf), meta, lending);

/**
 * offpeg_fee_multiplier, is_killed, the LP token's totalSupply, base_virtual_price, base_cache_updated, stored_rates;
 * A if there is a ramp
 */
export const mayLack: readonly Hex[] = [
  ...(["0x8edfdd5f", "0x9c868ac0", "0x18160ddd", "0x95ccc02f", "0x8296f84f", "0xfd0684b1"] as const),
  "0xf446c1d0",
];
