/**
 * Gas units of a swap through the router. One model for ranking, net amounts and the estimate without a wallet;
 * with a wallet the calldata itself is run instead.
 */
export const gasTable = {
  transaction: 21_000,
  /** Entry, lock, balance check and payout of the router, without calldata. */
  entry: 15_000,
  /** Every calldata byte counted as non-zero: an upper bound, since the estimate serves as a limit. */
  calldataByte: 16,
  sellFee: 12_000,
  /** The router holds what it takes the fee from: a slot of its own, cleared again, and a second payment. */
  buyFee: 33_000,
  /** Unwrapping's payout; wrapping's is in its step. */
  nativeOut: 24_000,
  /** The native coin for an account that the chain does not know yet. */
  newAccount: 28_000,
  /** A token between two pools that passes through the router writes a slot there; its clearing is refunded too late to help. */
  heldToken: 17_100,
  /** A token touched for the first time by this recipient writes a fresh slot. */
  freshSlot: 17_100,
  /** Headroom over the sum: tokens differ, and pools that are paid by the router alone write slots there. */
  marginPermille: 205,
} as const;

/** What the model must know of a swap beside its steps. */
export type GasShape = {
  readonly stepsGas: number;
  readonly calldataBytes: number;
  readonly sellFee: boolean;
  readonly buyFee: boolean;
  readonly nativeOut: boolean;
  /** The payout goes to an account that was named: one that may be new, where the sender is not. */
  readonly otherRecipient: boolean;
  /** Tokens between two pools, the wrapped coin beside the native one left out. */
  readonly heldTokens: number;
};

/**
 * Gas units that the transaction will not exceed, for a recipient that may never have held the token. A limit bounds what
 * is used before refunds, which are up to a quarter of what a receipt says.
 */
export function estimateGas(shape: GasShape): number {
  const fixed = gasTable.transaction + gasTable.entry + payoutGas(shape);
  const fees =
    (shape.sellFee ? gasTable.sellFee + gasTable.freshSlot : 0) +
    (shape.buyFee ? gasTable.buyFee + gasTable.freshSlot : 0);
  const steps = shape.stepsGas + shape.heldTokens * gasTable.heldToken;
  const sum = fixed + fees + steps + shape.calldataBytes * gasTable.calldataByte;
  return Math.ceil((sum * (1000 + gasTable.marginPermille)) / 1000);
}

function payoutGas({ nativeOut, otherRecipient }: GasShape): number {
  if (!nativeOut) return gasTable.freshSlot;
  return gasTable.nativeOut + (otherRecipient ? gasTable.newAccount : 0);
}
