import { callData, hasWords, uintAt, wordsAt } from "../../core/abi.ts";
import { mulDown, ONE } from "../../core/math/fixed-point.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import {
  designIn,
  factoryCount,
  factoryReads,
  readVault,
  type VaultAnswer,
  vaultReads,
} from "../shared/balancer-vault.ts";
import { NEVER, type Scaling, type StableState, type State } from "./state.ts";

const GET_NORMALIZED_WEIGHTS: Hex = "0xf89f27ed";
const GET_AMPLIFICATION: Hex = "0x6daccffa";
const GET_ACTUAL_SUPPLY: Hex = "0x876f303b";
const GET_RATE_PROVIDERS: Hex = "0x238a2d59";
/** getTokenRateCache(address) of composable pools: rate, old rate, duration, expiry. */
const GET_TOKEN_RATE_CACHE: Hex = "0x7f1260d1";
/** getPriceRateCache(address) of metastable pools: rate, duration, expiry. */
const GET_PRICE_RATE_CACHE: Hex = "0xb867ee5a";
const GET_RATE: Hex = "0x679aefce";

/** Design names under which a deployment may list its factories. */
const designs: ReadonlyMap<string, Pick<StableState, "kind" | "rounding"> | { readonly shortcuts: boolean }> =
  new Map([
    ["weighted-v1", { shortcuts: false }],
    ["weighted", { shortcuts: true }],
    ["stable", { kind: "stable", rounding: "up" }],
    ["metastable", { kind: "stable", rounding: "up" }],
    ["stable-v2", { kind: "stable", rounding: "down" }],
    ["composable-stable", { kind: "stable", rounding: "down" }],
  ]);

/** Three rounds: the factory that created the pool; its state; the rates of its providers. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const factories = factoryCount(pool);
  if (answers.length === 0) return factoryReads(pool);
  const design = designs.get(designIn(pool, answers) ?? "");
  if (design === undefined) return [];
  if (answers.length === factories) return [...vaultReads(pool), ...designReads(pool, "shortcuts" in design)];
  if ("shortcuts" in design) return [];
  const own = answers.slice(factories + vaultReads(pool).length);
  const providers = providersOf(pool, own);
  if (own.length > designReads(pool, false).length) return [];
  return providers
    .filter((provider) => provider !== 0n)
    .map((provider) => ({ to: asAddress(provider), data: GET_RATE, isUntrusted: true }));
}

function designReads(pool: Pool, isWeighted: boolean): readonly Call[] {
  const to = pool.id as Hex;
  if (isWeighted) return [{ to, data: GET_NORMALIZED_WEIGHTS }];
  return [
    { to, data: GET_AMPLIFICATION },
    { to, data: GET_ACTUAL_SUPPLY },
    { to, data: GET_RATE_PROVIDERS },
    ...pool.tokens.map((token) => ({ to, data: callData(GET_TOKEN_RATE_CACHE, BigInt(token)) })),
    ...pool.tokens.map((token) => ({ to, data: callData(GET_PRICE_RATE_CACHE, BigInt(token)) })),
  ];
}

/** Rate providers in the order of tokens, 0 for none; all 0 if the pool has no rates. */
function providersOf(pool: Pool, own: readonly Hex[]): readonly bigint[] {
  const answer = own[2] ?? "0x";
  const providers = wordsAt(answer, 0).map((index) => uintAt(answer, index));
  return providers.length === pool.tokens.length ? providers : pool.tokens.map(() => 0n);
}

function asAddress(word: bigint): Hex {
  return `0x${word.toString(16).padStart(40, "0")}`;
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const factories = factoryCount(pool);
  const design = designs.get(designIn(pool, answers) ?? "");
  if (design === undefined) return { refusal: "made by a factory that is not listed" };
  const shared = vaultReads(pool).length;
  const vault = readVault(pool, answers.slice(factories, factories + shared));
  if (typeof vault === "string") return { refusal: vault };
  const own = answers.slice(factories + shared);
  if ("shortcuts" in design) return loadWeighted(vault, own, design.shortcuts);
  return loadStable(pool, vault, { own, rounding: design.rounding, readFor: at.blockNumber });
}

function loadWeighted(
  { state, scaling }: VaultAnswer,
  own: readonly Hex[],
  shortcuts: boolean,
): State | Refusal {
  const answer = own[0] ?? "0x";
  const weights = wordsAt(answer, 0).map((index) => uintAt(answer, index));
  if (weights.length !== state.tokens.length || weights.includes(0n))
    return { refusal: "getNormalizedWeights failed" };
  return { ...state, kind: "weighted", scaling, weights, shortcuts };
}

type StableAnswers = Pick<StableState, "rounding" | "readFor"> & { readonly own: readonly Hex[] };

function loadStable(pool: Pool, vault: VaultAnswer, answers: StableAnswers): State | Refusal {
  const { own, rounding, readFor } = answers;
  const [amplification = "0x", supply = "0x"] = own;
  if (!hasWords(amplification, 3) || uintAt(amplification, 0) === 0n)
    return { refusal: "getAmplificationParameter failed" };
  // The target and end of a ramp cannot be read; logs carry them to a state that exists already.
  if (uintAt(amplification, 1) !== 0n) return { refusal: "amplification is being changed" };
  const scaling = scalings(pool, vault, own);
  if (scaling === undefined) return { refusal: "a rate failed" };
  const amp = uintAt(amplification, 0);
  return {
    ...vault.state,
    kind: "stable",
    scaling,
    ramp: { initialA: amp, futureA: amp, initialTime: 0, futureTime: 0 },
    rounding,
    shareIndex: pool.tokens.indexOf(pool.id as Hex),
    supply: hasWords(supply, 1) ? uintAt(supply, 0) : 0n,
    readFor,
  };
}

/** Scaling factors with rates; undefined if a provider or a cache does not answer. */
function scalings(pool: Pool, vault: VaultAnswer, own: readonly Hex[]): readonly Scaling[] | undefined {
  const count = pool.tokens.length;
  const providers = providersOf(pool, own);
  const live = own.slice(3 + 2 * count);
  let next = 0;
  const all = providers.map((provider, k): Scaling | undefined => {
    const plain = vault.scaling[k]! * ONE;
    if (provider === 0n) return { cached: plain, live: plain, expires: NEVER };
    const rate = live[next++] ?? "0x";
    const cache = cacheOf(own[3 + k] ?? "0x", own[3 + count + k] ?? "0x");
    if (cache === undefined || !hasWords(rate, 1)) return undefined;
    return {
      cached: mulDown(plain, cache.rate),
      live: mulDown(plain, uintAt(rate, 0)),
      expires: cache.expires,
    };
  });
  return all.every((one) => one !== undefined) ? all : undefined;
}

function cacheOf(composable: Hex, metastable: Hex) {
  if (hasWords(composable, 4)) return { rate: uintAt(composable, 0), expires: Number(uintAt(composable, 3)) };
  if (hasWords(metastable, 3)) return { rate: uintAt(metastable, 0), expires: Number(uintAt(metastable, 2)) };
  return undefined;
}
