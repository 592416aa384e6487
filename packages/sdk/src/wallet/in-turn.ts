/** By key in lower case, what runs last. */
const running = new Map<string, Promise<unknown>>();

/**
 * Runs what has one key one after the other.
 *
 * The transactions of an account have one: a key that is held by the program asks its node for the next nonce whenever it sends, and
 * two transactions at once would have the same one, of which only one can be mined. So have its swaps of one token sold.
 *
 * @returns what `work` returns, also where what ran before failed
 */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const place = key.toLowerCase();
  const mine = (running.get(place) ?? Promise.resolve()).then(work, work);
  running.set(place, mine);
  const forget = () => void (running.get(place) === mine && running.delete(place));
  mine.then(forget, forget);
  return mine;
}
