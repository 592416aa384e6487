import type { EclpParams } from "../../core/math/gyro/gyro-eclp-invariant.ts";
import type { VaultState } from "../shared/balancer-vault.ts";

/** The curve of a pool and its bounds, immutable. */
export type Shape =
  | { readonly kind: "2clp"; readonly sqrtAlpha: bigint; readonly sqrtBeta: bigint }
  | { readonly kind: "3clp"; readonly root3Alpha: bigint }
  | { readonly kind: "eclp"; readonly params: EclpParams };

/** A concentrated-liquidity pool of Gyroscope. */
export type State = VaultState & {
  /** 10^(36 - decimals) of each token, times its rate if it has one. */
  readonly scaling: readonly bigint[];
  readonly shape: Shape;
  /** The only block for which the rates are valid, since a swap calls their providers; 0 without rates. */
  readonly onlyIn: number;
};
