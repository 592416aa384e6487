import fc from "fast-check";
import type { Address, Hex } from "../../core/types.ts";
import type { Subject } from "../subject.ts";
import { type DesignName, designs } from "./designs.ts";
import type { State } from "./state.ts";

export const POOL = "0x00000000000000000000000000000000000000c2";
const NOW = 1_700_000_000;
const ONE = 10n ** 18n;
const coin = (k: number): Address => `0x${(k + 1).toString(16).padStart(40, "0")}`;

/**
 * A pool with this state. D and y are precise to 18 digits over gamma only, and a trade whose fee is too small for
 * the virtual price reverts, so amounts below 1e-12 of the reserves are not compared closely.
 */
export function subjectOf(state: State): Subject {
  const most = state.balances.reduce((largest, balance) => (balance > largest ? balance : largest), 0n);
  return {
    pool: {
      ...{ id: POOL, address: POOL, protocol: "curve-crypto", deployment: "arbitrary" },
      tokens: state.balances.map((_, k) => coin(k)),
      stateIds: [POOL],
      facts: { implementation: state.design === OF_2024 ? "twocrypto-ng" : state.design },
    },
    states: new Map([[POOL, state]]),
    at: { blockNumber: 1, timestamp: NOW },
    roundings: 8 + Number(most / 10n ** 12n),
    outputFee: Number(state.outFee) / 1e10,
  };
}

const OF_2024: DesignName = "twocrypto-ng-2024";
const names = Object.keys(designs) as DesignName[];

/** Balances worth a thousand to ten million of the first coin each, imbalanced by up to a factor of three. */
export const states: fc.Arbitrary<State> = fc
  .record({
    design: fc.constantFrom(...names),
    coins: fc.array(
      fc.record({
        decimals: fc.constantFrom(6, 8, 18),
        lean: fc.integer({ min: 60, max: 180 }),
        price: fc
          .integer({ min: -6, max: 50 })
          .map((exponent) => BigInt(Math.round(1e6 * 1.3 ** exponent)) * 10n ** 12n),
      }),
      { minLength: 3, maxLength: 3 },
    ),
    whole: fc.integer({ min: 4, max: 8 }).map((digits) => 10n ** BigInt(digits)),
    a: fc.integer({ min: 10, max: 4000 }),
    gammaDigits: fc.integer({ min: 13, max: 17 }),
    midFee: fc.integer({ min: 500_000, max: 10_000_000 }),
  })
  .map(({ design, coins, whole, a, gammaDigits, midFee }) => {
    const gamma = 10n ** BigInt(design === "twocrypto-ng" ? Math.min(gammaDigits, 15) : gammaDigits);
    const { coins: count, invariant, isNg, mean } = designs[design];
    const used = coins.slice(0, count);
    const price = (k: number) => (k === 0 ? ONE : used[k]!.price);
    const ann = BigInt(a) * BigInt(count) ** BigInt(count) * 100n;
    const precisions = used.map((c) => 10n ** BigInt(18 - c.decimals));
    const balances = used.map((c, k) => (whole * BigInt(c.lean) * 10n ** 34n) / price(k) / precisions[k]!);
    const xp = balances.map((balance, k) => (balance * precisions[k]! * price(k)) / ONE);
    const d = invariant({ ann, gamma, multiplier: 10_000n }, xp, 0n) ?? 0n;
    const prices = used.slice(1).map((c) => c.price);
    const xcp = mean([d / BigInt(count), ...prices.map((p) => (d * ONE) / (BigInt(count) * p))]) ?? ONE;
    return {
      ...{ design, balances, precisions, priceScale: prices, multiplier: 10_000n, d },
      ramp: {
        initialAnn: ann,
        initialGamma: gamma,
        futureAnn: ann,
        futureGamma: gamma,
        initialTime: 0,
        futureTime: 0,
      },
      midFee: BigInt(midFee),
      outFee: BigInt(midFee) * 4n,
      feeGamma: 10n ** 15n,
      lpSupply: xcp,
      virtualPrice: ONE,
      xcpProfit: isNg ? 2n * ONE : ONE,
      allowedExtraProfit: 10n ** 12n,
      isSettled: true,
    };
  });

export const subjects: fc.Arbitrary<Subject> = states.map(subjectOf);

/** version, is_killed, MATH */
export const mayLack: readonly Hex[] = ["0x54fd4d50", "0x9c868ac0", "0xed6c1546"];
