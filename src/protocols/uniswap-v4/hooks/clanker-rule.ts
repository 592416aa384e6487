import type { HookRule } from "./rule.ts";

/** What Clanker's hooks with fixed fees take. @source clanker-devco/v4-contracts b004c2e src/hooks/ClankerHook.sol */

const PPM = 1_000_000;
/** The hook's fee is a fifth of the liquidity providers'. */
const FIFTH = 5;
const ONE = 10n ** 18n;

/** The hook's own fee in parts per million. @source ClankerHook.sol _setProtocolFee */
function hookFee(feePpm: number): number {
  return Math.floor(feePpm / FIFTH);
}

/** The hook's share of an input, with 18 decimals. @source ClankerHook.sol _beforeSwap */
function inputCut(feePpm: number): bigint {
  const fee = BigInt(hookFee(feePpm));
  return (fee * ONE) / (BigInt(PPM) + fee);
}

/** The rule of fees in the pool's order, with a locker that sells nothing. */
export function clankerRule(clanker: 0 | 1, fees: readonly [number, number], gas: number): HookRule {
  const paired = inputCut(fees[1 - clanker]!);
  const sale = hookFee(fees[clanker]);
  return {
    fees,
    inputCuts: clanker === 0 ? [0n, paired] : [paired, 0n],
    outputCuts: clanker === 0 ? [sale, 0] : [0, sale],
    gas,
    moves: "never",
  };
}
