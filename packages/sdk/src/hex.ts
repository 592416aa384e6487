/** Bytes or an address, `0x` first. */
export type Hex = `0x${string}`;

/** The native coin wherever a token is named. */
export const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/** Where Permit2 lies on every chain. */
export const PERMIT2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

/** The same address whatever the case of its digits. */
export function sameAddress(left: unknown, right: unknown): boolean {
  return typeof left === "string" && typeof right === "string" && left.toLowerCase() === right.toLowerCase();
}
