import type { Address } from "./types.ts";
import { NATIVE } from "./types.ts";

/** No token and no account: what forgotten variables are sent as. */
export const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000";

/** The largest amount that a contract can hold. */
export const MAX_UINT256 = 2n ** 256n - 1n;

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;

/** Reads an address in any case, right checksum or not; undefined where the text is none. */
export function parseAddress(text: string): Address | undefined {
  return ADDRESS.test(text) ? (text.toLowerCase() as Address) : undefined;
}

/** True for the native coin's sentinel. */
export function isNative(token: Address): boolean {
  return token === NATIVE;
}
