import { expect, test } from "vitest";
import type { Token } from "../api.ts";
import { listedFirst, moveSelection, searchTokens } from "./token-search.ts";

const token = (symbol: string, name: string, address = "0x00"): Token => ({
  chainId: 1,
  symbol,
  name,
  address,
  decimals: 18,
  is_active: true,
  priority: 9,
});
const list = [
  token("ETH", "Ether", "0xeeee"),
  token("WETH", "Wrapped Ether", "0xc02a"),
  token("stETH", "Lido Staked Ether"),
  token("DAI", "Dai Stablecoin", "0x6b17"),
  token("ETHIX", "Ethix"),
  token("XYZ", "Better Than Ether"),
];
const found = (typed: string) => searchTokens(list, typed).map((t) => t.symbol);

test.each([
  ["", ["ETH", "WETH", "stETH", "DAI", "ETHIX", "XYZ"]],
  ["eth", ["ETH", "ETHIX", "WETH", "stETH", "XYZ"]],
  ["  DAI ", ["DAI"]],
  ["stable", ["DAI"]],
  ["coin", ["DAI"]],
  ["0xC0", ["WETH"]],
  ["nothing like it", []],
])("%j", (typed, symbols) => {
  expect(found(typed)).toEqual(symbols);
});

test("listed tokens precede unlisted ones, however well these match, and a whole address precedes all", () => {
  const address = `0x${"ab".repeat(20)}`;
  const unlisted = { ...token("USD", "Dollars", address), is_listed: false };
  const listed = { ...token("USDS", "USDS Stablecoin", "0xdc03"), is_listed: true };
  const unsure = token("SUSD", "Synth Dollars", "0x57ab");
  const all = [unlisted, unsure, listed];
  expect(searchTokens(all, "usd")).toEqual([listed, unsure, unlisted]);
  expect(searchTokens(all, "0x")).toEqual([unsure, listed, unlisted]);
  expect(searchTokens(all, ` ${address.toUpperCase().replace("X", "x")} `)).toEqual([unlisted]);
  expect(listedFirst(all, "usd")).toEqual([unsure, listed, unlisted]);
  expect(listedFirst([listed, unlisted], address)).toEqual([unlisted, listed]);
});

test("keys move the selection and wrap around", () => {
  expect(moveSelection("ArrowDown", 4, 5)).toBe(0);
  expect(moveSelection("ArrowUp", 0, 5)).toBe(4);
  expect(moveSelection("PageDown", 2, 5)).toBe(4);
  expect(moveSelection("PageUp", 2, 5)).toBe(0);
  expect(moveSelection("ArrowDown", -1, 5)).toBe(0);
  expect(moveSelection("a", 1, 5)).toBeUndefined();
  expect(moveSelection("ArrowDown", 0, 0)).toBeUndefined();
});
