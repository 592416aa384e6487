import { lnInt, lnWad, type Shift } from "../../core/math/curve/llamma-math.ts";

/** How a generation computes: fees per band, and the roundings of its exponential and of its logarithm. */
type Rules = { readonly hasBandFees: boolean; readonly shift: Shift; readonly ln: (x: bigint) => bigint };

/**
 * Versions of the contract by the year of their source. A market's version is found by reproducing its views.
 *
 * @source curvefi/curve-stablecoin contracts/AMM.vy before and after 5c52fbff, curve_stablecoin/AMM.vy after 9bff5879
 *   and after fac18bc7
 */
export const generations = {
  /** One fee for all bands. */
  2023: { hasBandFees: false, shift: "truncated", ln: lnInt },
  /** Each band has a dynamic fee beside the pool's. */
  2024: { hasBandFees: true, shift: "truncated", ln: lnInt },
  2025: { hasBandFees: true, shift: "floored", ln: lnInt },
  /** No part of the fee leaves the bands. */
  2026: { hasBandFees: true, shift: "floored", ln: lnWad },
} as const satisfies Record<number, Rules>;

export type Generation = keyof typeof generations;

/** State of a lending AMM at one block; the oracle's price moves in every block. */
export type State = {
  /** Band width parameter A: a band reaches from a price to (A - 1)/A of it. */
  readonly a: bigint;
  readonly generation: Generation;
  /** Upper price of band 0, 18 digits, including interest. */
  readonly basePrice: bigint;
  /** The oracle's price of the collateral, 18 digits, after the contract's limit on its change. */
  readonly price: bigint;
  /** Fee on the input, 18 digits: the larger of the pool's fee and of the fee due to the oracle's latest change. */
  readonly fee: bigint;
  /** Part of the fee that leaves the bands, 18 digits. */
  readonly adminFee: bigint;
  readonly activeBand: number;
  readonly minBand: number;
  readonly maxBand: number;
  /** Number of the first band listed; `x` and `y` are stablecoin and collateral per band from there on, 18 digits. */
  readonly first: number;
  readonly x: readonly bigint[];
  readonly y: readonly bigint[];
  /** Whether bands not listed are known to be empty; if not, a trade that reaches one is refused. */
  readonly isWhole: boolean;
  /** 10^(18 - decimals) of stablecoin and collateral. */
  readonly precisions: readonly [bigint, bigint];
  /** Block of the read; the state is valid for the next block only. 0 if that does not matter. */
  readonly readAt: number;
};
