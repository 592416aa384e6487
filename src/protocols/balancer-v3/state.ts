import type { ReClamm } from "../../core/math/balancer/reclamm-math.ts";
import type { Ramp } from "../../core/math/curve/stable-math.ts";
import type { EclpParams } from "../../core/math/gyro/gyro-eclp-invariant.ts";
import type { Address } from "../../core/types.ts";

/**
 * Weighted pools and sales of 2026 keep a least balance of each token, 18-digit units, and count a unit more of the token
 * sold; absent in older ones.
 */
type Floors = { readonly least?: readonly bigint[] };

/** The curve of a pool. */
export type Shape =
  | ({ readonly kind: "weighted"; readonly weights: readonly bigint[] } & Floors)
  | { readonly kind: "stable"; readonly ramp: Ramp }
  | { readonly kind: "eclp"; readonly params: EclpParams }
  | { readonly kind: "reclamm"; readonly pool: ReClamm }
  | ({
      readonly kind: "bootstrapping";
      readonly startWeights: readonly bigint[];
      readonly endWeights: readonly bigint[];
      /** Unix seconds; swaps are disabled before the start and after the end. */
      readonly startTime: number;
      readonly endTime: number;
      /** Index of the token that must not be sold to the pool; -1 for none. */
      readonly blocked: number;
    } & Floors)
  | {
      readonly kind: "guided";
      /** Weights at `since`, and the change of each per second until `until`; 18 decimals. */
      readonly weights: readonly bigint[];
      readonly gains: readonly bigint[];
      readonly since: number;
      readonly until: number;
      /** Largest input and output of a swap as a fraction of the balance, 18 decimals. */
      readonly most: bigint;
    };

/** A fee that rises with the imbalance that a swap leaves, 18 decimals. */
export type Surge = { readonly threshold: bigint; readonly maxFee: bigint };

/** A pool of Vault v3. */
export type State = {
  readonly vault: Address;
  readonly tokens: readonly Address[];
  /** Smallest units of each token, net of yield fees. */
  readonly balances: readonly bigint[];
  /** 10^(18 - decimals) of each token. */
  readonly factors: readonly bigint[];
  /** Rate of each token, 18 decimals. */
  readonly rates: readonly bigint[];
  /** Fee on the input, 18 decimals. */
  readonly swapFee: bigint;
  /** Part of the fee that leaves the pool, 18 decimals; 0 in recovery mode. */
  readonly aggregateFee: bigint;
  /** Minimum amount of either token in a swap, 18-digit units. */
  readonly leastTrade: bigint;
  readonly shape: Shape;
  readonly surge: Surge | null;
  /** The only block for which the rates are valid, since a swap calls their providers; 0 without rates. */
  readonly onlyIn: number;
};

/** Balances in 18-digit units, rates included: floor(balance·factor·rate). */
export function liveBalances({ balances, factors, rates }: State): bigint[] {
  return balances.map((balance, k) => (balance * factors[k]! * rates[k]!) / 10n ** 18n);
}
