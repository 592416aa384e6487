import type { Address, Pool } from "../../../core/types.ts";

/**
 * Interns the strings and the facts of pools. Decoded pools have separate copies of equal strings, which make up most
 * of a pool's memory. A string stays interned after its last pool is gone, as tokens stay in the graph.
 */
export type Texts = {
  /** An equal pool that shares equal strings and facts with earlier pools. */
  shared(pool: Pool): Pool;
};

/**
 * Most distinct facts that are interned: where each pool has its own, interning would take more memory than it saves.
 */
const MOST_FACTS = 1_000;

export function createTexts(): Texts {
  const sharedFacts = createFacts();
  const known = new Map<string, string>();
  const one = <T extends string>(text: T): T => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return (same ?? text) as T;
  };
  return {
    shared({ id, address, protocol, deployment, tokens, stateIds, facts }) {
      const own = <T extends string>(text: T): T => (text === id ? (id as T) : text);
      const [first, ...others] = stateIds;
      return {
        id,
        address: address === id ? (id as Address) : one(address),
        protocol: one(protocol),
        deployment: one(deployment),
        tokens: tokens.map(one),
        stateIds: [own(first), ...others.map(one)],
        facts: sharedFacts(facts),
      };
    },
  };
}

/** Interns equal facts as one object. A number, a string and a bigint with the same digits are different facts. */
function createFacts(): (facts: Pool["facts"]) => Pool["facts"] {
  const known = new Map<string, Pool["facts"]>();
  return (facts) => {
    const typed = Object.entries(facts).map(([name, value]) => [name, typeof value, String(value)]);
    const key = JSON.stringify(typed);
    const same = known.get(key);
    if (same === undefined && known.size < MOST_FACTS) known.set(key, facts);
    return same ?? facts;
  };
}
