import { encodeAbiParameters, pad } from "viem";
import { expect, test } from "vitest";
import type { Address, Deployment, Hex } from "../../core/types.ts";
import { byPair } from "./chain/pools.ts";

/** Pools that the newest factory is asked for; answers as its ABI has them. */

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const record: Deployment = {
  ...{ id: "ng", protocol: "curve-stable", name: "NG", factory: address("f"), fromBlock: undefined },
  ...{ trusted: false, facts: { factory: "ng" }, source: "" },
};
const [a, b, c] = [address("a"), address("b"), address("c")];
const named = pad(address("1"));
const NOBODY = address("0");

function told(coins: readonly Address[], types: readonly number[], base: Address): unknown {
  const answers: Hex[] = [
    encodeAbiParameters([{ type: "address[]" }], [coins]),
    encodeAbiParameters([{ type: "uint8[]" }], [types]),
    encodeAbiParameters([{ type: "address" }], [base]),
  ];
  return byPair(record)!.poolOf([a, b], named, 0, answers);
}

test("the factory is asked about a pool by its address", () => {
  const calls = byPair(record)!.details(named);
  expect(calls.map(({ to }) => to)).toEqual([record.factory, record.factory, record.factory]);
  for (const { data } of calls) expect(data.slice(10)).toBe(named.slice(2));
});

test("a plain pool has its coins in the factory's order, and rebases where one of them does", () => {
  const plain = { id: address("1"), address: address("1"), deployment: "ng", tokens: [c, a, b] };
  expect(told([c, a, b], [0, 1, 3], NOBODY)).toMatchObject({
    ...plain,
    facts: { implementation: "ng", own: 3 },
  });
  expect(told([c, a, b], [0, 2, 0], NOBODY)).toMatchObject({
    ...plain,
    facts: { implementation: "ng-rebasing", own: 3 },
  });
});

test("a metapool, a pool of other types than coins, and answers that failed are no pools", () => {
  expect(told([a, b], [0, 0], address("5"))).toBeUndefined();
  expect(told([a, b], [0], NOBODY)).toBeUndefined();
  expect(told([a], [0], NOBODY)).toBeUndefined();
  expect(byPair(record)!.poolOf([a, b], named, 0, ["0x", "0x", "0x"])).toBeUndefined();
});

test("a record of no factory is not asked, and one of an unknown kind is wrong", () => {
  expect(byPair({ ...record, facts: {} })).toBeUndefined();
  expect(() => byPair({ ...record, facts: { factory: "old" } })).toThrow("no such factory");
});
