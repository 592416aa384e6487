import fc from "fast-check";
import { expect, test } from "vitest";
import { forgetOldest } from "./forget-oldest.ts";

test("the newest entries of a map are kept, as many as are allowed", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer()), fc.nat(12), (keys, most) => {
      const map = new Map(keys.map((key) => [key, -key]));
      const gone = forgetOldest(map, most);
      expect([...map]).toEqual(keys.slice(Math.max(0, keys.length - most)).map((key) => [key, -key]));
      expect([...gone, ...map.keys()]).toEqual(keys);
    }),
  );
});

test("a key that is set again keeps its age, and a set is bounded as well", () => {
  const map = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  map.set("a", 3);
  expect(forgetOldest(map, 1)).toEqual(["a"]);
  const set = new Set([1, 2, 3]);
  expect([forgetOldest(set, 2), [...set]]).toEqual([[1], [2, 3]]);
});
