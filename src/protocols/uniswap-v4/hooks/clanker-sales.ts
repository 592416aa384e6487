import { LIMIT_DOWN, LIMIT_UP, swap } from "../../../core/math/concentrated/concentrated-swap.ts";
import type { Refusal } from "../../../core/types.ts";
import { swapFee } from "../../shared/pool-managers/pool-manager.ts";
import { clankerRule } from "./clanker-rule.ts";
import { afterInputCut, type HookedPool, type HookRule } from "./rule.ts";

/** Gas of a sale of the locker in the pool, with the hook's calls of its own. */
const SALE_GAS = 180_000;

type Pair = { readonly state: HookedPool; readonly rule: HookRule };

/**
 * The pool as the next swap finds it: after the locker's sales of token 0, then of token 1. The hook is called for
 * each sale too, and sets the fee of its direction; that of the last sale is left for the swap, whatever its own
 * direction.
 *
 * @param state with the rule of a swap without sales
 * @param sales amounts of both tokens, 0n for none
 * @source clanker-devco/v4-contracts b004c2e src/lp-lockers/ClankerLpLockerFeeConversion.sol _collectRewards,
 *   src/hooks/ClankerHook.sol _beforeSwap
 */
export function afterSales(
  start: HookedPool,
  clanker: 0 | 1,
  sales: readonly [bigint, bigint],
): HookedPool | Refusal {
  const rule = start.rule!;
  let state = start;
  let left = rule.fees!;
  let gas = rule.gas;
  for (const side of [0, 1] as const) {
    if (sales[side] === 0n) continue;
    const sold = afterSale({ state, rule }, side, sales[side]);
    if (sold === undefined) return { refusal: "the pool does not take what the locker sells before a swap" };
    state = sold;
    left = [rule.fees![side], rule.fees![side]];
    gas += SALE_GAS;
  }
  return { ...state, rule: { ...clankerRule(clanker, left, gas), moves: "before" } };
}

/** The pool after a sale, whatever it pays; undefined if it does not take all. */
function afterSale({ state, rule }: Pair, side: 0 | 1, amount: bigint): HookedPool | undefined {
  const net = afterInputCut(amount, rule.inputCuts[side]);
  const feePpm = swapFee(state.protocolFees[side], rule.fees![side]);
  const done = swap({ ...state, feePpm }, side === 0, net, side === 0 ? LIMIT_DOWN : LIMIT_UP);
  if (done === undefined || done.unfilled !== 0n) return undefined;
  const { sqrtPriceX96, tick, liquidity } = done;
  return { ...state, sqrtPriceX96, tick, liquidity };
}
