import { expect, test } from "vitest";
import { counterChain, WRAPPED } from "../../../test/faults/counter.ts";
import { type Address, NATIVE } from "../../core/types.ts";
import { listOrder } from "../../service/tokens.ts";
import { readTokenLists } from "./lists.ts";
import type { Metadata } from "./metadata.ts";
import { type RankRequest, rankTokens } from "./rank.ts";

const USDC: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const UNI: Address = "0x1f9840a85d5af5bf1d1762f925bdaddc4201f984";
const FAKE: Address = "0x00000000000000000000000000000000000000c0";
const DUST: Address = "0x00000000000000000000000000000000000000d0";
const lists = readTokenLists();
const says = (address: Address, symbol: string, decimals = 18): [Address, Metadata] => [
  address,
  { address, name: `${symbol} token`, symbol, decimals },
];
const depths = new Map<Address, number>([
  [WRAPPED, 500],
  [USDC, 900],
  [UNI, 5000],
  [FAKE, 9000],
  [DUST, 0.5],
]);

function rank(over: Partial<RankRequest> = {}) {
  return rankTokens({
    chain: counterChain(),
    lists,
    listed: false,
    onChain: new Map([
      says(WRAPPED, "WETH"),
      says(USDC, "USDC", 6),
      says(UNI, "UNI"),
      says(FAKE, "USDC"),
      says(DUST, "DUST"),
    ]),
    depthNative: (token) => depths.get(token) ?? 0,
    activeDepth: 1,
    ...over,
  });
}

test("native first, then wrapped and listed stable tokens by depth, then the others by depth, then the rest", () => {
  const tokens = rank();
  expect(tokens.map(({ address }) => address)).toEqual([NATIVE, USDC, WRAPPED, FAKE, UNI, DUST]);
  expect(tokens.map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(tokens.map(({ isActive }) => isActive)).toEqual([true, true, true, true, true, false]);
  expect(tokens.find(({ address }) => address === USDC)?.isListed).toBe(true);
  expect(tokens.find(({ address }) => address === FAKE)?.isListed).toBe(false);
});

test("the order is that of every list", () => {
  for (const tokens of [rank(), rank({ listed: true, chain: counterChain(1) })]) {
    expect(tokens).toEqual([...tokens].sort(listOrder));
  }
});

test("on a devnet with mainnet addresses the logos are mainnet's, and nothing else of the list", () => {
  const tokens = rank();
  expect(tokens.find(({ address }) => address === USDC)).toMatchObject({
    name: "USDC token",
    chainId: 31337,
  });
  expect(tokens.find(({ address }) => address === USDC)?.logoUri).toMatch(/^https:/);
  expect(tokens.find(({ address }) => address === FAKE)?.logoUri).toBe("");
});

test("on a listed chain the list names, the chain counts, and tokens without a pool are there", () => {
  const tokens = rank({
    listed: true,
    chain: counterChain(1),
    onChain: new Map([says(USDC, "usd-coin", 7)]),
  });
  expect(tokens.find(({ address }) => address === USDC)).toMatchObject({
    symbol: "USDC",
    decimals: 7,
    isActive: true,
  });
  expect(tokens.length).toBeGreaterThan(1600);
  expect(new Set(tokens.map(({ address }) => address)).size).toBe(tokens.length);
});

test("what cannot be valued is not active", () => {
  const tokens = rank({ depthNative: () => Number.NaN });
  expect(tokens.filter(({ isActive }) => isActive).map(({ address }) => address)).toEqual([NATIVE]);
});

test("the lists hold lower-case addresses, whole decimals and texts that can be shown", () => {
  for (const id of [1, 10, 56, 137, 8453, 42161, 43114]) {
    const tokens = lists.all(id);
    expect(tokens.length).toBeGreaterThan(100);
    for (const token of tokens) {
      expect(token.address).toMatch(/^0x[0-9a-f]{40}$/);
      expect(Number.isInteger(token.decimals)).toBe(true);
      expect(token.symbol).toMatch(/^\S/);
      expect(token.logoUri).toMatch(/^$|^https:|^ipfs:/);
    }
  }
});
