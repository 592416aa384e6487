import { readFileSync } from "node:fs";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import fluidArtifact from "../../../contracts/devnet/out/FluidPool.json" with { type: "json" };
import { asked, type Fields, integer, list, parseVectors, type Vector } from "../../protocols/swapvec.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

/** Compares the model of Fluid's pools with recorded swaps. */

const abi = parseAbi([
  "struct Half { uint128 real0; uint128 real1; uint128 imaginary0; uint128 imaginary1; }",
  "struct Limit { uint112 available; uint112 expandsTo; uint32 duration; }",
  "struct FluidTerms { uint64 fee; uint64 revenueCut; uint128 centerPrice; }",
  "function open(address[2] tokens, address wrapped, FluidTerms terms, Half[2] halves, Limit[4] limits)",
  "function readFromStorage(bytes32 slot) view returns (uint256)",
  "function estimate(bool swap0to1, uint256 amount) view returns (uint256)",
]);

let chain: ModelChain;

beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

/** The second of the opening, which a Fluid pool stores in its first word from this bit on. */
const BIT_OF_TIME = 121n;

const openFluid: Opening = async ({ tokens, state, pool }, model) => {
  const coins = [chain.next(), chain.next()] as const;
  const decimals = list(state.decimals).map((value) => Number(integer(value)));
  for (const [k, coin] of coins.entries()) await chain.place(coin, decimals[k]!, { holder: model, held: 0n });
  await chain.put(model, fluidArtifact.runtimeCode);
  const halfOf = (fields: unknown) => {
    const of = (name: string) => integer((fields as Fields)[name]);
    return {
      real0: of("token0RealReserves"),
      real1: of("token1RealReserves"),
      imaginary0: of("token0ImaginaryReserves"),
      imaginary1: of("token1ImaginaryReserves"),
    };
  };
  const limitOf = (name: string) => {
    const { available, expandsTo, expandDuration } = (state.dexLimits as Fields)[name] as Fields;
    const [from, to, duration] = [available, expandsTo, expandDuration].map(integer);
    return { available: from!, expandsTo: to!, duration: Number(duration) };
  };
  const terms = { fee: integer(state.fee), revenueCut: 0n, centerPrice: integer(state.centerPrice) };
  const halves = [halfOf(state.collateralReserves), halfOf(state.debtReserves)] as const;
  const limits = [
    limitOf("withdrawableToken0"),
    limitOf("withdrawableToken1"),
    limitOf("borrowableToken0"),
    limitOf("borrowableToken1"),
  ] as const;
  const args = [coins, model, terms, halves, limits] as const;
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args }));
  const slot = `0x${"0".repeat(64)}` as const;
  const stored = encodeFunctionData({ abi, functionName: "readFromStorage", args: [slot] });
  const opened = (await chain.words({ to: model, data: stored }))[0]! >> BIT_OF_TIME;
  const now = opened + integer(pool.timestamp) - integer(state.syncTimestamp);
  return async (swap) => {
    const question = [swap.tokenIn === tokens[0], asked(swap)] as const;
    const data = encodeFunctionData({ abi, functionName: "estimate", args: question });
    return (await chain.words({ to: model, data }, Number(now)))[0];
  };
};

/** Drops swaps of an exact output, which the model does not know. */
function ofSales(vector: Vector): Vector {
  return { ...vector, swaps: vector.swaps.filter(({ kind }) => kind === "exactIn") };
}

test("a Fluid pool answers recorded swaps to the unit", async () => {
  const file = new URL("../../protocols/fluid/vectors.json", import.meta.url);
  const vectors = parseVectors(readFileSync(file, "utf8")).map(ofSales);
  const { count, wrong } = await tryModels(chain, openFluid, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(14);
});
