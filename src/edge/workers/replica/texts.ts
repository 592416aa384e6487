import type { Address, Pool } from "../../../core/types.ts";

/**
 * Makes equal texts of pools one: decoded, each is a copy of its own, and they are most of what a pool takes. A token stays known
 * without its pools, as it does in the graph.
 */
export type Texts = {
  /** An equal pool that shares its texts with the pools before. */
  shared(pool: Pool): Pool;
};

export function createTexts(): Texts {
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
        facts,
      };
    },
  };
}
