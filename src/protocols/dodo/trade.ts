import { leastInput } from "../../core/math/least-input.ts";
import { buyBase, estimateBase, expectTarget, sellBase } from "../../core/math/pairs/dodo-classical-math.ts";
import { adjustTarget, ONE, type Pmm, sell } from "../../core/math/pairs/dodo-math.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { MAX_RESERVE, type State } from "./state.ts";

/** Gas units through the router. */
export const V2_GAS = 130_000;
export const V1_GAS = 180_000;

export function gasOf(state: Pick<State, "kind">): number {
  return state.kind === "classical" ? V1_GAS : V2_GAS;
}

type Sold = { readonly amountOut: bigint; readonly next: State };

/** The pool with updated targets, for any number of amounts; undefined if it cannot be priced. */
export function pricing(state: State): Pmm | undefined {
  if (!state.open || state.i === 0n) return undefined;
  return state.kind === "classical" ? expectTarget(state) : adjustTarget(state);
}

/**
 * Sells, or buys by the least input that pays for it.
 *
 * @returns undefined if the pool would revert, pay nothing, or not hold or pay so much; and for any sale of quote to
 *   a classical pool, which accepts exact amounts of base only
 */
export function trade(state: State, order: Order): Trade<State> | undefined {
  return state.kind === "classical" && order.i === 1 ? undefined : estimate(state, order);
}

/**
 * As `trade`, but sales of quote to classical pools are answered as DODO's helper contract estimates them, and
 * purchases of base from classical pools as the pool prices them.
 */
export function estimate(state: State, { i, j, amount, side }: Order): Trade<State> | undefined {
  const pool = amount > 0n ? pricing(state) : undefined;
  if (pool === undefined) return undefined;
  if (side === "out") return buy(state, pool, j, amount);
  const sold = sellExact(state, pool, i, amount);
  return sold && { amountIn: amount, gas: gasOf(state), ...sold };
}

function buy(state: State, pool: Pmm, j: number, amount: bigint): Trade<State> | undefined {
  const gas = gasOf(state);
  if (amount > (j === 0 ? state.base : state.quote)) return undefined;
  if (state.kind === "classical" && j === 0) {
    const bought = buyClassicalBase(state, pool, amount);
    return bought && { ...bought, gas };
  }
  const sellTo = (amountIn: bigint) => sellExact(state, pool, 1 - j, amountIn);
  const guess = j === 1 ? (amount * ONE) / state.i : (amount * state.i) / ONE;
  const amountIn = leastInput((x) => sellTo(x)?.amountOut, amount, guess);
  const sold = amountIn === undefined ? undefined : sellTo(amountIn);
  return sold && { amountIn: amountIn!, amountOut: amount, gas, next: sold.next };
}

function sellExact(state: State, pool: Pmm, i: number, amount: bigint): Sold | undefined {
  const held = i === 0 ? state.base : state.quote;
  if (amount <= 0n || held + amount > state.limits[i]!) return undefined;
  if (state.kind !== "classical") return sellModern(state, pool, i, amount);
  return i === 0 ? sellClassicalBase(state, pool, amount) : sellClassicalQuote(state, pool, amount);
}

/** @source DODOEX/contractV2 contracts/{DODOVendingMachine,DODOStablePool,DODOPrivatePool}/impl/*Trader.sol */
function sellModern(state: State, pool: Pmm, i: number, amount: bigint): Sold | undefined {
  const sale = sell(pool, i, amount);
  if (sale === undefined) return undefined;
  const mtFee = (sale.paid * state.mtFee) / ONE;
  const amountOut = sale.paid - (sale.paid * state.lpFee) / ONE - mtFee;
  const paidFrom = i === 0 ? state.quote : state.base;
  if (amountOut <= 0n || amountOut + mtFee > paidFrom) return undefined;
  const left = paidFrom - amountOut - mtFee;
  const moved =
    i === 0 ? { base: state.base + amount, quote: left } : { base: left, quote: state.quote + amount };
  // A DVM stores no target; the others store the target of the token sold when a sale changes R.
  if (state.kind === "dvm" || sale.side === state.side) return { amountOut, next: { ...state, ...moved } };
  const target = i === 0 ? { baseTarget: pool.baseTarget } : { quoteTarget: pool.quoteTarget };
  if ((i === 0 ? pool.baseTarget : pool.quoteTarget) > MAX_RESERVE) return undefined;
  return { amountOut, next: { ...state, ...moved, ...target, side: sale.side } };
}

/** @source DODOEX/dodo-smart-contract contracts/impl/Trader.sol sellBaseToken */
function sellClassicalBase(state: State, pool: Pmm, amount: bigint): Sold | undefined {
  const sale = sellBase(pool, amount);
  if (sale === undefined) return undefined;
  const lpFee = (sale.amount * state.lpFee) / ONE;
  const mtFee = (sale.amount * state.mtFee) / ONE;
  const amountOut = sale.amount - lpFee - mtFee;
  if (amountOut <= 0n || amountOut + mtFee > state.quote) return undefined;
  return {
    amountOut,
    next: {
      ...state,
      base: state.base + amount,
      quote: state.quote - amountOut - mtFee,
      baseTarget: pool.baseTarget,
      quoteTarget: pool.quoteTarget + lpFee,
      side: sale.side,
    },
  };
}

/**
 * A sale of quote: a purchase of the base that the helper estimates. The pool charges at most the amount sold, and
 * sometimes a few units less.
 *
 * @source DODOEX/contractV2 contracts/SmartRoute/helper/DODOSellHelper.sol querySellQuoteToken
 */
function sellClassicalQuote(state: State, pool: Pmm, amount: bigint): Sold | undefined {
  const estimate = estimateBase(pool, amount);
  if (estimate === undefined) return undefined;
  const bought = buyClassicalBase(state, pool, (estimate * ONE) / (ONE + state.mtFee + state.lpFee));
  return bought === undefined || bought.amountIn > amount ? undefined : bought;
}

type Bought = Sold & { readonly amountIn: bigint };

/** @source DODOEX/dodo-smart-contract contracts/impl/Trader.sol buyBaseToken */
function buyClassicalBase(state: State, pool: Pmm, amountOut: bigint): Bought | undefined {
  const lpFee = (amountOut * state.lpFee) / ONE;
  const mtFee = (amountOut * state.mtFee) / ONE;
  if (amountOut <= 0n || amountOut + mtFee > state.base) return undefined;
  const purchase = buyBase(pool, amountOut + lpFee + mtFee);
  if (purchase === undefined || purchase.amount <= 0n) return undefined;
  if (state.quote + purchase.amount > state.limits[1]) return undefined;
  return {
    amountIn: purchase.amount,
    amountOut,
    next: {
      ...state,
      base: state.base - amountOut - mtFee,
      quote: state.quote + purchase.amount,
      baseTarget: pool.baseTarget + lpFee,
      quoteTarget: pool.quoteTarget,
      side: purchase.side,
    },
  };
}
