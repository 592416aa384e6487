import type { StateId, View } from "../../core/types.ts";
import type { Book, Slot } from "./book.ts";

/** The book as it is priced: its states, and over them those of a block that is not sealed. The book knows nothing of it. */
export type Overlay = Pick<Book, "pools" | "slot" | "view"> & {
  /** Whether a state of the block that is being built is priced. */
  isThere(): boolean;
  /** @returns ids of states that are other ones now */
  replace(states: ReadonlyMap<StateId, unknown>): Set<StateId>;
};

export function createOverlay(book: Book): Overlay {
  let over: ReadonlyMap<StateId, unknown> = new Map();
  return {
    pools: book.pools,
    slot(id): Slot | undefined {
      const below = book.slot(id);
      // What may not be priced when it is sealed may not be priced before.
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
