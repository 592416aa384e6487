import type { Hex } from "../hex.ts";

/** By account in lower case, what it sends last. */
const sending = new Map<string, Promise<unknown>>();

/**
 * Sends an account's transactions one after the other. A key that is held by the program asks its node for the next nonce whenever it
 * sends: two transactions at once would have the same one, of which only one can be mined.
 *
 * @returns what `send` returns, also where what was sent before failed
 */
export function inTurn<T>(account: Hex, send: () => Promise<T>): Promise<T> {
  const key = account.toLowerCase();
  const mine = (sending.get(key) ?? Promise.resolve()).then(send, send);
  sending.set(key, mine);
  const forget = () => void (sending.get(key) === mine && sending.delete(key));
  mine.then(forget, forget);
  return mine;
}
