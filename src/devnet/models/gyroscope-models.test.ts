import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import rateArtifact from "../../../contracts/devnet/out/FixedRate.json" with { type: "json" };
import ellipseArtifact from "../../../contracts/devnet/out/GyroEclpPool.json" with { type: "json" };
import threeArtifact from "../../../contracts/devnet/out/GyroThreePool.json" with { type: "json" };
import twoArtifact from "../../../contracts/devnet/out/GyroTwoPool.json" with { type: "json" };
import type { Address } from "../../core/types.ts";
import { subjects } from "../../protocols/gyroscope/arbitrary.ts";
import { ellipseTerms } from "../../protocols/gyroscope/devnet.ts";
import type { State } from "../../protocols/gyroscope/state.ts";
import { design } from "../../protocols/gyroscope/swap.ts";
import { eclpParams } from "../../protocols/gyroscope/vectors.ts";
import { vaultSwap } from "../../protocols/shared/balancer-vault.ts";
import { asked, integer, list, parseVectors, type Vector } from "../../protocols/swapvec.ts";
import { type ModelChain, type Opening, startModelChain, tryModels } from "./model-chain.ts";

const abi = parseAbi([
  "struct Params { int128 c; int128 s; int128 lambda; int128 dSq; int128 tauAlphaX; int128 tauAlphaY; int128 tauBetaX; int128 tauBetaY; int128 u; int128 v; int128 w; int128 z; }",
  "function open(address[] tokens, uint128[2] bounds, uint256 fee)",
  "function open(address[] tokens, int256[2] bounds, Params params, uint256 fee, address[2] providers)",
  "function open(address[] tokens, uint256 root3Alpha, uint256 fee)",
  "function open(uint256 rate)",
  "function quote(uint8 kind, uint256[] balances, uint256 i, uint256 j, uint256 amount) view returns (uint256)",
]);
const ONE = 10n ** 18n;

let chain: ModelChain;
beforeAll(async () => {
  chain = await startModelChain();
});
afterAll(() => chain?.stop());

type Plain = Pick<State, "shape" | "swapFee" | "scaling" | "tokens">;

const NOBODY: Address = "0x0000000000000000000000000000000000000000";

/** Deploys a token by its scaling factor. One that is not a power of ten becomes a rate, with 18 decimals. */
async function placeToken(token: Address, scaling: bigint, model: Address): Promise<Address> {
  const digits = /^10+$/.test(String(scaling)) ? 18 - (String(scaling).length - 19) : undefined;
  await chain.place(token, digits ?? 18, { holder: model, held: 0n });
  if (digits !== undefined) return NOBODY;
  const provider = chain.next();
  await chain.put(provider, rateArtifact.runtimeCode);
  await chain.send(provider, encodeFunctionData({ abi, functionName: "open", args: [scaling] }));
  return provider;
}

const codes = { "2clp": twoArtifact, "3clp": threeArtifact, eclp: ellipseArtifact } as const;

async function openModel(model: Address, { shape, swapFee, scaling, tokens }: Plain): Promise<void> {
  const providers: Address[] = [];
  for (const [k, token] of tokens.entries()) providers.push(await placeToken(token, scaling[k]!, model));
  await chain.put(model, codes[shape.kind].runtimeCode);
  await chain.send(model, openingOf({ shape, swapFee, tokens }, providers));
}

function openingOf({ shape, swapFee, tokens }: Omit<Plain, "scaling">, providers: readonly Address[]): Hex {
  if (shape.kind === "3clp")
    return encodeFunctionData({ abi, functionName: "open", args: [tokens, shape.root3Alpha, swapFee] });
  if (shape.kind === "2clp") {
    const args = [tokens, [shape.sqrtAlpha, shape.sqrtBeta], swapFee] as const;
    return encodeFunctionData({ abi, functionName: "open", args });
  }
  const rated = [providers[0]!, providers[1]!] as const;
  const args = [tokens, [0n, 0n], ellipseTerms(shape.params), swapFee, rated] as const;
  return encodeFunctionData({ abi, functionName: "open", args });
}

