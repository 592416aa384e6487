import type { Address } from "./types.ts";
import { NATIVE } from "./types.ts";

/** The zero address: neither a token nor an account, but what unset variables are sent as. */
export const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000";

/** The largest uint256, and so the largest amount. */
export const MAX_UINT256 = 2n ** 256n - 1n;

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;

/** Parses an address in any case, without checking its checksum; undefined if the text is not an address. */
export function parseAddress(text: string): Address | undefined {
  return ADDRESS.test(text) ? (text.toLowerCase() as Address) : undefined;
}

/** Whether `token` is the native coin's placeholder address. */
export function isNative(token: Address): boolean {
  return token === NATIVE;
}
