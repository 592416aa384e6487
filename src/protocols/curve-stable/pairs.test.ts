import { encodeAbiParameters, pad } from "viem/utils";
import { expect, test } from "vitest";
import type { Address, Deployment, Hex } from "../../core/types.ts";
import { byPair } from "./chain/factories.ts";
import { implementations } from "./chain/implementations.ts";
import { roundings } from "./state.ts";

/** Tests queries of factories by pair, with answers in the format of their ABIs. */

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const record: Deployment = {
  ...{ id: "ng", protocol: "curve-stable", name: "NG", factory: address("f"), fromBlock: undefined },
  ...{ trusted: false, facts: { factory: "ng", perCoin: `${address("6")} ${address("7")}` }, source: "" },
};
const [a, b, c] = [address("a"), address("b"), address("c")];
const named = pad(address("1"));
const NOBODY = address("0");

function told(
  coins: readonly Address[],
  types: readonly number[],
  base: Address,
  copied = address("8"),
): unknown {
  const answers: Hex[] = [
    encodeAbiParameters([{ type: "address[]" }], [coins]),
    encodeAbiParameters([{ type: "uint8[]" }], [types]),
    pad(base),
    pad(copied),
  ];
  return byPair(record)!.poolOf([a, b], named, 0, answers);
}

test("the factory is asked about a pool by its address", () => {
  const calls = byPair(record)!.details(named);
  expect(calls.map(({ to }) => to)).toEqual(calls.map(() => record.factory));
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

test("a pool of a first contract, which divides D coin by coin, is told from the others", () => {
  for (const first of [address("6"), address("7")]) {
    expect(told([a, b], [0, 1], NOBODY, first)).toMatchObject({ facts: { implementation: "ng-2023" } });
    expect(told([a, b], [0, 2], NOBODY, first)).toMatchObject({
      facts: { implementation: "ng-2023-rebasing" },
    });
  }
  expect(roundings[implementations["ng-2023"].rounding].product).toBe("perCoin");
});

test("a metapool, a pool of other types than coins, and answers that failed are no pools", () => {
  expect(told([a, b], [0, 0], address("5"))).toBeUndefined();
  expect(told([a, b], [0], NOBODY)).toBeUndefined();
  expect(told([a], [0], NOBODY)).toBeUndefined();
  expect(byPair(record)!.poolOf([a, b], named, 0, ["0x", "0x", "0x", "0x"])).toBeUndefined();
});

test("a record of no factory is not asked, and one of an unknown kind is wrong", () => {
  expect(byPair({ ...record, facts: {} })).toBeUndefined();
  expect(() => byPair({ ...record, facts: { factory: "old" } })).toThrow("no such factory");
});

const [master, meta, base] = [address("2"), address("3"), address("4")];
const classic: Deployment = {
  ...record,
  facts: { factory: "classic", implementations: `${master} plain-2; ${meta} meta-factory base=${base}` },
};

/** Answers of the classic factory about a pool; `under` is undefined if the call reverts. */
type Answers = { coins: readonly Address[]; copied: Address; base?: Address; under?: readonly Address[] };

function toldByClassic({ coins, copied, base: over = NOBODY, under }: Answers): unknown {
  const filled = (list: readonly Address[], size: number) =>
    [...list, ...Array(size - list.length).fill(NOBODY)].map((one) => pad(one).slice(2)).join("");
  const answers: Hex[] = [
    `0x${filled(coins, 4)}`,
    pad(copied),
    pad(over),
    under === undefined ? "0x" : `0x${filled(under, 8)}`,
  ];
  return byPair(classic)!.poolOf([a, b], named, 0, answers);
}

test("a plain pool of the classic factory is what its contract is a copy of", () => {
  expect(toldByClassic({ coins: [c, a, b], copied: master })).toMatchObject({
    ...{ id: address("1"), tokens: [c, a, b], stateIds: [address("1")] },
    facts: { implementation: "plain-2", own: 3 },
  });
  expect(toldByClassic({ coins: [a, b], copied: address("9") })).toBeUndefined();
  expect(toldByClassic({ coins: [a], copied: master })).toBeUndefined();
  expect(toldByClassic({ coins: [a, b], copied: master, base })).toBeUndefined();
  expect(byPair(classic)!.poolOf([a, b], named, 0, ["0x", "0x", "0x", "0x"])).toBeUndefined();
});

test("a metapool of the classic factory hangs on its base pool, whose coins lie under its own", () => {
  const [coin, share, first, second] = [a, c, b, address("d")];
  const whole = { coins: [coin, share], copied: meta, base, under: [coin, first, second] };
  expect(toldByClassic(whole)).toMatchObject({
    ...{ tokens: [coin, share, first, second], stateIds: [address("1"), base] },
    facts: { implementation: "meta-factory", own: 2 },
  });
  expect(toldByClassic({ ...whole, base: address("5") })).toBeUndefined();
  expect(toldByClassic({ ...whole, base: NOBODY })).toBeUndefined();
  expect(toldByClassic({ ...whole, under: undefined as never })).toBeUndefined();
  expect(toldByClassic({ ...whole, under: [first, coin, second] })).toBeUndefined();
});

test("a record that names contracts wrongly is wrong", () => {
  const of = (implementations: string) => () =>
    byPair({ ...classic, facts: { factory: "classic", implementations } });
  expect(of(`${master} plain-9`)).toThrow("plain-9");
  expect(of(`${meta} meta-factory`)).toThrow("meta-factory");
  expect(of(`${master} plain-2 base=${base}`)).toThrow("base pool");
  expect(of("")).toThrow("no contract");
});
