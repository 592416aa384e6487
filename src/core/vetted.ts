import { type Address, type Chain, NATIVE } from "./types.ts";

/**
 * Which tokens of a chain are vetted: their code was chosen by the operator, not by whoever made a pool of them, so it is
 * taken to move balances and to call nobody else. These are the native coin, its wrapper, and the tokens that ship with the
 * program for the chain. A user's list, a pool or anything that is downloaded while the program runs adds none.
 *
 * @param listed tokens of the lists that ship with the program, in lower case
 */
export function vetting(chain: Chain, listed: Iterable<Address>): (token: Address) => boolean {
  const vetted = new Set<Address>([NATIVE, chain.wrappedNative, ...(chain.vettedTokens ?? []), ...listed]);
  return (token) => vetted.has(token);
}
