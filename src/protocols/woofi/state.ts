/** One token of the pool, with the terms of the pool's oracle. */
export type Listing = {
  readonly reserve: bigint;
  /** Fee on the quote side in units of 1e-5; 0 for the quote token. */
  readonly feeRate: bigint;
  /** 10^decimals. */
  readonly unit: bigint;
  /** Price in quote tokens per base token, with the decimals of `priceUnit`; 0 if the token is not traded. */
  readonly price: bigint;
  /** 10^decimals of the price. */
  readonly priceUnit: bigint;
  /** Spread as a fraction of the price, 18 decimals. */
  readonly spread: bigint;
  /** Slippage coefficient: fraction of the price lost per quote token traded, 18 decimals. */
  readonly coeff: bigint;
  /** Largest fraction of the price lost to `coeff` in a swap, 18 decimals. */
  readonly maxGamma: bigint;
  /** Largest worth of a swap, smallest units of the quote token. */
  readonly maxNotional: bigint;
  /** Largest balance of the token after a sale to the pool, smallest units. */
  readonly cap: bigint;
};

/** The pool: token 0 is the quote token. */
export type State = {
  readonly listings: readonly Listing[];
  /** Unix second up to which the oracle's prices are valid. */
  readonly expires: number;
  readonly readFor: number;
};

export const ONE = 10n ** 18n;
