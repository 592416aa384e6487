import type { InvariantRounding } from "../../core/math/balancer/balancer-stable-math.ts";
import type { Ramp } from "../../core/math/curve/stable-math.ts";
import type { VaultState } from "../shared/balancer-vault.ts";

/** A pool of constant weights. */
export type WeightedState = VaultState & {
  readonly kind: "weighted";
  /** 10^(18 - decimals) of each token. */
  readonly scaling: readonly bigint[];
  /** Weights, 18 decimals; they add up to 1. */
  readonly weights: readonly bigint[];
  /** False for pools of the first factories: see `WeightedPair`. */
  readonly shortcuts: boolean;
};

/** Scaling factor of a token in a stable pool: 10^(36 - decimals) times its rate. */
export type Scaling = {
  /** Cached factor, valid up to and including the second `expires`. */
  readonly cached: bigint;
  /** Factor with the provider's present rate; the first swap after `expires` caches it. */
  readonly live: bigint;
  /** Unix seconds; `NEVER` if the token has no rate. */
  readonly expires: number;
};

/** Far beyond any block's time. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** A stable, metastable or composable stable pool. */
export type StableState = VaultState & {
  readonly kind: "stable";
  readonly scaling: readonly Scaling[];
  /** Amplification in units of 1/1000. */
  readonly ramp: Ramp;
  readonly rounding: InvariantRounding;
  /** Index of the pool's own shares among its tokens; -1 if they are not registered. */
  readonly shareIndex: number;
  /**
   * Shares in circulation, including protocol fees that are due; 0 if unknown, and shares are then not traded. Every
   * swap makes more fees due.
   */
  readonly supply: bigint;
  /** Block for which the state was read, and so the only one for which live rates are valid. */
  readonly readFor: number;
};

export type State = WeightedState | StableState;

/** The scaling factor of a swap at `timestamp`. */
export function scalingAt(scaling: Scaling, timestamp: number): bigint {
  return timestamp > scaling.expires ? scaling.live : scaling.cached;
}

/** Whether a cached rate has expired by then, so that a swap would first update it. */
export function hasExpired(state: StableState, timestamp: number): boolean {
  return state.scaling.some(({ expires }) => timestamp > expires);
}
