/** Bytes or an address in hexadecimal, with `0x`. */
export type Hex = `0x${string}`;

/** Address that stands for the native coin. */
export const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** Address of Permit2, which is the same on every chain. */
export const PERMIT2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** Whether two addresses are equal, ignoring case. */
export function sameAddress(left: unknown, right: unknown): boolean {
  return typeof left === "string" && typeof right === "string" && left.toLowerCase() === right.toLowerCase();
}
