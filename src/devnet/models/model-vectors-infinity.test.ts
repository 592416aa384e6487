import { readFileSync } from "node:fs";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import binArtifact from "../../../contracts/devnet/out/InfinityBinManager.json" with { type: "json" };
import clArtifact from "../../../contracts/devnet/out/InfinityClManager.json" with { type: "json" };
import { LIMIT_DOWN, LIMIT_UP } from "../../core/math/concentrated/concentrated-swap.ts";
import type { Address } from "../../core/types.ts";
import {
  asked,
  type Fields,
  integer,
  list,
  parseVectors,
  type Vector,
  type VectorSwap,
} from "../../protocols/swapvec.ts";
import { keyOf, POOL_KEY } from "../plan/infinity.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

/** Compares the models of PancakeSwap Infinity's managers with recorded swaps. Their Vault takes note of nothing here. */

const abi = parseAbi([
  POOL_KEY,
  "struct Position { int24 tickLower; int24 tickUpper; uint128 liquidity; }",
  "struct Bin { uint128 x; uint128 y; }",
  "struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }",
  "function open(address vault)",
  "function create(PoolKey key, uint160 sqrtPriceX96, uint24 protocolFee, Position[] positions)",
  "function create(PoolKey key, uint24 first, uint24 activeId, uint24 protocolFee, Bin[] bins)",
  "function swap(PoolKey key, SwapParams params, bytes hookData) returns (int256)",
  "function swap(PoolKey key, bool swapForY, int128 amountSpecified, bytes hookData) returns (int256)",
]);

const TOKENS: readonly [Address, Address] = [
  "0x0000000000000000000000000000000000000001",
  "0x0000000000000000000000000000000000000002",
];
/** Code that answers every call with nothing. */
const STOP = "0x00";

let chain: ModelChain;

beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

function vectorsOf(design: string): readonly Vector[] {
  const file = new URL(`../../protocols/${design}/vectors.json`, import.meta.url);
  return parseVectors(readFileSync(file, "utf8"));
}

const small = (fields: unknown, name: string) => Number(integer((fields as Fields)[name]));

async function openManager(model: Address, runtimeCode: string): Promise<void> {
  const vault = chain.next();
  await chain.put(vault, STOP);
  await chain.put(model, runtimeCode);
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args: [vault] }));
}

const packedFees = ({ protocolFee }: Fields) =>
  small(protocolFee, "oneForZero") * 2 ** 12 + small(protocolFee, "zeroForOne");

/** Both managers sell where the amount is negative. */
const signed = (swap: VectorSwap) => (swap.kind === "exactIn" ? -asked(swap) : asked(swap));

/** The amount that was not given, of a balance delta. */
function answerOf(delta: bigint | undefined, swap: VectorSwap, zeroForOne: boolean): bigint | undefined {
  if (delta === undefined) return undefined;
  const [first, second] = [BigInt.asIntN(128, delta >> 128n), BigInt.asIntN(128, delta)];
  const [sold, bought] = zeroForOne ? [-first, second] : [-second, first];
  return swap.kind === "exactIn" ? bought : sold;
}

/** Positions between neighbouring ticks that add up to the recorded ticks. */
function positionsOf(state: Fields) {
  const ticks = list(state.ticks) as Fields[];
  let liquidity = 0n;
  return ticks.slice(0, -1).map((tick, k) => {
    liquidity += integer(tick.liquidityNet);
    return { tickLower: small(tick, "index"), tickUpper: small(ticks[k + 1], "index"), liquidity };
  });
}

const openTicks: Opening = async ({ tokens, state }, model) => {
  await openManager(model, clArtifact.runtimeCode);
  const key = keyOf(model, TOKENS, { fee: small(state, "fee"), spacing: small(state, "tickSpacing") });
  const args = [key, integer(state.sqrtPriceX96), packedFees(state), positionsOf(state)] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "create", args }));
  return async (swap) => {
    const zeroForOne = swap.tokenIn === tokens[0];
    const limit = swap.fields.sqrtPriceLimitX96 ?? (zeroForOne ? LIMIT_DOWN : LIMIT_UP).toString();
    const { amountSpecified } = swap.fields;
    const amount = amountSpecified === undefined ? signed(swap) : -integer(amountSpecified);
    const params = { zeroForOne, amountSpecified: amount, sqrtPriceLimitX96: integer(limit) };
    const data = encodeFunctionData({ abi, functionName: "swap", args: [key, params, "0x"] });
    return answerOf((await chain.words({ to: model, data }))[0], swap, zeroForOne);
  };
};

const openBins: Opening = async ({ tokens, state }, model) => {
  await openManager(model, binArtifact.runtimeCode);
  const key = keyOf(model, TOKENS, { fee: small(state, "lpFee"), spacing: small(state, "binStep") });
  const recorded = list(state.bins) as Fields[];
  const ids = recorded.map((bin) => small(bin, "id"));
  const first = Math.min(...ids);
  const bins = Array.from({ length: Math.max(...ids) - first + 1 }, () => ({ x: 0n, y: 0n }));
  for (const [k, bin] of recorded.entries())
    bins[ids[k]! - first] = { x: integer(bin.reserveX), y: integer(bin.reserveY) };
  const args = [key, first, small(state, "activeId"), packedFees(state), bins] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "create", args }));
  return async (swap) => {
    const swapForY = swap.tokenIn === tokens[0];
    const args = [key, swapForY, signed(swap), "0x"] as const;
    const data = encodeFunctionData({ abi, functionName: "swap", args });
    return answerOf((await chain.words({ to: model, data }))[0], swap, swapForY);
  };
};

/** Vectors by model, with the least number of swaps that they must have. */
const designs: readonly (readonly [name: string, Opening, least: number, readonly Vector[]])[] = [
  ["a manager of concentrated liquidity", openTicks, 4, vectorsOf("pancake-infinity-cl")],
  ["a manager of bins", openBins, 10, vectorsOf("pancake-infinity-bin")],
];

test.each(designs)("%s answers recorded swaps to the unit", async (_name, open, least, vectors) => {
  const { count, wrong } = await tryModels(chain, open, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(least);
});
