import fc from "fast-check";
import { keccak256 } from "viem/utils";
import { expect, test } from "vitest";
import type { Address, Hex } from "../../src/core/types.ts";
import { bloomOf } from "../../src/edge/node/logs/bloom.ts";
import { createChain, receiptsOf } from "./blocks/chain.ts";
import { PAIR_CREATED } from "./blocks/events.ts";
import { hashOf } from "./blocks/seal.ts";
import { listRoot } from "./blocks/trie.ts";
import { isPair } from "./model/states.ts";

const sizes = { v2: 2000, v3: 600, v4: 300 };
const create = () => createChain({ seed: 11, sizes, built: 12, headTimestamp: 1_760_000_000 });
const chain = create();
const { universe } = chain;

test("pools stand at the addresses that they have on Ethereum", () => {
  const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
  const known: Record<Hex, readonly number[]> = {
    "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc": [3000, 0],
    "0x397ff1542f962076d0bfe58ea045ffa2d347aca0": [3000, 0],
    "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640": [500, 10],
    "0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8": [3000, 60],
    "0x1ac1a8feaaea1900c4166deeed0c11cc10669d36": [500, 10],
  };
  for (const [address, tier] of Object.entries(known)) {
    const pool = universe.byKey(address as Hex);
    expect(pool, address).toBeDefined();
    expect(universe.pairAddresses(pool!)).toEqual([usdc, weth]);
    expect(universe.tier(pool!)).toEqual(tier);
  }
  const native = universe.byKey("0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27");
  expect(universe.pairAddresses(native!)).toEqual([`0x${"00".repeat(20)}`, usdc]);
});

test("a token's number follows from its address, and from nobody else's", () => {
  fc.assert(
    fc.property(fc.nat(universe.tokens.count - 1), (n) => {
      const address = universe.tokens.address(n);
      expect(universe.tokens.indexOf(address)).toBe(n);
      const other = `0x${address.slice(2, 41)}${address[41] === "0" ? "1" : "0"}` as Address;
      expect(universe.tokens.indexOf(other)).toBeUndefined();
    }),
  );
});

test("no pair of a factory stands twice", () => {
  const keys = new Set(Array.from({ length: universe.count }, (_, pool) => universe.key(pool)));
  expect(keys.size).toBe(universe.count);
});

test("the header names the hash, the bloom and the receipts of its block", () => {
  const block = chain.head();
  expect(block.transactions.length).toBeGreaterThan(20);
  expect(hashOf(block)).toBe(block.hash);
  expect(bloomOf(chain.logsOf(block))).toBe(block.logsBloom);
  expect(listRoot(receiptsOf(block).encoded)).toBe(block.receiptsRoot);
});

test("the root of a list is Ethereum's", () => {
  // One leaf by hand: RLP of [compact path of 0x80 as a leaf, value].
  expect(listRoot(["0xabcd"])).toBe(keccak256("0xc682208082abcd"));
  expect(listRoot([])).toBe("0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
});

test("the same seed builds the same chain, another one another", () => {
  expect(create().head().hash).toBe(chain.head().hash);
  const other = createChain({ seed: 12, sizes, built: 2, headTimestamp: 1_760_000_000 });
  expect(other.at(23_000_000)!.hash).not.toBe(chain.at(23_000_000)!.hash);
});

test("creation logs of any range are those of the pools that were created in it", () => {
  const topics = [new Set<Hex>([PAIR_CREATED])];
  fc.assert(
    fc.property(fc.nat(23_000_000), fc.nat(2_000_000), (first, span) => {
      const last = Math.min(chain.history.last, first + span);
      const rows = chain.logs({ first, last, addresses: undefined, topics });
      const expected = [...Array(universe.count).keys()].filter((pool) => {
        const at = chain.history.createdIn(pool);
        return universe.rangeOf(pool).kind === "v2" && at !== undefined && at >= first && at <= last;
      });
      expect(rows.length).toBe(expected.length);
      const pairs = rows.map(({ data }) => universe.byKey(`0x${data.slice(26, 66)}`));
      expect(new Set(pairs)).toEqual(new Set(expected));
    }),
    { numRuns: 15 },
  );
});

test("a reorg brings back every state as it was before the blocks that it takes away", () => {
  const own = create();
  const before = own.head();
  const states = () => [...Array(universe.count).keys()].map((pool) => own.state(pool, own.head()));
  const old = states();
  own.mine();
  own.mine();
  const orphan = own.head();
  expect(states()).not.toEqual(old);
  own.rewind(2);
  expect(own.head()).toBe(before);
  expect(states()).toEqual(old);
  own.mine();
  own.mine();
  expect(own.head().hash).not.toBe(orphan.hash);
  expect(own.byHash(orphan.hash)).toBe(orphan);
});

test("every pool with ticks has the liquidity that its ticks add up to, before and after traffic", () => {
  for (let pool = 0; pool < universe.count; pool++) {
    const state = chain.state(pool, chain.head());
    if (state === undefined || isPair(state)) continue;
    const sum = state.ticks.reduce(
      (total, tick, k) => (tick <= state.tick ? total + state.nets[k]! : total),
      0n,
    );
    expect(sum).toBe(state.liquidity);
  }
});
