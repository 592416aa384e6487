/** One token of the pool, and what the pool's own oracle says of it. */
export type Listing = {
  readonly reserve: bigint;
  /** Fee on the quote side in 1e-5; of the quote token itself 0. */
  readonly feeRate: bigint;
  /** 10^decimals. */
  readonly unit: bigint;
  /** Quote tokens for one base token, with the decimals of `priceUnit`; 0 where it is not to be traded. */
  readonly price: bigint;
  /** 10^decimals of the price. */
  readonly priceUnit: bigint;
  /** Part of the price that is kept, 18 decimals. */
  readonly spread: bigint;
  /** Part of the price that is kept for each quote token traded, 18 decimals. */
  readonly coeff: bigint;
  /** Most that `coeff` may take of the price, 18 decimals. */
  readonly maxGamma: bigint;
  /** Most that one swap may be worth, smallest units of the quote token. */
  readonly maxNotional: bigint;
  /** Most of the token that the pool may hold once it has been sold to, smallest units. */
  readonly cap: bigint;
};

/** The pool: token 0 is the quote token. */
export type State = {
  readonly listings: readonly Listing[];
  /** The oracle's prices are good up to this second. */
  readonly expires: number;
  readonly readFor: number;
};

export const ONE = 10n ** 18n;
