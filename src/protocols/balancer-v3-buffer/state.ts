/** A buffer of Vault v3: stocks of an ERC-4626 share and its asset, exchanged at the wrapper's rate. */
export type State = {
  /** The wrapper's rate: `shares` shares are worth `assets` assets. */
  readonly assets: bigint;
  readonly shares: bigint;
  /** Whether deposits and redemptions change both numbers; if not, they are a fixed rate. */
  readonly moves: boolean;
  /** The buffer's stock, smallest units of each token. */
  readonly underlying: bigint;
  readonly wrapped: bigint;
  /** Largest deposit of assets and largest redemption of shares that the wrapper allows the vault. */
  readonly room: bigint;
  readonly redeemable: bigint;
  /** Minimum amount of either token in a swap, smallest units. */
  readonly least: bigint;
  /** Block for which the rate was read: a wrapper's assets grow without a log. */
  readonly readFor: number;
};
