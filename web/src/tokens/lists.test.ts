import { expect, test } from "vitest";
import { doubtOf } from "./doubt.ts";
import { ListFault, readTokenList } from "./read-list.ts";

const token = (more: object = {}) => ({
  chainId: 1,
  address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  symbol: "USDC",
  name: "USD Coin",
  decimals: 6,
  logoURI: "https://example.org/x.svg",
  ...more,
});
const list = (more: object = {}) => ({
  name: "Mine",
  timestamp: "2024-01-01T00:00:00.000Z",
  version: { major: 1, minor: 0, patch: 0 },
  tokens: [token()],
  ...more,
});
const read = (value: object) => readTokenList(JSON.stringify(value));

test("a list of the schema is read; addresses are compared in lower case, logos are left out", () => {
  expect(read(list())).toEqual({
    name: "Mine",
    tokens: [
      {
        chainId: 1,
        address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
        symbol: "USDC",
        name: "USD Coin",
        decimals: 6,
      },
    ],
  });
  expect(read(list({ tokens: [token({ symbol: "US\u202EDC\u0000" })] })).tokens[0]?.symbol).toBe("USDC");
});

test.each([
  [list({ name: "" }), "name must be"],
  [list({ name: "x".repeat(31) }), "name must be"],
  [list({ timestamp: "soon" }), "timestamp"],
  [list({ version: { major: 1, minor: 0 } }), "version.patch"],
  [list({ tokens: [] }), "at least one token"],
  [list({ tokens: Array.from({ length: 10_001 }, () => token()) }), "at most 10000"],
  [list({ tokens: [token(), token({ address: "0x12" })] }), "tokens[1].address"],
  [list({ tokens: [token({ chainId: "1" })] }), "tokens[0].chainId"],
  [list({ tokens: [token({ decimals: 256 })] }), "tokens[0].decimals"],
  [list({ tokens: [token({ decimals: 1.5 })] }), "tokens[0].decimals"],
  [list({ tokens: [token({ symbol: "x".repeat(21) })] }), "tokens[0].symbol"],
  [list({ tokens: [null] }), "tokens[0] must be an object"],
  [[], "the list must be an object"],
])("%#: what is no list is refused by the field that is wrong", (given, words) => {
  expect(() => read(given)).toThrow(words);
  expect(() => read(given)).toThrow(ListFault);
});

test("what is no JSON, or too large, is refused in words", () => {
  expect(() => readTokenList("<html>")).toThrow("no JSON");
  expect(() => readTokenList(" ".repeat(4_000_001))).toThrow("larger than 4 MB");
});

test("an own list vouches for nothing: on no public list is said, and posing as a listed token too", () => {
  const one = { chainId: 1, name: "", symbol: "USDC", decimals: 6, is_active: true, priority: 1 };
  const real = { ...one, address: "0xa", is_listed: true };
  const fake = { ...one, address: "0xb", is_listed: false };
  const known = new Map([[real.address, real]]);
  expect(doubtOf(real, known)).toBeUndefined();
  expect(doubtOf(fake, known)).toMatch(/is not it/);
  expect(doubtOf({ ...fake, symbol: "OWN" }, known)).toMatch(/No public list/);
  expect(doubtOf({ ...fake, symbol: "OWN", lookalikes: ["0xc"] }, known)).toMatch(/is not it/);
});

test.each([
  ["US\u0405\u0421", "USSC"],
  ["USD\u0421", "USDC"],
  ["\uff35\uff33\uff24\uff23", "USDC"],
  ["U\u200bSDC\u3164", "USDC"],
  ["U\u0336S\u0336D\u0336C\u0336", "USDC"],
  ["USDC.", "USDC"],
  ["U S D C", "USDC"],
  ["$USDC", "USDC"],
  ["U5DC", "USDC"],
  ["USD\u20ae", "USDT"],
  ["W\u0395TH", "WETH"],
  ["DAl", "DAI"],
  ["DA1", "DAI"],
  ["W8TC", undefined],
  ["USDC.e", undefined],
  ["aUSDC", undefined],
  ["\ud83d\udc15", undefined],
])("%j looks like %j", (symbol, other) => {
  const one = { chainId: 1, name: "", decimals: 6, is_active: true, priority: 1 };
  const names = ["USDC", "USDT", "WETH", "DAI", "WBTC", "USSC", "\ud83d\udc08"];
  const known = new Map(
    names.map((each) => [each, { ...one, symbol: each, address: each, is_listed: true }]),
  );
  const words = doubtOf({ ...one, symbol, address: "0xb", is_listed: false }, known);
  expect(words).toContain(other === undefined ? "No public list" : `listed token ${other}`);
  expect(doubtOf({ ...one, symbol, address: "0xb", is_listed: true }, known)).toBeUndefined();
});
