import type { Address, Pool } from "../../../core/types.ts";

/**
 * Interns the strings and the facts of pools. Decoded pools have separate copies of equal strings, which make up most
 * of a pool's memory. A string stays interned after its last pool is gone, until there are MOST_TEXTS.
 */
export type Texts = {
  /** An equal pool that shares equal strings and facts with earlier pools. */
  shared(pool: Pool): Pool;
  /** Number of strings that are interned. */
  size(): number;
};

/**
 * Most distinct strings that are interned, more than a market's. Beyond it all are forgotten, since anybody can have pools of
 * ever new tokens enter the market: later pools then share strings among each other only.
 */
const MOST_TEXTS = 262_144;

/**
 * Most distinct facts that are interned: where each pool has its own, interning would take more memory than it saves.
 */
const MOST_FACTS = 1_000;

export function createTexts(): Texts {
  const sharedFacts = createFacts();
  const known = new Map<string, string>();
  const one = <T extends string>(text: T): T => {
    const same = known.get(text);
    if (same !== undefined) return same as T;
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(text, text);
    return text;
  };
  return {
    size: () => known.size,
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
