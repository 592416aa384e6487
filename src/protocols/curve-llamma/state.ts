import type { Shift } from "../../core/math/curve/llamma-math.ts";

/**
 * The contracts by the year of their source; which one a market was made from is found by asking it.
 *
 * @source curvefi/curve-stablecoin contracts/AMM.vy before and after 5c52fbff, curve_stablecoin/AMM.vy after 9bff5879
 */
export const generations = {
  /** One fee for all bands. */
  2023: { hasBandFees: false, shift: "truncated" },
  /** Every band has a fee of its own beside the pool's. */
  2024: { hasBandFees: true, shift: "truncated" },
  2025: { hasBandFees: true, shift: "floored" },
} as const satisfies Record<number, { readonly hasBandFees: boolean; readonly shift: Shift }>;

export type Generation = keyof typeof generations;

/** A lending AMM as its contract stores it, at one block: the oracle's price moves with every block. */
export type State = {
  /** Width of the bands: each reaches from a price to (A - 1)/A of it. */
  readonly a: bigint;
  readonly generation: Generation;
  /** Price that band 0 starts at, 18 digits, interest included. */
  readonly basePrice: bigint;
  /** The oracle's price of the collateral, 18 digits, as the contract limits its change. */
  readonly price: bigint;
  /** Fee on the input, 18 digits: the larger of the pool's and of what the oracle's latest change asks for. */
  readonly fee: bigint;
  /** Share of the fee that leaves the bands, 18 digits. */
  readonly adminFee: bigint;
  readonly activeBand: number;
  readonly minBand: number;
  readonly maxBand: number;
  /** Bands `first`, `first` + 1, …: stablecoin and collateral in each, 18 digits. */
  readonly first: number;
  readonly x: readonly bigint[];
  readonly y: readonly bigint[];
  /** Whether the bands not listed are known to be empty; else a trade that reaches one is refused. */
  readonly isWhole: boolean;
  /** 10^(18 - decimals) of stablecoin and collateral. */
  readonly precisions: readonly [bigint, bigint];
  /** The block read: the state serves the next block only. 0 where it does not matter. */
  readonly readAt: number;
};
