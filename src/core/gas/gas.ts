import type { Hex } from "../types.ts";
import type { RouterWork } from "./router-work.ts";

/**
 * Gas model of a swap through the router, in gas units. It ranks routes, nets amounts of gas, and estimates gas if no
 * wallet is known; with a wallet, the calldata is executed instead.
 */
export const gasTable = {
  transaction: 21_000,
  /**
   * Entry, lock, balance check, accounts touched by the first step on behalf of all, and the 1/64 that each call
   * withholds.
   */
  entry: 26_000,
  calldataByte: { zero: 4, other: 16 },
  /** Payment of a fee to an existing balance; a fresh balance or account costs more, see below. */
  fee: { sell: 9_300, buy: 8_300 },
  /** Payout of the native coin; the cost of wrapping and unwrapping is in the figures of those steps. */
  nativeOut: 3_000,
  /** Surcharge for sending the native coin to an account that does not exist yet. */
  newAccount: 27_500,
  /**
   * A router balance that is written and cleared, with the transfer that clears it. The refund comes too late to
   * lower the limit.
   */
  heldToken: 24_500,
  /** Receipt of the native coin from a pool. */
  heldNative: 9_000,
  /** Saving of a step that is settled together with the one before it: two transfers. */
  joinedStep: 25_000,
  /** Saving of a step whose vault was called by an earlier step: its address and shared storage are warm. */
  warmVault: 9_000,
  /** Surcharge for the first balance of a recipient: it writes a storage slot that was zero. */
  freshSlot: 17_100,
  /**
   * Headroom over the sum in thousandths: tokens and pools differ, and running out of gas costs more than a high
   * estimate.
   */
  marginPermille: 45,
} as const;

/** Properties of a swap that determine its gas, other than its steps. */
export type GasShape = Omit<RouterWork, "isSteady"> & {
  readonly stepsGas: number;
  readonly calldataGas: number;
  readonly sellFee: boolean;
  readonly buyFee: boolean;
  readonly nativeIn: boolean;
  readonly nativeOut: boolean;
  /** The payout goes to a named recipient, which may be a new account; the sender is not. */
  readonly otherRecipient: boolean;
};

/**
 * Gas limit that is enough for the transaction, even if the recipient has never held the token. A limit must cover
 * the gas used before refunds, which can be up to a quarter of the gas in the receipt.
 */
export function estimateGas(shape: GasShape): number {
  const sum = fixedGas(shape) + shape.stepsGas;
  return Math.ceil((sum * (1000 + gasTable.marginPermille)) / 1000);
}

/** The estimate without steps and headroom. */
export function fixedGas(shape: Omit<GasShape, "stepsGas">): number {
  const { fee, newAccount, freshSlot } = gasTable;
  const fees =
    (shape.sellFee ? fee.sell + (shape.nativeIn ? newAccount : freshSlot) : 0) +
    (shape.buyFee ? fee.buy + (shape.nativeOut ? newAccount : freshSlot) : 0);
  return gasTable.transaction + gasTable.entry + shape.calldataGas + payoutGas(shape) + fees + workGas(shape);
}

/** Difference between the gas of the route as a whole and the sum of its steps; may be negative. */
function workGas({ heldTokens, heldNatives, joinedSteps, warmVaults }: Omit<RouterWork, "isSteady">): number {
  const { heldToken, heldNative, joinedStep, warmVault } = gasTable;
  const held = heldTokens * heldToken + heldNatives * heldNative;
  return held - joinedSteps * joinedStep - warmVaults * warmVault;
}

/** Intrinsic gas of calldata. */
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
