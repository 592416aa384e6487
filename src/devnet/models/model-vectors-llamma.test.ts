import { readFileSync } from "node:fs";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import marketArtifact from "../../../contracts/devnet/out/Llamma.json" with { type: "json" };
import type { Address } from "../../core/types.ts";
import { asked, type Fields, integer, list, parseVectors } from "../../protocols/swapvec.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

/** Compares the model of Curve's lending AMM (LLAMMA) with recorded swaps of real markets. */

const abi = parseAbi([
  "struct Given { address[2] coins; uint16 a; uint64 fee; uint64 adminFee; bool isNewer; uint128 basePrice; uint256 price; int32 activeBand; int32 minBand; int32 maxBand; int32 first; uint256[] x; uint256[] y; }",
  "function open(Given given)",
  "function get_dy(uint256 i, uint256 j, uint256 dx) view returns (uint256)",
]);

let chain: ModelChain;

beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

function bandsOf(state: Fields) {
  const bands = list(state.bands).map((band) => {
    const { i, x, y } = band as Fields;
    return { n: Number(integer(i)), x: integer(x), y: integer(y) };
  });
  const first = Math.min(...bands.map(({ n }) => n));
  const x = Array.from({ length: Math.max(...bands.map(({ n }) => n)) - first + 1 }, () => 0n);
  const y = x.slice();
  for (const { n, x: lent, y: collateral } of bands) [x[n - first], y[n - first]] = [lent, collateral];
  return { first, x, y };
}

const openMarket: Opening = async ({ tokens, state, pool }, model) => {
  const coins = tokens as readonly Address[];
  for (const [k, token] of coins.entries()) {
    const { decimals } = list(pool.tokens)[k] as Fields;
    await chain.place(token, Number(integer(decimals)), { holder: model, held: 0n });
  }
  await chain.put(model, marketArtifact.runtimeCode);
  const [activeBand, minBand, maxBand] = [state.activeBand, state.minBand, state.maxBand].map((n) =>
    Number(integer(n)),
  );
  const given = {
    coins: [coins[0]!, coins[1]!] as const,
    ...{ a: Number(integer(state.A)), fee: integer(state.fee), adminFee: integer(state.adminFee) },
    ...{ basePrice: integer(state.basePrice), price: integer(state.priceOracle) },
    ...{ isNewer: state.useDynamicFee === true, ...bandsOf(state) },
    ...{ activeBand: activeBand!, minBand: minBand!, maxBand: maxBand! },
  };
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", args: [given] }));
  return async (swap) => {
    const [i, j] = [swap.tokenIn, swap.tokenOut].map((token) => BigInt(tokens.indexOf(token)));
    const data = encodeFunctionData({ abi, functionName: "get_dy", args: [i!, j!, asked(swap)] });
    return (await chain.words({ to: model, data }))[0];
  };
};

test("a lending market answers recorded swaps to the unit", async () => {
  const file = new URL("../../protocols/curve-llamma/vectors.json", import.meta.url);
  const vectors = parseVectors(readFileSync(file, "utf8"));
  const { count, wrong } = await tryModels(chain, openMarket, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(51);
});
