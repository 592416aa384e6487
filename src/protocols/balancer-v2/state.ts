import type { InvariantRounding } from "../../core/math/balancer/balancer-stable-math.ts";
import type { Ramp } from "../../core/math/curve/stable-math.ts";
import type { VaultState } from "../balancer-vault.ts";

/** A pool of constant weights. */
export type WeightedState = VaultState & {
  readonly kind: "weighted";
  /** 10^(18 - decimals) of each token. */
  readonly scaling: readonly bigint[];
  /** 18 decimals, adding up to 1. */
  readonly weights: readonly bigint[];
  /** False in the first factories' pools: see `WeightedPair`. */
  readonly shortcuts: boolean;
};

/** What a token's smallest unit counts for in a stable pool: 10^(36 - decimals), times its rate. */
export type Scaling = {
  /** In force up to and including the second `expires`. */
  readonly cached: bigint;
  /** What the rate provider says now; the first swap after `expires` takes it over. */
  readonly live: bigint;
  /** Unix seconds; `NEVER` where a token has no rate. */
  readonly expires: number;
};

/** Far beyond any block's time. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** A stable, metastable or composable stable pool. */
export type StableState = VaultState & {
  readonly kind: "stable";
  readonly scaling: readonly Scaling[];
  /** Of 1000. */
  readonly ramp: Ramp;
  readonly rounding: InvariantRounding;
  /** Position of the pool's own shares among its tokens; -1 where they are not among them. */
  readonly shareIndex: number;
  /**
   * Shares in circulation, with the protocol's fees that are due; 0 where it is not known, and shares are not traded.
   * Every swap makes more fees due.
   */
  readonly supply: bigint;
  /** Block that the state was read for: what live rates hold in. */
  readonly readFor: number;
};

export type State = WeightedState | StableState;

/** The scaling that a swap at `timestamp` works with. */
export function scalingAt(scaling: Scaling, timestamp: number): bigint {
  return timestamp > scaling.expires ? scaling.live : scaling.cached;
}

/** Whether a rate has run out by then: a swap would first take the provider's. */
export function hasExpired(state: StableState, timestamp: number): boolean {
  return state.scaling.some(({ expires }) => timestamp > expires);
}
