import { addressAt, callData, hasWords, intAt, uintAt } from "../../../core/abi.ts";
import type { Call, Hex, Pool } from "../../../core/types.ts";
import { tokenOf } from "../../shared/pool-managers/pool-manager.ts";
import { type HookFamily, helperOf, NO_CUTS } from "./family.ts";

/**
 * Zora's hooks of coins that are only called after swaps and cannot return amounts (bits 7, 3 and 2 of their address
 * are 0), so that a swap pays what the pool's ticks say. After the swap the hook collects the pool's fees, adds a
 * fifth of them as liquidity, and sells the coin's part along the coin's payout path, whose first step is this pool.
 * The pool is therefore spent after a swap. If the path is longer, other pools change too: such pools are refused.
 *
 * @source ourzora/zora-protocol packages/coins/src at 73e95f69, a1caa4a6 and 5f2aebad: hooks/ZoraV4CoinHook.sol (before,
 *   BaseZoraV4CoinHook.sol), libs/CoinRewardsV4.sol, libs/UniV4SwapToCurrency.sol, BaseCoin.sol getPayoutSwapPath
 */

/** getPayoutSwapPath(address lookup) of a coin */
const GET_PAYOUT_SWAP_PATH: Hex = "0xf3ffe14b";

/**
 * Gas of the call after a swap. The median of 360 swaps with the compiled hook and five positions was 409,000; coins
 * have 11 to 33 positions, and each costs two reads of its fees.
 */
const GAS = 600_000;

/** The first step of a payout path, and the number of steps. */
type Path = {
  readonly steps: number;
  readonly to: string;
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: string;
};

/** Index of the word that an offset in `answer[at]`, counted from word `from`, points at; undefined if too far. */
function pointed(answer: Hex, at: number, from: number): number | undefined {
  if (!hasWords(answer, at + 1)) return undefined;
  const offset = uintAt(answer, at);
  return offset % 32n === 0n && offset < 65_536n ? from + Number(offset) / 32 : undefined;
}

/** The path in the answer of `getPayoutSwapPath`; undefined if the token is no coin. */
function pathOf(answer: Hex): Path | undefined {
  const path = pointed(answer, 1, 1);
  if (path === undefined || !hasWords(answer, path + 2)) return undefined;
  const step = pointed(answer, path + 1, path + 1);
  if (step === undefined || !hasWords(answer, step + 4)) return undefined;
  return {
    steps: Number(uintAt(answer, path)),
    to: tokenOf(addressAt(answer, step)),
    fee: Number(uintAt(answer, step + 1)),
    tickSpacing: Number(intAt(answer, step + 2)),
    hooks: addressAt(answer, step + 3),
  };
}

/** Whether the path's first step is this pool. */
function leadsThrough({ to, ...key }: Path, { tokens, facts }: Pool, coin: number): boolean {
  return (
    to === tokens[1 - coin] &&
    key.fee === facts.fee &&
    key.tickSpacing === facts.tickSpacing &&
    key.hooks === facts.hooks
  );
}

function readsOf(pool: Pool, answers: readonly Hex[]): readonly Call[] {
  if (answers.length > 0) return [];
  const data = callData(GET_PAYOUT_SWAP_PATH, BigInt(helperOf(pool, "zora-factory")));
  return pool.tokens.map((to) => ({ to, data, isUntrusted: true }));
}

export const zoraCoin: HookFamily = {
  reads: readsOf,
  load(pool, answers) {
    const own = answers.map(pathOf).find((path, coin) => path && leadsThrough(path, pool, coin));
    if (own === undefined) return { refusal: "no token is a Zora coin whose rewards are sold in this pool" };
    if (own.steps !== 1)
      return { refusal: "the hook sells the coin's rewards in other pools after each swap" };
    return { rule: { ...NO_CUTS, fees: null, gas: GAS, moves: "after" }, ages: false };
  },
};
