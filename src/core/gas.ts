/**
 * Gas units of a swap through the router. One model for ranking, net amounts and the estimate without a wallet;
 * with a wallet the calldata itself is run instead.
 */
export const gasTable = {
  transaction: 21_000,
  /** Entry, lock, balance check and payout of the router, without calldata. */
  entry: 12_000,
  /** Every calldata byte counted as non-zero: an upper bound, since the estimate serves as a limit. */
  calldataByte: 16,
  sellFee: 12_000,
  buyFee: 16_000,
  nativeIn: 9_000,
  nativeOut: 16_000,
  /** A token touched for the first time by this recipient writes a fresh slot. */
  freshSlot: 17_100,
  /** Headroom over the sum: storage refunds and cold slots differ between tokens. */
  marginPermille: 250,
} as const;

/** What the model must know of a swap beside its steps. */
export type GasShape = {
  readonly stepsGas: number;
  readonly calldataBytes: number;
  readonly sellFee: boolean;
  readonly buyFee: boolean;
  readonly nativeIn: boolean;
  readonly nativeOut: boolean;
};

/** Gas units that the transaction will not exceed, for a recipient that may never have held the token. */
export function estimateGas(shape: GasShape): number {
  const fixed = gasTable.transaction + gasTable.entry + gasTable.freshSlot;
  const fees =
    (shape.sellFee ? gasTable.sellFee + gasTable.freshSlot : 0) +
    (shape.buyFee ? gasTable.buyFee + gasTable.freshSlot : 0);
  const native = (shape.nativeIn ? gasTable.nativeIn : 0) + (shape.nativeOut ? gasTable.nativeOut : 0);
  const sum = fixed + fees + native + shape.stepsGas + shape.calldataBytes * gasTable.calldataByte;
  return Math.ceil((sum * (1000 + gasTable.marginPermille)) / 1000);
}
