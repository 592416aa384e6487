import type { Address } from "../../../core/types.ts";

/** What a maker has recently signed for, in each token. Amounts in smallest units. */
export type Promised = {
  /** Records an order that is requested. @returns a function that ends the request: whether the order was given */
  ask(token: Address, amount: bigint): (isGiven: boolean) => void;
  /** The total of the token's orders that are requested now, or were given within KEPT_MS. */
  of(token: Address): bigint;
};

/** How long a maker honours levels after it has published them: they may not yet reflect an order that old. */
const KEPT_MS = 2_500;
/** Most orders kept; the oldest are dropped first. */
const MOST_KEPT = 1_000;

type Entry = { readonly token: Address; readonly amount: bigint; givenMs: number | undefined };

/**
 * Tracks the orders that a maker's published inventory may not yet reflect. A maker that signs no more than it holds has
 * to refuse an order beyond its inventory, however many orders a caller requests at once.
 */
export function createPromised(monotonicMs: () => number): Promised {
  let entries: Entry[] = [];
  const isOpen = ({ givenMs }: Entry) => givenMs === undefined || monotonicMs() - givenMs < KEPT_MS;
  return {
    ask(token, amount) {
      const entry: Entry = { token, amount, givenMs: undefined };
      entries = [...entries.filter(isOpen), entry].slice(-MOST_KEPT);
      return (isGiven) => {
        if (isGiven) entry.givenMs = monotonicMs();
        else entries = entries.filter((other) => other !== entry);
      };
    },
    of: (token) =>
      entries.reduce((sum, entry) => (entry.token === token && isOpen(entry) ? sum + entry.amount : sum), 0n),
  };
}
