import type { Address, Pool } from "../../../core/types.ts";

/**
 * Makes equal texts of pools one, and equal facts: decoded, each is a copy of its own, and they are most of what a pool takes. A token
 * stays known without its pools, as it does in the graph.
 */
export type Texts = {
  /** An equal pool that shares its texts and facts with the pools before. */
  shared(pool: Pool): Pool;
};

/** Different facts that are kept to be shared: where each pool has its own, keeping them would take more than it saves. */
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

/** Gives equal facts as one object. A number, a text and a bigint of the same digits are different facts. */
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
