import { readFileSync } from "node:fs";
import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import hookArtifact from "../../contracts/devnet/out/BalancerSurgeHook.json" with { type: "json" };
import queryArtifact from "../../contracts/devnet/out/BalancerV3Query.json" with { type: "json" };
import stableArtifact from "../../contracts/devnet/out/BalancerV3StablePool.json" with { type: "json" };
import vaultArtifact from "../../contracts/devnet/out/BalancerV3Vault.json" with { type: "json" };
import weightedArtifact from "../../contracts/devnet/out/BalancerV3WeightedPool.json" with { type: "json" };
import rateArtifact from "../../contracts/devnet/out/FixedRate.json" with { type: "json" };
import type { Address } from "../core/types.ts";
import { asked, type Fields, integer, list, parseVectors } from "../protocols/swapvec.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

/** The model of Balancer's third vault, with its pools, rates and hook, against the swaps recorded of the real one. */

const ONE = 10n ** 18n;
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Registration { address pool; address factory; TokenConfig[] tokens; uint256 swapFee; uint256 aggregateFee; address hook; uint256[] balances; }",
  "struct VaultSwap { uint8 kind; address pool; address tokenIn; address tokenOut; uint256 amountGivenRaw; uint256 limitRaw; bytes userData; }",
  "function register(Registration given)",
  "function open(address[] tokens, uint256[] weights, uint256 fee)",
  "function open(uint256 from, uint256 to, uint256 duration)",
  "function open(address pool, uint256 threshold, uint256 maxFee)",
  "function open(uint256 rate)",
  "function querySwap(address vault, VaultSwap given) returns (uint256)",
]);

let chain: ModelChain;

beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

/** A contract of its own, opened by a call. */
async function stand(artifact: { readonly runtimeCode: string }, opening?: Hex): Promise<Address> {
  const address = chain.next();
  await chain.put(address, artifact.runtimeCode);
  if (opening !== undefined) await chain.send(address, opening);
  return address;
}

const open = (...args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName: "open", args: args as never });

/** Recorded states name their fields in one of two ways. */
const either = (state: Fields, one: string, other: string): unknown => state[one] ?? state[other];
const integers = (value: unknown) => list(value).map(integer);

async function standPool(state: Fields, tokens: readonly Address[]): Promise<Address> {
  if (state.amp !== undefined) return stand(stableArtifact, open(integer(state.amp), integer(state.amp), 0n));
  const weights = integers(either(state, "weights", "normalizedWeights"));
  return stand(weightedArtifact, open(tokens, weights, 0n));
}

async function standHook(pool: Address, hook: unknown): Promise<Address> {
  const data = (hook as Fields | undefined)?.dynamicData as Fields | undefined;
  if (data === undefined) return NOBODY;
  const [threshold, maxFee] = [data.surgeThresholdPercentage, data.maxSurgeFeePercentage].map(integer);
  return stand(hookArtifact, open(pool, threshold, maxFee));
}

const openVault: Opening = async ({ tokens, state }, vault) => {
  const places = tokens as readonly Address[];
  const [live, factors, rates] = [
    either(state, "balancesLiveScaled18", "balsE18"),
    either(state, "scalingFactors", "decs"),
    either(state, "tokenRates", "rates"),
  ].map(integers);
  for (const [k, token] of places.entries())
    await chain.place(token, 19 - String(factors![k]).length, { holder: vault, held: 0n });
  await chain.put(vault, vaultArtifact.runtimeCode);
  const pool = await standPool(state, places);
  const providers: Address[] = [];
  for (const rate of rates!) providers.push(await stand(rateArtifact, open(rate)));
  const registration = {
    ...{ pool, factory: NOBODY, hook: await standHook(pool, state.hook) },
    tokens: places.map((token, k) => {
      return { token, tokenType: 1, rateProvider: providers[k]!, paysYieldFees: false };
    }),
    swapFee: integer(either(state, "swapFee", "fee")),
    aggregateFee: integer(either(state, "aggregateSwapFee", "aggrFee")),
    // The least that is so much with its rate: the vault rounds down.
    balances: live!.map((balance, k) => {
      const unit = factors![k]! * rates![k]!;
      return (balance * ONE + unit - 1n) / unit;
    }),
  };
  await chain.send(vault, encodeFunctionData({ abi, functionName: "register", args: [registration] }));
  const query = await stand(queryArtifact);
  return async (swap) => {
    const [tokenIn, tokenOut] = [swap.tokenIn as Address, swap.tokenOut as Address];
    const terms = { pool, tokenIn, tokenOut, amountGivenRaw: asked(swap), limitRaw: 0n } as const;
    const given = { ...terms, kind: swap.kind === "exactIn" ? 0 : 1, userData: "0x" } as const;
    const data = encodeFunctionData({ abi, functionName: "querySwap", args: [vault, given] });
    return (await chain.words({ to: query, data }))[0];
  };
};

test("Balancer's third vault answers recorded swaps to the unit", async () => {
  const file = new URL("../protocols/balancer-v3/vectors.json", import.meta.url);
  const vectors = parseVectors(readFileSync(file, "utf8")).filter(({ protocol }) =>
    /^balancer-v3-(weighted|stable)/.test(protocol),
  );
  const { count, wrong } = await tryModels(chain, openVault, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(12);
});
