import type { Hex } from "./types.ts";

/**
 * Gas units of a swap through the router. One model for ranking, net amounts and the estimate without a wallet;
 * with a wallet the calldata itself is run instead.
 */
export const gasTable = {
  transaction: 21_000,
  /** Entry, lock, balance check and payout of the router, without calldata; and what calls keep back, a 64th each. */
  entry: 19_000,
  calldataByte: { zero: 4, other: 16 },
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
  /** Headroom over the sum: tokens and pools differ, and a swap that runs out of gas costs more than a high estimate. */
  marginPermille: 40,
} as const;

/** What the model must know of a swap beside its steps. */
export type GasShape = {
  readonly stepsGas: number;
  readonly calldataGas: number;
  readonly sellFee: boolean;
  readonly buyFee: boolean;
  readonly nativeIn: boolean;
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
    (shape.sellFee ? gasTable.sellFee + (shape.nativeIn ? gasTable.newAccount : gasTable.freshSlot) : 0) +
    (shape.buyFee ? gasTable.buyFee + gasTable.freshSlot : 0);
  const steps = shape.stepsGas + shape.heldTokens * gasTable.heldToken;
  const sum = fixed + fees + steps + shape.calldataGas;
  return Math.ceil((sum * (1000 + gasTable.marginPermille)) / 1000);
}

/** What a transaction pays for its data alone. */
export function calldataGas(data: Hex): number {
  const { zero, other } = gasTable.calldataByte;
  let gas = 0;
  for (let at = 2; at < data.length; at += 2) gas += data[at] === "0" && data[at + 1] === "0" ? zero : other;
  return gas;
}

function payoutGas({ nativeOut, otherRecipient }: GasShape): number {
  if (!nativeOut) return gasTable.freshSlot;
  return gasTable.nativeOut + (otherRecipient ? gasTable.newAccount : 0);
}
