import { callData, hasWords, uintAt } from "../../core/abi.ts";
import { ONE } from "../../core/math/fixed-point.ts";
import type { At, Call, Hex, Pool, Refusal } from "../../core/types.ts";
import { designs } from "./designs.ts";
import { SURGE } from "./pools.ts";
import type { State, Surge } from "./state.ts";

const GET_POOL_DATA: Hex = "0x13d21cdf";
const GET_POOL_CONFIG: Hex = "0xf29486a1";
const IS_VAULT_PAUSED: Hex = "0x098401f5";
const GET_MINIMUM_TRADE: Hex = "0xe2cb0ba0";
const GET_MAX_SURGE_FEE: Hex = "0x1a4a64be";
const GET_SURGE_THRESHOLD: Hex = "0xe2381602";

/** Word indexes of fields in the vault's answers, and numbers of words. */
const config = { words: 13, swapFee: 4, swapShare: 5, isInitialized: 10, isPaused: 11, isInRecovery: 12 };
const data = { words: 7, balances: 3, rates: 5, factors: 6 };
/** Number of answers about the vault, before those of the hook and of the pool itself. */
const OF_VAULT = 4;

/** The parameters of a hook that raises fees in a surge. */
const surgeReads = (pool: Pool): readonly Hex[] =>
  pool.facts.hook === SURGE ? [GET_MAX_SURGE_FEE, GET_SURGE_THRESHOLD] : [];

/** One round: the vault's data on the pool, its hook's parameters, and its own. */
export function reads(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  const design = designs.get(String(pool.facts.design));
  if (answers.length > 0 || design === undefined || pool.facts.hook === "unknown") return [];
  const [vault, id, hook] = [pool.address, BigInt(pool.id), pool.facts.hookAddress as Hex];
  return [
    { to: vault, data: callData(GET_POOL_DATA, id) },
    { to: vault, data: callData(GET_POOL_CONFIG, id) },
    { to: vault, data: IS_VAULT_PAUSED },
    { to: vault, data: GET_MINIMUM_TRADE },
    // The hook of any other pool is a contract that its creator chose: it has no say in swaps, and is not called.
    ...surgeReads(pool).map((selector) => ({ to: hook, data: callData(selector, id) })),
    ...design.reads.map((selector) => ({ to: pool.id as Hex, data: selector })),
  ];
}

export function load(pool: Pool, answers: readonly Hex[], at: At): State | Refusal {
  const design = designs.get(String(pool.facts.design));
  if (design === undefined) return { refusal: "made by a factory that is not listed" };
  if (pool.facts.hook === "unknown") return { refusal: "its hooks may change what a swap pays" };
  const vault = readVault(pool, answers);
  if (typeof vault === "string") return { refusal: vault };
  const shape = design.shape(answers.slice(OF_VAULT + surgeReads(pool).length), pool.tokens);
  if (shape === undefined) return { refusal: "the pool's parameters failed" };
  const surge =
    pool.facts.hook === SURGE ? surgeOf(answers[OF_VAULT] ?? "0x", answers[OF_VAULT + 1] ?? "0x") : null;
  if (surge === undefined) return { refusal: "the hook's parameters failed" };
  if (surge !== null && shape.kind !== "stable") return { refusal: "a surge hook on another curve" };
  return { ...vault, shape, surge, onlyIn: pool.facts.hasRates === true ? at.blockNumber : 0 };
}

/** @returns a string if the pool is refused: the reason */
function readVault(pool: Pool, answers: readonly Hex[]): Omit<State, "shape" | "surge" | "onlyIn"> | string {
  const [poolData = "0x", poolConfig = "0x", paused = "0x", least = "0x"] = answers;
  if (!hasWords(poolConfig, config.words)) return "getPoolConfig failed";
  const flag = (index: number) => uintAt(poolConfig, index) !== 0n;
  if (!hasWords(paused, 1) || uintAt(paused, 0) !== 0n) return "the vault is paused";
  if (flag(config.isPaused)) return "the pool is paused";
  if (!flag(config.isInitialized)) return "the pool is not initialized";
  const count = pool.tokens.length;
  const [balances, rates, factors] = [data.balances, data.rates, data.factors].map((field) =>
    listOf(poolData, field, count),
  );
  if (balances === undefined || rates === undefined || factors === undefined) return "getPoolData failed";
  if (!hasWords(least, 1)) return "getMinimumTradeAmount failed";
  if (rates.includes(0n) || factors.includes(0n)) return "a rate is zero";
  return {
    vault: pool.address,
    tokens: pool.tokens,
    balances,
    factors,
    rates,
    swapFee: uintAt(poolConfig, config.swapFee),
    aggregateFee: flag(config.isInRecovery) ? 0n : uintAt(poolConfig, config.swapShare),
    leastTrade: uintAt(least, 0),
  };
}

/** The elements of a dynamic array in the answer's record; offsets count from the start of the record. */
function listOf(answer: Hex, field: number, count: number): readonly bigint[] | undefined {
  if (!hasWords(answer, 1)) return undefined;
  const start = Number(uintAt(answer, 0)) / 32;
  if (!hasWords(answer, start + data.words)) return undefined;
  const list = start + Number(uintAt(answer, start + field)) / 32;
  if (!hasWords(answer, list + 1 + count) || uintAt(answer, list) !== BigInt(count)) return undefined;
  return Array.from({ length: count }, (_, k) => uintAt(answer, list + 1 + k));
}

/** The surge parameters; undefined if they failed. A threshold of 1 would divide by zero. */
function surgeOf(maxFee: Hex, threshold: Hex): Surge | undefined {
  if (!hasWords(maxFee, 1) || !hasWords(threshold, 1) || uintAt(threshold, 0) >= ONE) return undefined;
  return { threshold: uintAt(threshold, 0), maxFee: uintAt(maxFee, 0) };
}
