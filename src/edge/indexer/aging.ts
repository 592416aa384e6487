import type { Registry } from "../../core/protocol.ts";
import type { At, Head, Pool, StateId } from "../../core/types.ts";
import type { Slot } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import { nextAt } from "../next-at.ts";

/** Finds the states that time alone has made unfit. A commit costs what it changes, a block what can age. */
export type Aging = {
  /**
   * States that are unfit at the block after `header`, and now and then those that a protocol threw on.
   *
   * @param slot a state as the commit in the making has it
   * @param changed states that the commit in the making changes
   */
  unfit(header: Head, slot: (id: StateId) => Slot | undefined, changed: Iterable<StateId>): StateId[];
};

type AgingRequest = {
  readonly market: Pick<Market, "book" | "onChange">;
  readonly registry: Registry;
  readonly blockTimeMs: number;
};

/** Broken states are tried again every so many blocks. */
const BROKEN_RETRY_BLOCKS = 32;

/** What is fit then is fit for as long as a process runs: 34 years on, in which no 32-bit time has come round. */
const FAR_SECONDS = 2 ** 30;
const FAR_BLOCKS = 2 ** 40;

export function createAging({ market, registry, blockTimeMs }: AgingRequest): Aging {
  const { book } = market;
  /** States that are broken, or that time makes unfit some day. */
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
