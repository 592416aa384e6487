import type { ReClamm } from "../../core/math/balancer/reclamm-math.ts";
import type { Ramp } from "../../core/math/curve/stable-math.ts";
import type { EclpParams } from "../../core/math/gyro/gyro-eclp-invariant.ts";
import type { Address } from "../../core/types.ts";

/** The curve of a pool. */
export type Shape =
  | { readonly kind: "weighted"; readonly weights: readonly bigint[] }
  | { readonly kind: "stable"; readonly ramp: Ramp }
  | { readonly kind: "eclp"; readonly params: EclpParams }
  | { readonly kind: "reclamm"; readonly pool: ReClamm }
  | {
      readonly kind: "bootstrapping";
      readonly startWeights: readonly bigint[];
      readonly endWeights: readonly bigint[];
      /** Unix seconds: before and after them nothing is sold. */
      readonly startTime: number;
      readonly endTime: number;
      /** The token that must not be sold to the pool; -1 for none. */
      readonly blocked: number;
    }
  | {
      readonly kind: "guided";
      /** Weights at `since`, and what each gains a second until `until`; 18 decimals. */
      readonly weights: readonly bigint[];
      readonly gains: readonly bigint[];
      readonly since: number;
      readonly until: number;
      /** Largest share of a balance that a swap may bring or take, 18 decimals. */
      readonly most: bigint;
    };

/** A fee that rises with the imbalance that a swap leaves, 18 decimals. */
export type Surge = { readonly threshold: bigint; readonly maxFee: bigint };

/** A pool of the third vault. */
export type State = {
  readonly vault: Address;
  readonly tokens: readonly Address[];
  /** Smallest units of each token, fees on yield taken. */
  readonly balances: readonly bigint[];
  /** 10^(18 - decimals) of each token. */
  readonly factors: readonly bigint[];
  /** Rate of each token, 18 decimals. */
  readonly rates: readonly bigint[];
  /** Fee on the input, 18 decimals. */
  readonly swapFee: bigint;
  /** Share of the fee that leaves the pool, 18 decimals; 0 in recovery. */
  readonly aggregateFee: bigint;
  /** Least amount of either token in a swap, 18-digit units. */
  readonly leastTrade: bigint;
  readonly shape: Shape;
  readonly surge: Surge | null;
  /** The one block that the rates hold for: a swap asks their providers. 0 where there are none. */
  readonly onlyIn: number;
};

/** Balances in 18-digit units, rates included: floor(balance·factor·rate). */
export function liveBalances({ balances, factors, rates }: State): bigint[] {
  return balances.map((balance, k) => (balance * factors[k]! * rates[k]!) / 10n ** 18n);
}
