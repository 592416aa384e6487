import { fillBin, isTooLiquid, knownBinPrice } from "../../core/math/bins/bin-math.ts";
import { leastInput } from "../../core/math/least-input.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { accumulatorAt, feeAt, gasOf, referencesAt, type State, type Volatility } from "./state.ts";

/** Largest amount of a swap, and largest reserve of a bin since v2.1. */
const MAX_AMOUNT = 2n ** 128n - 1n;
/** Largest reserve of a bin in v2.0. */
const MAX_RESERVE_V20 = 2n ** 112n - 1n;

/** State of the swap loop; `xs` and `ys` are copies. */
type Run = {
  left: bigint;
  paid: bigint;
  id: number;
  accumulator: number;
  emptied: number;
  readonly xs: bigint[];
  readonly ys: bigint[];
};

/**
 * Sells into the active bin, then into the following bins, until the input is used up.
 *
 * @returns undefined if the pair reverts, or the swap would leave the known bins
 * @source traderjoe-xyz/joe-v2 src/LBPair.sol swap
 */
function sell(
  state: State,
  swapForY: boolean,
  order: Pick<Order, "amount" | "at">,
): Trade<State> | undefined {
  const references = referencesAt(state, order.at.timestamp);
  if (references === undefined) return undefined;
  const run: Run = {
    left: order.amount,
    paid: 0n,
    id: state.activeId,
    accumulator: references.accumulator,
    emptied: 0,
    xs: [...state.xs],
    ys: [...state.ys],
  };
  while (cross(state, run, swapForY, references)) {
    if (run.left === 0n) return run.paid === 0n ? undefined : fillOf(state, run, references, order.amount);
    run.id += swapForY ? -1 : 1;
    run.emptied++;
  }
  return undefined;
}

/** Swaps within one bin; false if the swap cannot continue. Empty bins are skipped. */
function cross(state: State, run: Run, swapForY: boolean, references: Volatility): boolean {
  const at = run.id - state.first;
  const reserveOut = (swapForY ? run.ys : run.xs)[at];
  if (reserveOut === undefined) return false;
  if (reserveOut === 0n) return true;
  const { parameters } = state;
  const accumulator = accumulatorAt(run.id, references, parameters.maxVolatility);
  const price = knownBinPrice(run.id, parameters);
  const fee = feeAt(accumulator, parameters);
  if (price === undefined || fee === undefined) return false;
  const fill = fillBin({ price, reserveOut, fee }, swapForY, run.left);
  if (fill === undefined) return false;
  run.accumulator = accumulator;
  run.left -= fill.amountIn;
  run.paid += fill.amountOut;
  const protocolFee = (fill.fee * BigInt(parameters.protocolShare)) / 10_000n;
  const kept = fill.amountIn - (state.feesInBin ? protocolFee : fill.fee);
  const [reservesIn, reservesOut] = swapForY ? [run.xs, run.ys] : [run.ys, run.xs];
  reservesIn[at] = reservesIn[at]! + kept;
  reservesOut[at] = reserveOut - fill.amountOut;
  if (reservesIn[at] > (state.feesInBin ? MAX_AMOUNT : MAX_RESERVE_V20)) return false;
  return state.isLimited !== true || isWithinLimit(run, at, { price, protocolFee, swapForY });
}

type Settled = { readonly price: bigint; readonly protocolFee: bigint; readonly swapForY: boolean };

/** Whether v2.2 lets a bin hold so much after a swap in it. The protocol's part of the fee counts, although it does not stay. */
function isWithinLimit({ xs, ys }: Run, at: number, { price, protocolFee, swapForY }: Settled): boolean {
  const [x, y] = swapForY ? [protocolFee, 0n] : [0n, protocolFee];
  return !isTooLiquid(price, xs[at]! + x, ys[at]! + y);
}

function fillOf(state: State, run: Run, references: Volatility, amountIn: bigint): Trade<State> {
  const volatility = { ...references, accumulator: run.accumulator };
  const next = { ...state, volatility, activeId: run.id, xs: run.xs, ys: run.ys };
  return { amountIn, amountOut: run.paid, gas: gasOf(run.emptied), next };
}

/** Buys by the least input that pays enough; the guess is the price of the active bin. */
function buy(state: State, swapForY: boolean, order: Pick<Order, "amount" | "at">): Trade<State> | undefined {
  const price = knownBinPrice(state.activeId, state.parameters);
  if (price === undefined) return undefined;
  const { amount, at } = order;
  const guess = swapForY ? (amount << 128n) / price : (amount * price) >> 128n;
  const within = (amountIn: bigint) => amountIn <= MAX_AMOUNT;
  const sold = leastInput(
    (amountIn) => (within(amountIn) ? sell(state, swapForY, { amount: amountIn, at })?.amountOut : undefined),
    amount,
    guess,
  );
  const done = sold === undefined ? undefined : sell(state, swapForY, { amount: sold, at });
  return done && { ...done, amountOut: amount };
}

/**
 * Sells to or buys from the pair in the block of `at`: the fee depends on the time since the last swap.
 *
 * @returns undefined if the pair would revert, pay nothing or not take all
 */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  return (side === "in" ? sell : buy)(state, i === 0, { amount, at });
}
