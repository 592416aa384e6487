import fc from "fast-check";
import { expect, test } from "vitest";
import { createOneOrMany } from "./one-or-many.ts";

const step = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  member: fc.constantFrom("x", "y", "z"),
  isAdded: fc.boolean(),
});

test("members are those of a map of sets, in the order in which they came", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [kept, plain] = [createOneOrMany<string, string>(), new Map<string, Set<string>>()];
      for (const { key, member, isAdded } of steps) {
        const set = plain.get(key) ?? new Set();
        if (isAdded) {
          kept.add(key, member);
          set.add(member);
        } else {
          kept.delete(key, member);
          set.delete(member);
        }
        if (set.size === 0) plain.delete(key);
        else plain.set(key, set);
      }
      expect(new Set(kept.keys())).toEqual(new Set(plain.keys()));
      for (const key of ["a", "b", "c"]) expect([...kept.get(key)]).toEqual([...(plain.get(key) ?? [])]);
    }),
  );
});