type Asked = { readonly side: "in" | "out"; readonly i: number; readonly j: number; readonly amount: bigint };

async function ask(model: Address, balances: readonly bigint[], { side, i, j, amount }: Asked) {
  const args = [side === "in" ? 0 : 1, balances, BigInt(i), BigInt(j), amount] as const;
  const data = encodeFunctionData({ abi, functionName: "quote", args });
  return (await chain.words({ to: model, data }))[0];
}

function shapeOf(state: Vector["state"]): State["shape"] {
  if (state.root3Alpha !== undefined) return { kind: "3clp", root3Alpha: integer(state.root3Alpha) };
  if (state.sqrtParameters === undefined) return { kind: "eclp", params: eclpParams(state) };
  const [sqrtAlpha, sqrtBeta] = list(state.sqrtParameters).map(integer);
  return { kind: "2clp", sqrtAlpha: sqrtAlpha!, sqrtBeta: sqrtBeta! };
}

const openVector: Opening = async ({ state, tokens }, model) => {
  const digits = state.tokenDecimals === undefined ? undefined : list(state.tokenDecimals).map(integer);
  const rates = Array.isArray(state.tokenRates) ? state.tokenRates.map(integer) : undefined;
  const scaling =
    digits?.map((count, k) => (10n ** (36n - count) * (rates?.[k] ?? ONE)) / ONE) ??
    list(state.scalingFactors).map(integer);
  const shape = shapeOf(state);
  const swapFee = integer(state.swapFeePercentage);
  await openModel(model, { shape, swapFee, scaling, tokens: tokens as Address[] });
  const balances = list(state.reserves).map(integer);
  return (swap) => {
    const [i, j] = [tokens.indexOf(swap.tokenIn), tokens.indexOf(swap.tokenOut)];
    return ask(model, balances, { side: swap.kind === "exactIn" ? "in" : "out", i, j, amount: asked(swap) });
  };
};

test.each([
  ["gyro-2clp", 4],
  ["gyro-3clp", 4],
  ["gyro-eclp", 4],
])("recorded swaps: %s", async (name, least) => {
  const file = new URL("../../protocols/gyroscope/vectors.json", import.meta.url);
  const all = parseVectors(readFileSync(file, "utf8"));
  const vectors = all.filter((vector) => vector.protocol === name);
  const { count, wrong } = await tryModels(chain, openVector, vectors);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(least);
});

type Size = {
  readonly side: "in" | "out";
  readonly from: number;
  readonly to: number;
  readonly bits: number;
};

const size: fc.Arbitrary<Size> = fc.record({
  side: fc.constantFrom("in" as const, "out" as const),
  from: fc.nat(2),
  to: fc.nat(1),
  bits: fc.integer({ min: 12, max: 88 }),
});

function orderOf({ side, from, to, bits }: Size, { tokens }: State): Asked {
  const i = from % tokens.length;
  const j = (i + 1 + (to % (tokens.length - 1))) % tokens.length;
  return { side, i, j, amount: (1n << BigInt(bits)) + BigInt(bits) };
}

/** Only the model of the E-CLP has token rates. */
const modelled = subjects
  .map(({ pool, states }) => states.get(pool.stateIds[0]) as State)
  .filter(({ shape, onlyIn }) => shape.kind === "eclp" || onlyIn === 0);
const at = { blockNumber: 1, timestamp: 1 };

test("all answer what Braid's pool answers to the vault, at random", { timeout: 60_000 }, async () => {
  let filled = 0;
  await fc.assert(
    fc.asyncProperty(modelled, fc.array(size, { minLength: 6, maxLength: 6 }), async (state, sizes) => {
      const model = chain.next();
      const tokens = state.tokens.map(() => chain.next());
      await openModel(model, { ...state, tokens });
      for (const one of sizes.map((drawn) => orderOf(drawn, state))) {
        const answer = await ask(model, state.balances, one);
        const expected = vaultSwap(design, state, { ...one, at });
        // The vault, not the pool, refuses zero amounts and amounts beyond the balance.
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
