import { expect, test } from "vitest";
import { type GraphStep, NATIVE, type Token } from "../api.ts";
import { hueOf, monogram, shortAddress, sourceName, stepName, tokenNamer } from "./labels.ts";

const address = "0x1111111111111111111111111111111111111111";

test("a token is named by the list, then by the route, then by its address", () => {
  const listed = new Map([["0xa", { address: "0xa", symbol: "AAA", decimals: 6 } as Token]]);
  const name = tokenNamer(listed, [
    { address: "0xA", symbol: "WRONG", decimals: 1 },
    { address: "0xB", symbol: "BBB", decimals: 8 },
  ]);
  expect(name("0xA")).toEqual({ address: "0xa", symbol: "AAA", decimals: 6 });
  expect(name("0xb")).toEqual({ address: "0xb", symbol: "BBB", decimals: 8 });
  expect(name(address)).toEqual({ address, symbol: "0x1111…1111", decimals: 0 });
});

test.each(["שקל", "دينار", "A\u05d0"])("%s is isolated from the amounts beside it", (symbol) => {
  const listed = new Map([["0xa", { address: "0xa", symbol, decimals: 6 } as Token]]);
  expect(tokenNamer(listed)("0xa").symbol).toBe(`\u2068${symbol}\u2069`);
});

test.each([
  ["Uniswap_V3", "Uniswap V3"],
  ["uniswap-v2", "Uniswap V2"],
  ["WETH", "WETH"],
  ["DODO_V2", "DODO V2"],
  ["sushiswap", "Sushiswap"],
])("%s reads %s", (name, words) => {
  expect(sourceName(name)).toBe(words);
});

test("a step is named by its exchange, or by what it does to the chain's own coin", () => {
  const step = { protocol: "Sushi_V2", deployment: "sushi-v2", token_in: "0xa" } as GraphStep;
  expect(stepName(step)).toBe("Sushi V2");
  const wrapping = { ...step, protocol: "WETH", deployment: "wrapped-native" };
  expect(stepName({ ...wrapping, token_in: NATIVE })).toBe("Wrap");
  expect(stepName(wrapping)).toBe("Unwrap");
});

test.each([
  ["ETH", "ETH"],
  ["usdc", "USDC"],
  ["stETH", "S"],
  ["$!", "?"],
  ["", "?"],
  ["₿X", "X"],
])("monogram of %j is %j", (symbol, letters) => {
  expect(monogram(symbol)).toBe(letters);
});

test("hues are stable and in range", () => {
  expect(hueOf(address, 10)).toBe(hueOf(address, 10));
  const hues = Array.from({ length: 200 }, (_, k) => hueOf(`0x${k}`, 10));
  expect(new Set(hues).size).toBe(10);
});

test("short addresses", () => {
  expect(shortAddress(address)).toBe("0x1111…1111");
  expect(shortAddress("0xabc")).toBe("0xabc");
});
