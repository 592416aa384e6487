import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../../../test/support/random.ts";
import type { Address, Pool } from "../../../core/types.ts";
import { createKeyTable, isKey } from "./key-table.ts";
import { createKnown } from "./known.ts";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((list) => `0x${Buffer.from(list).toString("hex")}` as const);
const address = hex(20);
const few = fc.sample(address, { numRuns: 6, seed: 1 });
const token = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...few) }, { weight: 1, arbitrary: address });

const facts = fc.constantFrom<Pool["facts"]>(
  { feePpm: 3000 },
  { feePpm: 3000n },
  { feePpm: "3000" },
  { feePpm: 500, tickSpacing: 10 },
  {},
);

/** Pools of many designs: pairs, pools within a singleton, pools of several tokens, and pools that share states. */
const pool: fc.Arbitrary<Pool> = fc
  .record({
    id: fc.oneof(
      address,
      hex(32),
      hex(20).map((id) => `vault:${id}`),
      hex(20).map((id) => `${id}${"00".repeat(12)}`),
    ),
    isSingleton: fc.boolean(),
    shares: fc.boolean(),
    tokens: fc.uniqueArray(token, { minLength: 2, maxLength: 4 }),
    facts,
    protocol: fc.constantFrom("a", "b"),
  })
  .map(({ id, isSingleton, shares, ...rest }) => ({
    ...rest,
    id,
    address: (isSingleton ? few[0] : id) as Address,
    deployment: `${rest.protocol}-fork`,
    stateIds: shares ? [id, "shared"] : [id],
  }));

test("pools of every kind are returned as they were added", () => {
  fc.assert(
    fc.property(fc.array(pool, { maxLength: 60 }), (pools) => {
      const known = createKnown();
      const model = new Map<string, Pool>();
      for (const one of pools) {
        expect(known.add(one)).toBe(!model.has(one.id));
        if (!model.has(one.id)) model.set(one.id, one);
      }
      const byId = (list: Iterable<Pool>) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId(known.all())).toEqual(byId(model.values()));
      for (const one of model.values()) expect(known.get(one.id)).toEqual(one);
      expect(known.get("0x00")).toBeUndefined();
      expect(known.size()).toBe(model.size);
      const tokens = new Set([...model.values()].flatMap((one) => one.tokens));
      expect(known.tokens()).toBe(tokens.size);
      for (const a of tokens) {
        const own = [...model.values()].filter((one) => one.tokens.includes(a));
        expect(byId(known.newest(a, 1_000))).toEqual(byId(own));
        expect(known.newest(a, 2).length).toBe(Math.min(2, own.length));
        for (const b of few) {
          if (b === a) continue;
          expect(byId(known.between(a, b))).toEqual(byId(own.filter((one) => one.tokens.includes(b))));
        }
      }
    }),
  );
});

test("the newest pools of a token come first", () => {
  const known = createKnown();
  const [a, b] = few as [Address, Address];
  const ids = Array.from({ length: 100 }, (_, k) => `0x${(k + 1).toString(16).padStart(40, "0")}` as const);
  for (const id of ids)
    known.add({ id, address: id, protocol: "p", deployment: "d", tokens: [a, b], stateIds: [id], facts: {} });
  expect(known.newest(a, 3).map(({ id }) => id)).toEqual([ids[99], ids[98], ids[97]]);
});

test("a table of a hundred thousand names finds the number of each, and no other name", () => {
  const table = createKeyTable();
  const name = (k: number) => `0x${BigInt(k).toString(16).padStart(40, "0")}`;
  for (let k = 0; k < 100_000; k++) expect(table.put(name(k))).toBe(k);
  for (let k = 0; k < 100_000; k += 37) {
    expect(table.find(name(k))).toBe(k);
    expect(table.name(k)).toBe(name(k));
  }
  expect(table.find(name(100_000))).toBe(-1);
  expect(table.size()).toBe(100_000);
});

test("while the table grows, names in it are found and a name that is not yet in it is not", () => {
  const table = createKeyTable();
  const random = seeded(7);
  const name = (k: number) =>
    `0x${(BigInt(k) * 0x9e3779b97f4a7c15f39cc0605cedc834n).toString(16).slice(-40).padStart(40, "0")}`;
  for (let size = 1; size <= 10_000; size++) {
    table.put(name(size - 1));
    const one = Math.floor(random() * size);
    expect(table.find(name(one))).toBe(one);
    expect(table.put(name(one))).toBe(one);
    expect(table.find(name(size))).toBe(-1);
    expect(table.size()).toBe(size);
  }
});

test("a name is distinguished from a longer one that begins with it", () => {
  const table = createKeyTable();
  const short = `0x${"ab".repeat(20)}`;
  const long = `${short}${"00".repeat(12)}`;
  expect([isKey(short), isKey(long)]).toEqual([true, true]);
  expect(table.put(short)).toBe(0);
  expect(table.find(long)).toBe(-1);
  expect(table.put(long)).toBe(1);
  expect([table.name(0), table.name(1)]).toEqual([short, long]);
  expect([table.find(short), table.find(long)]).toEqual([0, 1]);
});

test("names of other lengths or with capital letters are not keys", () => {
  expect(isKey(`0x${"AB".repeat(20)}`)).toBe(false);
  expect(isKey(`0x${"ab".repeat(21)}`)).toBe(false);
});
