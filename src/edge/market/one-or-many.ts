/**
 * A map from keys to sets of members, in insertion order. Most keys of a market have one member, which is stored
 * without a set, since a set takes 200 bytes.
 */
export type OneOrMany<K, V extends string> = {
  /** The present members, empty for an unknown key; the set may or may not follow later changes. */
  get(key: K): ReadonlySet<V>;
  keys(): Iterable<K>;
  add(key: K, member: V): void;
  delete(key: K, member: V): void;
};

const NONE: ReadonlySet<never> = new Set<never>();

export function createOneOrMany<K, V extends string>(): OneOrMany<K, V> {
  const members = new Map<K, V | Set<V>>();
  return {
    get(key) {
      const held = members.get(key);
      if (held === undefined) return NONE;
      return typeof held === "string" ? new Set([held]) : held;
    },
    keys: () => members.keys(),
    add(key, member) {
      const held = members.get(key);
      if (held === undefined) members.set(key, member);
      else if (typeof held !== "string") held.add(member);
      else if (held !== member) members.set(key, new Set([held, member]));
    },
    delete(key, member) {
      const held = members.get(key);
      if (held === member) members.delete(key);
      if (held === undefined || typeof held === "string") return;
      held.delete(member);
      if (held.size === 0) members.delete(key);
    },
  };
}
