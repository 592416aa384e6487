import fc from "fast-check";
import { expect, test } from "vitest";
import { readNamed, writeNamed } from "./named-addresses.ts";
import type { Address } from "./types.ts";

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/);
const address = fc
  .bigInt(0n, 2n ** 160n - 1n)
  .map((value): Address => `0x${value.toString(16).padStart(40, "0")}`);
const list = fc.array(address, { minLength: 1, maxLength: 3 });
const lists = fc.dictionary(name, list, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

test("what is written is read, in its order", () => {
  fc.assert(
    fc.property(lists, (written) => {
      const all = Object.entries(written).flatMap(([key, addresses]) =>
        addresses.map((one) => ({ name: key, address: one })),
      );
      expect(readNamed(writeNamed(written), "deployment x: factories")).toEqual(all);
    }),
  );
});

const A = `0x${"a".repeat(40)}`;

test.each([
  ["no fact", undefined, /^deployment x: factories must list name=address$/],
  ["a number", 7, /must list/],
  ["nothing", "", /"" is not name=address/],
  ["an address alone", A, /is not name=address/],
  ["an end without an entry", `weighted=${A};`, /"" is not name=address/],
  ["a short address", `weighted=${A.slice(0, -1)}`, /is not name=address/],
  ["capitals", `weighted=${A.toUpperCase()}`, /is not name=address/],
])("%s is refused", (_, fact, reason) => {
  expect(() => readNamed(fact, "deployment x: factories")).toThrow(reason);
});
