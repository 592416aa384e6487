import type { Hex } from "../types.ts";
import type { RouterWork } from "./router-work.ts";

/**
 * Gas units of a swap through the router. One model for ranking, net amounts and the estimate without a wallet;
 * with a wallet the calldata itself is run instead.
 */
export const gasTable = {
  transaction: 21_000,
  /** Entry, lock, balance check and what the first step touches for all; and what calls keep back, a 64th each. */
  entry: 26_000,
  calldataByte: { zero: 4, other: 16 },
  /** The payment alone: a fresh balance or account comes to it. */
  fee: { sell: 9_300, buy: 8_300 },
  /** The native payout; wrapping's and unwrapping's own cost is in their steps. */
  nativeOut: 3_000,
  /** The native coin for an account that the chain does not know yet. */
  newAccount: 27_500,
  /** A balance of the router that is written and cleared, refunded too late to help, and the transfer that clears it. */
  heldToken: 24_500,
  /** The native coin that a pool pays to the router. */
  heldNative: 9_000,
  /** What a step saves that is settled together with the one before it: two transfers. */
  joinedStep: 25_000,
  /** What a step saves whose vault has been called before: its address and what it reads for every pool are warm. */
  warmVault: 9_000,
  /** A token touched for the first time by this recipient writes a fresh slot. */
  freshSlot: 17_100,
  /** Headroom over the sum: tokens and pools differ, and a swap that runs out of gas costs more than a high estimate. */
  marginPermille: 45,
} as const;

/** What the model must know of a swap beside its steps. */
export type GasShape = Omit<RouterWork, "isSteady"> & {
  readonly stepsGas: number;
  readonly calldataGas: number;
  readonly sellFee: boolean;
  readonly buyFee: boolean;
  readonly nativeIn: boolean;
  readonly nativeOut: boolean;
  /** The payout goes to an account that was named: one that may be new, where the sender is not. */
  readonly otherRecipient: boolean;
};

/**
 * Gas units that the transaction will not exceed, for a recipient that may never have held the token. A limit bounds what
 * is used before refunds, which are up to a quarter of what a receipt says.
 */
export function estimateGas(shape: GasShape): number {
  const sum = fixedGas(shape) + shape.stepsGas;
  return Math.ceil((sum * (1000 + gasTable.marginPermille)) / 1000);
}

/** All of an estimate but its steps and the headroom. */
export function fixedGas(shape: Omit<GasShape, "stepsGas">): number {
  const { fee, newAccount, freshSlot } = gasTable;
  const fees =
    (shape.sellFee ? fee.sell + (shape.nativeIn ? newAccount : freshSlot) : 0) +
    (shape.buyFee ? fee.buy + (shape.nativeOut ? newAccount : freshSlot) : 0);
  return gasTable.transaction + gasTable.entry + shape.calldataGas + payoutGas(shape) + fees + workGas(shape);
}

/** What the route as a whole needs more than its steps one by one, or less. */
function workGas({ heldTokens, heldNatives, joinedSteps, warmVaults }: Omit<RouterWork, "isSteady">): number {
  const { heldToken, heldNative, joinedStep, warmVault } = gasTable;
  const held = heldTokens * heldToken + heldNatives * heldNative;
  return held - joinedSteps * joinedStep - warmVaults * warmVault;
}

/** What a transaction pays for its data alone. */
export function calldataGas(data: Hex): number {
  const { zero, other } = gasTable.calldataByte;
  let gas = 0;
  for (let at = 2; at < data.length; at += 2) gas += data[at] === "0" && data[at + 1] === "0" ? zero : other;
  return gas;
}

function payoutGas({ nativeOut, otherRecipient }: Pick<GasShape, "nativeOut" | "otherRecipient">): number {
  if (!nativeOut) return gasTable.freshSlot;
  return gasTable.nativeOut + (otherRecipient ? gasTable.newAccount : 0);
}
