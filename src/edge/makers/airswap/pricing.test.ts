import { expect, test } from "vitest";
import { inventoryId, type RfqState } from "../../../core/rfq.ts";
import type { Address } from "../../../core/types.ts";
import { sell } from "../../../protocols/rfq/levels.ts";
import type { AirSwapFacts, AirSwapMaker } from "./facts.ts";
import { airSwapPrices } from "./pricing.ts";

const hex = (n: number): Address => `0x${n.toString(16).padStart(40, "0")}`;
/** Tokens with 18 and with 6 decimals. */
const [FINE, COARSE] = [hex(1), hex(2)];
const [SETTLER, ACCOUNT] = [hex(0xcc), hex(0xaa)];
const E18 = 10n ** 18n;

const maker: AirSwapMaker = {
  ...{
    id: "maker-m",
    name: "M",
    chainId: 1,
    address: ACCOUNT,
    isContract: false,
    secret: undefined,
    pushes: false,
  },
  ...{ url: "https://maker.example", airSwap: { settler: SETTLER, pairs: [[FINE, COARSE]] } },
};
const facts: AirSwapFacts = {
  protocolFee: 7n,
  signatory: ACCOUNT,
  payable: new Map([
    [FINE, 5n],
    [COARSE, 6n],
  ]),
  decimals: new Map([
    [FINE, 18],
    [COARSE, 6],
  ]),
};

type Told = { bid?: unknown; ask?: unknown; minimum?: string; baseToken?: string; quoteToken?: string };
const told = (change: Told) => ({
  ...{ baseToken: FINE, quoteToken: COARSE, bid: [["1", "2"]], ask: [["1", "3"]] },
  ...change,
});

function state(...answer: Told[]): RfqState {
  const prices = airSwapPrices(maker, answer.map(told), facts);
  if (typeof prices === "string") throw new Error(prices);
  return prices.states.get(prices.pools[0]!.stateIds[0]) as RfqState;
}

test("a list is of running totals in whole tokens, and the seller of the base token is paid by the bid", () => {
  // AirSwap's own test prices 255 on [250 at 0.5, 500 at 0.6] at 128. With 0.4 as second price it is 125 + 2 = 127.
  const bid = [
    ["250", "0.5"],
    ["500", "0.4"],
  ];
  const [onward] = state({ bid }).levels;
  expect(onward).toEqual([
    { amountIn: 250n * E18, amountOut: 125_000_000n },
    { amountIn: 250n * E18, amountOut: 100_000_000n },
  ]);
  expect(sell(onward, 255n * E18)?.amountOut).toBe(127_000_000n);
});

test("the buyer of the base token pays by the ask, unless the reverse pair is priced as well", () => {
  const ask = [
    ["1", "3"],
    ["1.5", "3.5"],
  ];
  expect(state({ ask }).levels[1]).toEqual([
    { amountIn: 3_000_000n, amountOut: E18 },
    { amountIn: 1_750_000n, amountOut: E18 / 2n },
  ]);
  const reverse = { baseToken: COARSE, quoteToken: FINE, bid: [["3", "0.25"]], ask: [["1", "9"]] };
  expect(state({ ask }, reverse).levels[1]).toEqual([{ amountIn: 3_000_000n, amountOut: (3n * E18) / 4n }]);
});

test("what is paid is rounded down and what is taken up, each to the smallest unit", () => {
  const odd = { bid: [["0.333333333333333333", "1.0000001"]], ask: [["0.000000000000000001", "0.1"]] };
  const [onward, back] = state(odd).levels;
  expect(onward).toEqual([{ amountIn: 333_333_333_333_333_333n, amountOut: 333_333n }]);
  expect(back).toEqual([{ amountIn: 1n, amountOut: 1n }]);
});

test("a price that gets better with the amount counts as the one before it", () => {
  const bid = [
    ["1", "2"],
    ["2", "2.5"],
    ["3", "1"],
  ];
  expect(state({ bid }).levels[0].map(({ amountOut }) => amountOut)).toEqual([
    2_000_000n,
    2_000_000n,
    1_000_000n,
  ]);
});

test("the minimum is of the base token, and bounds what may be sold from below", () => {
  expect(state({ minimum: "0.1" }).least).toEqual([E18 / 10n, 300_000n]);
  expect(state({}).least).toBeUndefined();
  const tooMuch = airSwapPrices(maker, [told({ minimum: "2" })], facts);
  expect(typeof tooMuch === "string" ? tooMuch : [...tooMuch.states.values()][1]).toMatchObject({
    levels: [[{ amountIn: E18 }], []],
  });
});

test("pairs that nobody asked for and formulas price nothing; the inventory is what can be paid with the fee", () => {
  const other = told({ baseToken: hex(9) });
  const formula = told({ bid: "x*0.00053", ask: "x*0.00055" });
  const none = airSwapPrices(maker, [other, formula], facts);
  const gap = "levels: 2 of 2 directions are priced by formulas, which are not supported";
  expect(none).toMatchObject({ pools: [], gap });
  const prices = airSwapPrices(maker, [told({})], facts);
  if (typeof prices === "string") throw new Error(prices);
  expect(prices.states.get(inventoryId("maker-m"))).toEqual({ [FINE]: 5n, [COARSE]: 6n });
  expect(prices.pools).toMatchObject([{ address: SETTLER, tokens: [FINE, COARSE], facts: { whole: 1 } }]);
});

const gaps: readonly [string, readonly object[], object][] = [
  ["all levels", [told({})], { gap: undefined }],
  [
    "a formula one way and levels the other",
    [told({ ask: "x*0.00055" })],
    { gap: "levels: 1 of 2 directions are priced by formulas, which are not supported" },
  ],
  ["one way alone", [told({ ask: [] })], { gap: undefined }],
  ["nothing", [], { gap: "levels: none of the 2 directions asked for is priced" }],
];

test.each(gaps)("what is not priced is named: %s", (_what, answer, expected) => {
  const { gap } = airSwapPrices(maker, answer, facts) as { gap?: string };
  expect({ gap }).toEqual(expected);
});

test.each<[string, unknown, RegExp]>([
  ["no list", { bid: [] }, /levels/],
  ["numbers in the place of texts", [told({ bid: [[1, 2]] })], /levels\/0\/bid/],
  ["a negative price", [told({ bid: [["1", "-2"]] })], /levels\/0\/bid/],
  ["a book that pays more than it takes", [told({ bid: [["1", "3.1"]], ask: [["1", "3"]] })], /pays more/],
  ["more than 128 bits", [told({ bid: [["9".repeat(39), "1"]] })], /128 bits/],
])("%s is refused whole, by name", (_what, answer, why) => {
  expect(airSwapPrices(maker, answer, facts)).toMatch(why);
});
