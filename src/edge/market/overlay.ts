import type { StateId, View } from "../../core/types.ts";
import type { Book, Slot } from "./book.ts";

/**
 * The book as it is priced: its committed states, overlaid with states of a block that is not sealed yet. The book
 * itself does not change.
 */
export type Overlay = Pick<Book, "pools" | "slot" | "view"> & {
  /** Whether the overlay has any state of an unsealed block. */
  isThere(): boolean;
  /** Replaces all overlaid states. @returns ids of the states that are different now */
  replace(states: ReadonlyMap<StateId, unknown>): Set<StateId>;
};

export function createOverlay(book: Book): Overlay {
  let over: ReadonlyMap<StateId, unknown> = new Map();
  return {
    pools: book.pools,
    slot(id): Slot | undefined {
      const below = book.slot(id);
      // A pool whose committed state cannot be priced is not priced on an unsealed block either.
      return over.has(id) && below !== undefined && "state" in below ? { state: over.get(id) } : below;
    },
    view(): View {
      const [own, below] = [over, book.view()];
      return own.size === 0 ? below : { get: (id) => (own.has(id) ? own.get(id) : below.get(id)) };
    },
    isThere: () => over.size > 0,
    replace(states) {
      const before = over;
      over = states;
      const ids = new Set([...before.keys(), ...states.keys()]);
      return new Set(
        [...ids].filter((id) => before.has(id) !== states.has(id) || before.get(id) !== states.get(id)),
      );
    },
  };
}
