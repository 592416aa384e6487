import { leastInput } from "../../core/math/least-input.ts";
import { MAX_UINT256 } from "../../core/tokens.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { type Listing, ONE, type State } from "./state.ts";

/** Gas units through the router: with the quote token on one side, and between two base tokens. */
export const SINGLE_GAS = 140_000;
export const DOUBLE_GAS = 200_000;

const FEE_UNIT = 100_000n;
/** Cap on amounts, above any token's supply; it keeps the search for an input finite. */
const MAX_AMOUNT = 2n ** 128n - 1n;

export function gasOf(i: number, j: number): number {
  return i === 0 || j === 0 ? SINGLE_GAS : DOUBLE_GAS;
}

/**
 * Fraction of the price left after slippage `gamma` and spread, 18 decimals.
 *
 * @returns undefined above the pool's limit, and where a larger input would pay less
 */
function keptOf({ maxGamma }: Listing, gamma: bigint, spread: bigint): bigint | undefined {
  return gamma > maxGamma || 2n * gamma + spread > ONE ? undefined : ONE - gamma - spread;
}

/**
 * Quote for an amount of base, before the fee: amount·price·(1 - coeff·amount·price - spread), each division rounded
 * down.
 */
function quoteFor(token: Listing, quoteUnit: bigint, amount: bigint, spread: bigint): bigint | undefined {
  const { price, priceUnit, unit, coeff, maxNotional } = token;
  const worth = amount * price;
  if (price === 0n || worth * coeff > MAX_UINT256 || worth * quoteUnit > MAX_UINT256) return undefined;
  if ((worth * quoteUnit) / unit / priceUnit > maxNotional) return undefined;
  const kept = keptOf(token, (worth * coeff) / priceUnit / unit, spread);
  return kept === undefined ? undefined : (((worth * quoteUnit) / priceUnit) * kept) / ONE / unit;
}

/** Base for an amount of quote net of the fee: amount/price·(1 - coeff·amount - spread), each division rounded down. */
function baseFor(token: Listing, quoteUnit: bigint, amount: bigint, spread: bigint): bigint | undefined {
  const { price, priceUnit, unit, coeff, maxNotional } = token;
  if (price === 0n || amount > maxNotional || amount * unit * priceUnit > MAX_UINT256) return undefined;
  const kept = keptOf(token, (amount * coeff) / quoteUnit, spread);
  return kept === undefined ? undefined : (((amount * unit * priceUnit) / price) * kept) / ONE / quoteUnit;
}

export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/**
 * Sells, or buys by the least input that pays for it.
 *
 * @returns undefined if the pool would revert or pay nothing, or the oracle's prices have expired
 * @source woonetwork/WooPoolV2 contracts/WooPPV2.sol swap
 */
export function trade(state: State, { i, j, amount, side, at }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_AMOUNT || at.timestamp > state.expires) return undefined;
  const { reserve, cap } = state.listings[i]!;
  const sellTo = (amountIn: bigint) => (reserve + amountIn > cap ? undefined : sell(state, i, j, amountIn));
  const gas = gasOf(i, j);
  if (side === "in") {
    const sold = sellTo(amount);
    return sold && { amountIn: amount, gas, ...sold };
  }
  if (amount > state.listings[j]!.reserve) return undefined;
  const amountIn = leastInput((x) => sellTo(x)?.amountOut, amount, guessOf(state, i, j, amount));
  const sold = amountIn === undefined ? undefined : sellTo(amountIn);
  return sold && { amountIn: amountIn!, amountOut: amount, gas, next: sold.next };
}

/** The amount's worth in token i at the oracle's prices, without spread and slippage. */
function guessOf({ listings }: State, i: number, j: number, amount: bigint): bigint {
  const bought = listings[j]!;
  const sold = listings[i]!;
  const quote = listings[0]!;
  const worth = j === 0 ? amount : (amount * bought.price * quote.unit) / bought.priceUnit / bought.unit;
  if (i === 0 || sold.price === 0n) return worth;
  return (worth * sold.unit * sold.priceUnit) / sold.price / quote.unit;
}

type Sold = { readonly amountOut: bigint; readonly next: State };

function sell(state: State, i: number, j: number, amount: bigint): Sold | undefined {
  if (i === 0) return sellQuote(state, j, amount);
  return j === 0 ? sellBase(state, i, amount) : sellBaseForBase(state, i, j, amount);
}

function sellBase(state: State, i: number, amount: bigint): Sold | undefined {
  const token = state.listings[i]!;
  const paid = quoteFor(token, state.listings[0]!.unit, amount, token.spread);
  if (paid === undefined) return undefined;
  const fee = (paid * token.feeRate) / FEE_UNIT;
  return settle(state, paid - fee, [
    [i, amount],
    [0, -paid],
  ]);
}

function sellQuote(state: State, j: number, amount: bigint): Sold | undefined {
  const token = state.listings[j]!;
  const lessFee = amount - (amount * token.feeRate) / FEE_UNIT;
  const paid = baseFor(token, state.listings[0]!.unit, lessFee, token.spread);
  return paid === undefined
    ? undefined
    : settle(state, paid, [
        [0, lessFee],
        [j, -paid],
      ]);
}

/** Sells base for base by way of quote: each side at half of the wider spread, once with the higher fee. */
function sellBaseForBase(state: State, i: number, j: number, amount: bigint): Sold | undefined {
  const sold = state.listings[i]!;
  const bought = state.listings[j]!;
  const quoteUnit = state.listings[0]!.unit;
  const spread = most(sold.spread, bought.spread) / 2n;
  const between = quoteFor(sold, quoteUnit, amount, spread);
  if (between === undefined) return undefined;
  const fee = (between * most(sold.feeRate, bought.feeRate)) / FEE_UNIT;
  const paid = baseFor(bought, quoteUnit, between - fee, spread);
  return paid === undefined
    ? undefined
    : settle(state, paid, [
        [i, amount],
        [0, -fee],
        [j, -paid],
      ]);
}

/**
 * The pool after a trade. The pool posts new prices to its oracle, whose versions derive different spreads from them.
 * Tokens that were traded therefore have no price until they are read again, and a second trade of them in the same
 * route is refused.
 *
 * @returns undefined if a reserve does not suffice or nothing is paid
 */
function settle(
  state: State,
  amountOut: bigint,
  moves: readonly (readonly [number, bigint])[],
): Sold | undefined {
  const listings = [...state.listings];
  for (const [k, amount] of moves) {
    const token = listings[k]!;
    const reserve = token.reserve + amount;
    if (reserve < 0n) return undefined;
    listings[k] = k === 0 ? { ...token, reserve } : { ...token, reserve, price: 0n };
  }
  return amountOut > 0n ? { amountOut, next: { ...state, listings } } : undefined;
}
