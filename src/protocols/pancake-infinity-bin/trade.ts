import { type Bin, type BinFill, fillBin, inputOfBin, isTooLiquid } from "../../core/math/bins/bin-math.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { MAX_AMOUNT } from "../shared/pool-managers/pool-manager.ts";
import { binAt, type Fees, feesOf, gasOf, type State } from "./state.ts";

const MAX_UINT128 = 2n ** 128n - 1n;

/** State of the swap loop; `xs` and `ys` are copies. */
type Run = {
  /** What is left to be sold or, if `isSale` is false, bought. */
  left: bigint;
  taken: bigint;
  paid: bigint;
  id: number;
  emptied: number;
  readonly isSale: boolean;
  readonly swapForY: boolean;
  readonly fees: Fees;
  readonly xs: bigint[];
  readonly ys: bigint[];
};

type Swap = { readonly swapForY: boolean; readonly amount: bigint; readonly isSale: boolean };

/**
 * Sells to or buys from the active bin, then the bins behind it, until the amount asked is used up.
 *
 * @param swap `amount` is sold if `isSale`, else bought
 * @returns undefined if the manager would revert, pay nothing or not take or deliver all, or if the swap would leave
 *   the known bins
 * @source pancakeswap/infinity-core src/pool-bin/libraries/BinPool.sol swap
 */
export function swapBins(state: State, { swapForY, amount, isSale }: Swap): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const run: Run = {
    left: amount,
    taken: 0n,
    paid: 0n,
    id: state.activeId,
    emptied: 0,
    isSale,
    swapForY,
    fees: feesOf(state, swapForY),
    xs: [...state.xs],
    ys: [...state.ys],
  };
  while (cross(state, run)) {
    if (run.left === 0n) return fillOf(state, run);
    if (!advance(state, run)) return undefined;
  }
  return undefined;
}

/** Goes on to the next bin that swaps enter; false if there is none in the window. */
function advance({ entered, first }: State, run: Run): boolean {
  const step = run.swapForY ? -1 : 1;
  do run.id += step;
  while (entered[run.id - first] === false);
  run.emptied++;
  return entered[run.id - first] === true;
}

/** Swaps within one bin; false if the contract reverts. A bin with nothing to pay is left as it is. */
function cross(state: State, run: Run): boolean {
  const { swapForY, isSale } = run;
  const at = run.id - state.first;
  const reserveOut = (swapForY ? run.ys : run.xs)[at];
  if (reserveOut === undefined) return false;
  if (reserveOut === 0n) return true;
  const bin = binAt(state, run.id, swapForY);
  if (bin === undefined) return false;
  const fill = (isSale ? fillBin : buyFrom)(bin, swapForY, run.left);
  if (fill === undefined) return false;
  run.left -= isSale ? fill.amountIn : fill.amountOut;
  run.taken += fill.amountIn;
  run.paid += fill.amountOut;
  return fill.amountIn === 0n || settle(run, at, { ...bin, ...fill });
}

function buyFrom(bin: Bin, swapForY: boolean, amountOut: bigint): BinFill | undefined {
  const paid = bin.reserveOut > amountOut ? amountOut : bin.reserveOut;
  const fill = inputOfBin(bin, swapForY, paid);
  return fill === undefined || fill.amountIn > MAX_UINT128 ? undefined : fill;
}

/**
 * Moves the reserves of one bin: the protocol's part of the fee stays outside. False if they outgrow the contract's
 * words or its limit on a bin's liquidity.
 */
function settle(run: Run, at: number, fill: Bin & BinFill): boolean {
  const [reservesIn, reservesOut] = run.swapForY ? [run.xs, run.ys] : [run.ys, run.xs];
  reservesIn[at] = reservesIn[at]! + fill.amountIn - protocolPart(fill.fee, run.fees);
  reservesOut[at] = reservesOut[at]! - fill.amountOut;
  return reservesIn[at] <= MAX_UINT128 && !isTooLiquid(fill.price, run.xs[at]!, run.ys[at]!);
}

/** @source pancakeswap/infinity-core src/pool-bin/libraries/math/PackedUint128Math.sol getProtocolFeeAmt */
function protocolPart(fee: bigint, { protocolPpm, wholePpm }: Fees): bigint {
  return wholePpm === 0 ? 0n : (fee * BigInt(protocolPpm)) / BigInt(wholePpm);
}

function fillOf(state: State, run: Run): Trade<State> | undefined {
  const { taken, paid, id, xs, ys } = run;
  if (taken <= 0n || paid <= 0n || taken > MAX_AMOUNT || paid > MAX_AMOUNT) return undefined;
  return {
    amountIn: taken,
    amountOut: paid,
    gas: gasOf(run.emptied),
    next: { ...state, activeId: id, xs, ys },
  };
}

/** Sells to or buys from the pool; undefined as `swapBins`. */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  return swapBins(state, { swapForY: i === 0, amount, isSale: side === "in" });
}
