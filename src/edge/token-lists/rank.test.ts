import { expect, test } from "vitest";
import { counterChain, WRAPPED } from "../../../test/faults/counter.ts";
import { type Address, NATIVE } from "../../core/types.ts";
import { listOrder } from "../../service/tokens.ts";
import { readTokenLists } from "./lists.ts";
import type { Metadata } from "./metadata.ts";
import { type RankRequest, rankTokens, withTokens } from "./rank.ts";

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

function facts(over: Partial<RankRequest> = {}): RankRequest {
  return {
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
  };
}

const rank = async (over: Partial<RankRequest> = {}) =>
  (await rankTokens(facts(over), [], async () => {})).list;

test("native first, then wrapped and listed stable tokens by depth, then the others by depth, then the rest", async () => {
  const tokens = await rank();
  expect(tokens.map(({ address }) => address)).toEqual([NATIVE, USDC, WRAPPED, FAKE, UNI, DUST]);
  expect(tokens.map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(tokens.map(({ isActive }) => isActive)).toEqual([true, true, true, true, true, false]);
  expect(tokens.find(({ address }) => address === USDC)?.isListed).toBe(true);
  expect(tokens.find(({ address }) => address === FAKE)?.isListed).toBe(false);
});

test("a ranked list is in the order priority, symbol, address", async () => {
  for (const tokens of [await rank(), await rank({ listed: true, chain: counterChain(1) })]) {
    expect(tokens).toEqual([...tokens].sort(listOrder));
  }
});

test("a ranking gives the same list whatever the list before, and pauses in between", async () => {
  const onChain = new Map(
    Array.from({ length: 3_000 }, (_, k) =>
      says(`0x${(k * 7919).toString(16).padStart(40, "0")}`, `T${k % 97}`),
    ),
  );
  const some = facts({ onChain, depthNative: (token) => Number.parseInt(token.slice(-4), 16) % 3 });
  let pauses = 0;
  const pause = async () => void pauses++;
  const fresh = await rankTokens(some, [], pause);
  expect(pauses).toBeGreaterThan(6);
  const odd = [...fresh.list].reverse();
  expect((await rankTokens(some, odd, pause)).list).toEqual(fresh.list);
  expect((await rankTokens(some, fresh.list, pause)).list).toEqual(fresh.list);
  expect(fresh.list[fresh.restAt - 1]!.isActive).toBe(true);
  expect(fresh.list.slice(fresh.restAt).some(({ isActive }) => isActive)).toBe(false);
  // Tokens that are left out of a ranking and added later are in the list's order as well.
  const held = new Map([...onChain].filter(([token]) => Number.parseInt(token.slice(-4), 16) % 7 > 0));
  const part = await rankTokens({ ...some, onChain: held }, [], pause);
  const missing = [...onChain.keys()].filter((token) => !held.has(token));
  const whole = withTokens(some, part, missing);
  expect(whole.list).toEqual([...whole.list].sort(listOrder));
  expect(new Set(whole.list.map(({ address }) => address))).toEqual(
    new Set(fresh.list.map(({ address }) => address)),
  );
  expect(whole.added.map(({ address }) => address).sort()).toEqual(missing.sort());
  const activeOf = (list: typeof whole.list) => list.filter(({ isActive }) => isActive).length;
  expect(activeOf(whole.list)).toBe(activeOf(fresh.list));
});

test("on a devnet with mainnet addresses logos come from mainnet's list, names from the contract", async () => {
  const tokens = await rank();
  expect(tokens.find(({ address }) => address === USDC)).toMatchObject({
    name: "USDC token",
    chainId: 31337,
  });
  expect(tokens.find(({ address }) => address === USDC)?.logoUri).toMatch(/^https:/);
  expect(tokens.find(({ address }) => address === FAKE)?.logoUri).toBe("");
});

test("on a listed chain the names are the list's, the decimals the contract's, and tokens without a pool are listed", async () => {
  const tokens = await rank({
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

test("a token whose depth cannot be valued is not active", async () => {
  const tokens = await rank({ depthNative: () => Number.NaN });
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
