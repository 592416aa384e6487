/** A buffer of the third vault: stocks of an ERC-4626 token and of what it wraps, exchanged at the wrapper's price. */
export type State = {
  /** What the wrapper multiplies and divides by: assets of `shares` shares are `assets`. */
  readonly assets: bigint;
  readonly shares: bigint;
  /** Whether deposits and redemptions move both; else they are a rate. */
  readonly moves: boolean;
  /** The buffer's stock, smallest units of each token. */
  readonly underlying: bigint;
  readonly wrapped: bigint;
  /** Most assets that the wrapper takes of the vault, and most shares that it redeems for it. */
  readonly room: bigint;
  readonly redeemable: bigint;
  /** Least amount of either token in a swap, smallest units. */
  readonly least: bigint;
  /** The block that the price was read for: gains reach a wrapper without a log. */
  readonly readFor: number;
};
