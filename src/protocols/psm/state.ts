export type State = {
  /** Smallest units of DAI per smallest unit of the stablecoin, a power of ten. */
  readonly rate: bigint;
  /** Whether it takes no fee and is not halted: for sales of the stablecoin, and for sales of DAI. */
  readonly isOpen: readonly [boolean, boolean];
  /** Units of the stablecoin that it may pay. */
  readonly gems: bigint;
  /** Units of DAI that it holds. */
  readonly dai: bigint;
  /** Unix second of the read. */
  readonly readAt: number;
};
