import { leastInput } from "../../core/math/least-input.ts";
import { type StablePair, stableAmountOut, stableInvariant } from "../../core/math/pairs/solidly-math.ts";
import type { Order, Trade } from "../shared/own-state.ts";

/** State of a pair, as its contract and its factory store it. */
export type State = StablePair & {
  /** True for x³y + y³x = k, false for x·y = k. */
  readonly stable: boolean;
  /** Fee on the input, as the fraction fee / feeDenominator < 1. */
  readonly fee: bigint;
  readonly feeDenominator: bigint;
  /** Unix second of the read: factories change fees and pause without a log. */
  readonly readAt: number;
};

/** Gas units of one crossing through the router. */
const VOLATILE_GAS = 110_000;
const STABLE_GAS = 150_000;

export const gasOf = (stable: boolean): number => (stable ? STABLE_GAS : VOLATILE_GAS);

/** Largest amount; above it intermediate products overflow. */
const MAX_AMOUNT = 2n ** 128n - 1n;

const lessFee = (amount: bigint, { fee, feeDenominator }: State): bigint =>
  amount - (amount * fee) / feeDenominator;

/**
 * The pair's getAmountOut: the fee is taken first, rounded down, then the curve is applied.
 *
 * @returns smallest units of the other token, rounded down; undefined if the contract reverts
 * @source aerodrome-finance/contracts contracts/Pool.sol getAmountOut
 */
export function amountOut(state: State, i: number, amountIn: bigint): bigint | undefined {
  const reserveIn = state.reserves[i]!;
  const reserveOut = state.reserves[1 - i]!;
  if (amountIn <= 0n || amountIn > MAX_AMOUNT || reserveIn === 0n || reserveOut === 0n) return undefined;
  const net = lessFee(amountIn, state);
  return state.stable ? stableAmountOut(state, i, net) : (net * reserveOut) / (reserveIn + net);
}

/** Reserves after a swap. The fee leaves the pair immediately. */
function reservesAfter(state: State, i: number, amounts: { sold: bigint; bought: bigint }) {
  const change = (k: number) =>
    state.reserves[k]! + (k === i ? lessFee(amounts.sold, state) : -amounts.bought);
  return [change(0), change(1)] as const;
}

/** Whether `swap` accepts these reserves: k must not fall, and the stable k is rounded. */
function keepsInvariant(state: State, after: readonly [bigint, bigint]): boolean {
  if (!state.stable) return after[0] * after[1] >= state.reserves[0] * state.reserves[1];
  const before = stableInvariant(state.reserves, state.units);
  const left = stableInvariant(after, state.units);
  return before !== undefined && left !== undefined && left >= before;
}

/** Sells as the router's step does, which calls getAmountOut and swaps for that output. */
function sell(state: State, i: number, amountIn: bigint): Trade<State> | undefined {
  const bought = amountOut(state, i, amountIn);
  if (bought === undefined || bought <= 0n || bought >= state.reserves[1 - i]!) return undefined;
  const reserves = reservesAfter(state, i, { sold: amountIn, bought });
  if (!keepsInvariant(state, reserves)) return undefined;
  return { amountIn, amountOut: bought, gas: gasOf(state.stable), next: { ...state, reserves } };
}

/** Buys by the least input whose getAmountOut is enough; the pair has no function for that. */
function buy(state: State, i: number, wanted: bigint): Trade<State> | undefined {
  const reserveIn = state.reserves[i]!;
  const reserveOut = state.reserves[1 - i]!;
  if (wanted >= reserveOut) return undefined;
  const guess = (wanted * reserveIn) / (reserveOut - wanted) + 1n;
  const sold = leastInput((amountIn) => sell(state, i, amountIn)?.amountOut, wanted, guess);
  if (sold === undefined) return undefined;
  const reserves = reservesAfter(state, i, { sold, bought: wanted });
  return { amountIn: sold, amountOut: wanted, gas: gasOf(state.stable), next: { ...state, reserves } };
}

/**
 * Sells to or buys from the pair.
 *
 * @returns undefined if the pair would revert or pay nothing
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  return side === "in" ? sell(state, i, amount) : buy(state, i, amount);
}
