import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encodeFunctionData, type Hex, pad, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import ellipseArtifact from "../../contracts/devnet/out/GyroEclpPool.json" with { type: "json" };
import twoArtifact from "../../contracts/devnet/out/GyroTwoPool.json" with { type: "json" };
import type { Address } from "../core/types.ts";
import { vaultSwap } from "../protocols/balancer-vault.ts";
import { subjects } from "../protocols/gyroscope/arbitrary.ts";
import { ellipseTerms } from "../protocols/gyroscope/devnet.ts";
import type { State } from "../protocols/gyroscope/state.ts";
import { design } from "../protocols/gyroscope/swap.ts";
import { eclpParams } from "../protocols/gyroscope/vectors.ts";
import { asked, integer, list, parseVectors, type Vector } from "../protocols/swapvec.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

const abi = parseAbi([
  "struct Params { int128 c; int128 s; int128 lambda; int128 dSq; int128 tauAlphaX; int128 tauAlphaY; int128 tauBetaX; int128 tauBetaY; int128 u; int128 v; int128 w; int128 z; }",
  "struct Request { uint8 kind; address tokenIn; address tokenOut; uint256 amount; bytes32 poolId; uint256 lastChangeBlock; address from; address to; bytes userData; }",
  "function open(address[] tokens, uint128[2] bounds, uint256 fee)",
  "function open(address[] tokens, int256[2] bounds, Params params, uint256 fee)",
  "function onSwap(Request request, uint256 balanceIn, uint256 balanceOut) view returns (uint256)",
]);
const ONE = 10n ** 18n;

let chain: ModelChain;
beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

type Plain = Pick<State, "shape" | "swapFee" | "scaling" | "tokens">;

/** Opens the model of a pool without rates. */
async function openModel(model: Address, { shape, swapFee, scaling, tokens }: Plain): Promise<void> {
  for (const [k, token] of tokens.entries())
    await chain.place(token, 18 - (String(scaling[k]).length - 19), { holder: model, held: 0n });
  if (shape.kind === "3clp") throw new Error("there is no model of it");
  const isTwo = shape.kind === "2clp";
  await chain.put(model, (isTwo ? twoArtifact : ellipseArtifact).runtimeCode);
  const opening = isTwo
    ? { args: [tokens, [shape.sqrtAlpha, shape.sqrtBeta], swapFee] as const }
    : { args: [tokens, [0n, 0n], ellipseTerms(shape.params), swapFee] as const };
  await chain.send(model, encodeFunctionData({ abi, functionName: "open", ...opening }));
}

type Asked = { readonly side: "in" | "out"; readonly i: number; readonly j: number; readonly amount: bigint };

/** As the vault asks: with the tokens' addresses, and the balances of the two. */
async function ask(model: Address, { tokens, balances }: Pick<State, "tokens" | "balances">, asking: Asked) {
  const { side, i, j, amount } = asking;
  const parties = { from: chain.sender, to: chain.sender, userData: "0x", lastChangeBlock: 0n } as const;
  const [tokenIn, tokenOut] = [tokens[i]!, tokens[j]!];
  const poolId = pad("0x" as Hex);
  const request = { kind: side === "in" ? 0 : 1, amount, tokenIn, tokenOut, poolId, ...parties };
  const args = [request, balances[i]!, balances[j]!] as const;
  const data = encodeFunctionData({ abi, functionName: "onSwap", args });
  return (await chain.words({ to: model, data }))[0];
}

const openVector: Opening = async ({ state, tokens }, model) => {
  const digits = state.tokenDecimals === undefined ? undefined : list(state.tokenDecimals).map(integer);
  const scaling = digits?.map((count) => 10n ** (36n - count)) ?? list(state.scalingFactors).map(integer);
  const [sqrtAlpha, sqrtBeta] =
    state.sqrtParameters === undefined ? [] : list(state.sqrtParameters).map(integer);
  const shape: State["shape"] =
    sqrtAlpha === undefined || sqrtBeta === undefined
      ? { kind: "eclp", params: eclpParams(state) }
      : { kind: "2clp", sqrtAlpha, sqrtBeta };
  const swapFee = integer(state.swapFeePercentage);
  await openModel(model, { shape, swapFee, scaling, tokens: tokens as Address[] });
  const balances = list(state.reserves).map(integer);
  return (swap) => {
    const [i, j] = [tokens.indexOf(swap.tokenIn), tokens.indexOf(swap.tokenOut)];
    const held = { tokens: tokens as Address[], balances };
    return ask(model, held, { side: swap.kind === "exactIn" ? "in" : "out", i, j, amount: asked(swap) });
  };
};

const hasRates = ({ state }: Vector) =>
  Array.isArray(state.tokenRates) && state.tokenRates.some((rate) => integer(rate) !== ONE);

test.each([
  ["gyro-2clp", 4],
  ["gyro-eclp", 2],
])("recorded swaps of pools without rates: %s", async (name, least) => {
  const file = new URL("../protocols/gyroscope/vectors.json", import.meta.url);
  const all = parseVectors(readFileSync(file, "utf8"));
  const vectors = all.filter((vector) => vector.protocol === name && !hasRates(vector));
  const { count, wrong } = await tryModels(chain, openVector, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(least);
});

const order = fc
  .record({
    side: fc.constantFrom("in" as const, "out" as const),
    i: fc.constantFrom(0, 1),
    bits: fc.integer({ min: 12, max: 88 }),
  })
  .map(({ side, i, bits }) => ({ side, i, j: 1 - i, amount: (1n << BigInt(bits)) + BigInt(bits) }));
const plain = subjects
  .map(({ pool, states }) => states.get(pool.stateIds[0]) as State)
  .filter(({ shape, onlyIn }) => shape.kind !== "3clp" && onlyIn === 0);
const at = { blockNumber: 1, timestamp: 1 };

test("both answer what Braid's pool answers to the vault, at random", { timeout: 60_000 }, async () => {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(plain, fc.array(order, { minLength: 6, maxLength: 6 }), async (state, orders) => {
      const model = chain.next();
      const tokens = [chain.next(), chain.next()];
      await openModel(model, { ...state, tokens });
      for (const one of orders) {
        const answer = await ask(model, { ...state, tokens }, one);
        const expected = vaultSwap(design, state, { ...one, at });
        // The vault's own refusals are not the pool's: it has no more than it holds, and pays nothing for nothing.
        if (expected !== undefined) filled++;
        const isRefused = answer === undefined || answer === 0n || !fits(state, one, answer);
        expect(
          isRefused ? undefined : answer,
          JSON.stringify(one, (_, v) => String(v)),
        ).toBe(expected);
      }
    }),
    { numRuns: 30 },
  );
  expect(filled).toBeGreaterThan(60);
});

function fits({ balances }: State, { side, i, j, amount }: Asked, answer: bigint): boolean {
  const [amountIn, amountOut] = side === "in" ? [amount, answer] : [answer, amount];
  return amountOut <= balances[j]! && balances[i]! + amountIn < 2n ** 112n;
}
