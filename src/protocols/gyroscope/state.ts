import type { EclpParams } from "../../core/math/gyro/gyro-eclp-invariant.ts";
import type { VaultState } from "../balancer-vault.ts";

/** The curve of a pool and its bounds, fixed when it was made. */
export type Shape =
  | { readonly kind: "2clp"; readonly sqrtAlpha: bigint; readonly sqrtBeta: bigint }
  | { readonly kind: "3clp"; readonly root3Alpha: bigint }
  | { readonly kind: "eclp"; readonly params: EclpParams };

/** A concentrated-liquidity pool of Gyroscope. */
export type State = VaultState & {
  /** 10^(36 - decimals) of each token, times its rate where it has one. */
  readonly scaling: readonly bigint[];
  readonly shape: Shape;
  /** The one block that the rates hold for: a swap asks their providers. 0 where there are none. */
  readonly onlyIn: number;
};
