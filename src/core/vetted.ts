import { type Address, type Chain, NATIVE } from "./types.ts";

/**
 * The vetted tokens of a chain. Their code was chosen by the operator, not by the creator of a pool, so it is assumed
 * to move balances and to call no other contract. Vetted are the native coin, its wrapper, and the tokens shipped
 * with the program for the chain; user lists, pools and anything downloaded at run time add none.
 *
 * @param listed tokens of the shipped lists, in lower case
 */
export function vetting(chain: Chain, listed: Iterable<Address>): (token: Address) => boolean {
  const vetted = new Set<Address>([NATIVE, chain.wrappedNative, ...(chain.vettedTokens ?? []), ...listed]);
  return (token) => vetted.has(token);
}
