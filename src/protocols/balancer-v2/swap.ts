import { leastInput } from "../../core/math/least-input.ts";
import { MAX_BALANCE, moved } from "../balancer-vault.ts";
import type { Order, Trade } from "../own-state.ts";
import { stableGas, swapStable } from "./stable.ts";
import type { State } from "./state.ts";
import { swapWeighted, WEIGHTED_GAS } from "./weighted.ts";

/**
 * What the vault answers to a swap of either kind: the amount that was not given.
 *
 * @returns undefined when it would revert, or where nothing comes of it
 */
export function swap(state: State, order: Order): bigint | undefined {
  const { i, j, amount, side } = order;
  if (amount <= 0n || amount > MAX_BALANCE) return undefined;
  const answer = state.kind === "weighted" ? swapWeighted(state, order) : swapStable(state, order);
  if (answer === undefined || answer <= 0n) return undefined;
  const [amountIn, amountOut] = side === "in" ? [amount, answer] : [answer, amount];
  return amountOut > state.balances[j]! || state.balances[i]! + amountIn > MAX_BALANCE ? undefined : answer;
}

/**
 * The router sells exact amounts. What is bought therefore costs the least amount that sells for so much: the vault's
 * own answer to a given output may cost a little more, and may ask for more than it lets one sell.
 */
export function trade(state: State, order: Order): Trade<State> | undefined {
  const { i, j, amount, side } = order;
  const sell = (amountIn: bigint) => swap(state, { ...order, side: "in", amount: amountIn });
  const guess = side === "in" ? amount : swap(state, order);
  const amountIn = side === "in" || guess === undefined ? guess : leastInput(sell, amount, guess);
  const paid = amountIn === undefined ? undefined : sell(amountIn);
  if (amountIn === undefined || paid === undefined) return undefined;
  const isStable = state.kind === "stable";
  const balances = moved(state, { i, j, in: amountIn, out: paid });
  return {
    amountIn,
    amountOut: side === "in" ? paid : amount,
    gas: isStable ? stableGas(balances.length) : WEIGHTED_GAS,
    next: isStable ? { ...state, balances, supply: 0n } : { ...state, balances },
  };
}
