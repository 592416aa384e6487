import type { Registry } from "../../core/protocol.ts";
import type { At, Head, Pool, StateId } from "../../core/types.ts";
import type { Slot } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import { nextAt } from "../next-at.ts";

/**
 * Finds the states that have become stale by time alone. A commit costs time in proportion to the states that it
 * changes, and a block in proportion to the states that can become stale.
 */
export type Aging = {
  /**
   * States that are stale at the block after `header`; at every BROKEN_RETRY_BLOCKS-th block also broken ones, on which
   * a design threw.
   *
   * @param slot gives a state as it is in the commit under construction
   * @param changed states that the commit under construction changes
   */
  unfit(header: Head, slot: (id: StateId) => Slot | undefined, changed: Iterable<StateId>): StateId[];
};

type AgingRequest = {
  readonly market: Pick<Market, "book" | "onChange">;
  readonly registry: Registry;
  readonly blockTimeMs: number;
};

/** Broken states are read again at block numbers that are multiples of this. */
const BROKEN_RETRY_BLOCKS = 32;

/**
 * A state that is not stale this far in the future is taken never to become stale. 34 years: longer than any process
 * runs, and short enough that 32-bit timestamps do not wrap around.
 */
const FAR_SECONDS = 2 ** 30;
const FAR_BLOCKS = 2 ** 40;

export function createAging({ market, registry, blockTimeMs }: AgingRequest): Aging {
  const { book } = market;
  /** States that are broken, or that will become stale by time alone. */
  const watched = new Set<StateId>();
  const isStale = (slot: Slot | undefined, { protocol }: Pool, at: At) => {
    if (slot === undefined || !("state" in slot)) return false;
    try {
      return registry.get(protocol)?.stale(slot.state, at) === true;
    } catch {
      return true;
    }
  };
  const ownersOf = (id: StateId): Pool[] =>
    [...book.readersOf(id)]
      .map((reader) => book.pools.get(reader))
      .filter((pool) => pool?.stateIds[0] === id) as Pool[];
  const mayAge = (id: StateId, { timestamp, number }: Head) => {
    const slot = book.slot(id);
    if (slot === undefined || "broken" in slot) return slot !== undefined;
    const far = { timestamp: timestamp + FAR_SECONDS, blockNumber: number + FAR_BLOCKS };
    return ownersOf(id).some((pool) => isStale(slot, pool, far));
  };
  market.onChange(({ head, reset, slots, added }) => {
    if (reset) watched.clear();
    for (const id of new Set([...slots.keys(), ...added.map(({ stateIds }) => stateIds[0])])) {
      if (mayAge(id, head)) watched.add(id);
      else watched.delete(id);
    }
  });
  return {
    unfit(header, slotOf, changed) {
      const at = nextAt(header, blockTimeMs);
      const retriesBroken = header.number % BROKEN_RETRY_BLOCKS === 0;
      const isUnfit = (id: StateId) => {
        const slot = slotOf(id);
        if (slot !== undefined && "broken" in slot) return retriesBroken && ownersOf(id).length > 0;
        return ownersOf(id).some((pool) => isStale(slot, pool, at));
      };
      return [...new Set([...watched, ...changed])].filter(isUnfit);
    },
  };
}
