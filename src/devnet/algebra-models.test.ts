import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import artifact from "../../contracts/devnet/out/AlgebraV1Pool.json" with { type: "json" };
import { type Concentrated, LIMIT_DOWN, LIMIT_UP, swap } from "../core/math/concentrated-swap.ts";
import type { Address } from "../core/types.ts";
import { states } from "../protocols/algebra/arbitrary.ts";
import { concentratedOf } from "../protocols/concentrated-vectors.ts";
import {
  asked,
  complaint,
  integer,
  list,
  parseVectors,
  type Vector,
  type VectorSwap,
} from "../protocols/swapvec.ts";
import { type ModelChain, startModelChain } from "./model-chain.ts";

const abi = parseAbi([
  "struct Opening { int24 index; uint128 total; int128 net; }",
  "function open(address[2] tokens, uint16 fee, uint160 price, int24 tick, Opening[] ticks)",
  "function quote(bool zeroToOne, int256 amount, uint160 limit) view returns (int256 left, uint256 other, int24 tick)",
]);
const TOKENS = [
  "0x00000000000000000000000000000000000000a1",
  "0x00000000000000000000000000000000000000a2",
] as const;

let chain: ModelChain;
beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

async function openModel(pool: Concentrated): Promise<Address> {
  const model = chain.next();
  await chain.put(model, artifact.runtimeCode);
  // Only the bitmap's reader asks for the gross liquidity.
  const ticks = pool.ticks.map((index, k) => ({ index, total: 1n, net: pool.nets[k]! }));
  const args = [TOKENS, pool.feePpm, pool.sqrtPriceX96, pool.tick, ticks] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args }));
  return model;
}

type Order = { readonly zeroToOne: boolean; readonly amount: bigint; readonly limit: bigint };

/** Undefined where the model reverts. */
async function ask(model: Address, { zeroToOne, amount, limit }: Order) {
  const data = encodeFunctionData({ abi, functionName: "quote", args: [zeroToOne, amount, limit] });
  const [left, other, tick] = await chain.words({ to: model, data });
  if (left === undefined) return undefined;
  const moved = amount - BigInt.asIntN(256, left);
  const amounts = amount > 0n ? [moved, other!] : [other!, -moved];
  return { amountIn: amounts[0]!, amountOut: amounts[1]!, tick: Number(BigInt.asIntN(24, tick!)) };
}

function orderOf(recorded: VectorSwap, zeroToOne: boolean): Order {
  const { amountSpecified, sqrtPriceLimitX96 } = recorded.fields;
  const size = amountSpecified === undefined ? asked(recorded) : integer(amountSpecified);
  const limit =
    sqrtPriceLimitX96 === undefined ? (zeroToOne ? LIMIT_DOWN : LIMIT_UP) : integer(sqrtPriceLimitX96);
  const magnitude = size < 0n ? -size : size;
  return { zeroToOne, amount: recorded.kind === "exactIn" ? magnitude : -magnitude, limit };
}

test("v1, whose spacing is 60, answers what Uniswap v3's own pools of that spacing answered in its tests", async () => {
  const file = new URL("../protocols/uniswap-v3/vectors.json", import.meta.url);
  const vectors = parseVectors(readFileSync(file, "utf8"));
  let count = 0;
  // More ticks than one transaction can open are those of pools on a chain.
  const fits = ({ state }: Vector) => state.tickSpacing === 60 && list(state.ticks).length < 100;
  for (const vector of vectors.filter(fits)) {
    const { fee, ...state } = vector.state;
    const model = await openModel(concentratedOf(state, fee));
    for (const recorded of vector.swaps) {
      const zeroToOne = vector.tokens.indexOf(recorded.tokenIn) === 0;
      const answer = await ask(model, orderOf(recorded, zeroToOne));
      expect(complaint(recorded, answer), `${vector.id} ${asked(recorded)}`).toBe(undefined);
      count++;
    }
  }
  expect(count).toBeGreaterThanOrEqual(80);
});

const order = fc
  .record({ zeroToOne: fc.boolean(), bits: fc.integer({ min: 1, max: 110 }), buys: fc.boolean() })
  .map(({ zeroToOne, bits, buys }) => {
    const amount = (1n << BigInt(bits)) + BigInt(bits);
    return { zeroToOne, amount: buys ? -amount : amount, limit: zeroToOne ? LIMIT_DOWN : LIMIT_UP };
  });

const ofWords = states.filter(({ linked }) => linked !== true);

test("it answers what Braid's swap answers, from pools and orders at random", {
  timeout: 60_000,
}, async () => {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(ofWords, fc.array(order, { minLength: 6, maxLength: 6 }), async (pool, orders) => {
      const model = await openModel(pool);
      for (const one of orders) {
        const done = swap(pool, one.zeroToOne, one.amount, one.limit);
        const expected = done && { amountIn: done.amountIn, amountOut: done.amountOut, tick: done.tick };
        expect(await ask(model, one)).toEqual(expected);
        if (done !== undefined) filled++;
      }
    }),
    { numRuns: 25 },
  );
  expect(filled).toBeGreaterThan(75);
});
