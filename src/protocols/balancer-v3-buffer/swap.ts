import { divideUp } from "../../core/math/fixed-point.ts";
import { leastInput } from "../../core/math/least-input.ts";
import type { Side } from "../../core/types.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { roomAfter, type SharePrice } from "../shared/share-price.ts";
import type { State } from "./state.ts";

/** A swap with a buffer: of assets for shares ("wrap") or back. */
export type Wrap = { readonly direction: "wrap" | "unwrap"; readonly amount: bigint; readonly side: Side };

/** The vault stores a stock in 128 bits. */
const MAX_STOCK = 2n ** 128n - 1n;

/**
 * Gas units through the router: a swap from the stock, and the addition for the wrapper's deposit or redemption if
 * the stock is short. The devnet's models need up to 88,000 and 120,000 in total; the figures for wrappers of lending
 * pools, which cost more, are estimates.
 */
const STOCK_GAS = 125_000;
const WRAPPER_GAS = 150_000;

/** Least gas of selling token `i`: without a stock of the other token the wrapper is always called. */
export function leastGas({ wrapped, underlying, least }: State, i: number): number {
  const stock = i === 0 ? wrapped : underlying;
  return stock > 0n && stock >= least ? STOCK_GAS : STOCK_GAS + WRAPPER_GAS;
}

/**
 * The vault's answer to a swap with a wrapper's buffer. The wrapper's previews round outputs down and inputs up. The
 * vault previews one unit less than the exact input, or one unit more than the exact output, and keeps another unit.
 *
 * @returns the amount not given; undefined if the output would be 0
 * @source balancer/balancer-v3-monorepo pkg/vault/contracts/Vault.sol _wrapWithBuffer, _unwrapWithBuffer (0a5890a)
 */
export function swapBuffer(
  { assets, shares }: SharePrice,
  { direction, amount, side }: Wrap,
): bigint | undefined {
  const [sold, bought] = direction === "wrap" ? [assets, shares] : [shares, assets];
  if (amount <= 0n || sold === 0n || bought === 0n) return undefined;
  if (side === "out") return divideUp((amount + 1n) * sold, bought) + 1n;
  const out = ((amount - 1n) * bought) / sold - 1n;
  return out > 0n ? out : undefined;
}

/** Changes of the stocks by a sale, if they suffice. */
type Moved = { readonly underlying: bigint; readonly wrapped: bigint };

function sell(state: State, i: number, amount: bigint): Trade<State> | undefined {
  const out = swapBuffer(state, { direction: i === 0 ? "wrap" : "unwrap", amount, side: "in" });
  if (out === undefined || amount < state.least || out < state.least) return undefined;
  const isShort = out > (i === 0 ? state.wrapped : state.underlying);
  const moved = i === 0 ? { underlying: amount, wrapped: -out } : { underlying: -out, wrapped: amount };
  const next = isShort ? filled(state, i, amount, moved) : stocked(state, moved);
  if (next === undefined) return undefined;
  return { amountIn: amount, amountOut: out, gas: isShort ? STOCK_GAS + WRAPPER_GAS : STOCK_GAS, next };
}

/** The state with changed stocks; undefined if a stock would be negative or too large. */
function stocked(state: State, { underlying, wrapped }: Moved): State | undefined {
  const more = state.underlying + underlying;
  const less = state.wrapped + wrapped;
  const fits = (stock: bigint) => stock >= 0n && stock <= MAX_STOCK;
  if (!fits(more) || !fits(less)) return undefined;
  const after = wrapped < 0n ? withdrawn(state, -wrapped) : state;
  return { ...after, underlying: more, wrapped: less };
}

/**
 * The state after shares left the vault, which lowers its redemption limit. Whether added shares raise it is up to
 * the wrapper.
 */
function withdrawn(state: State, shares: bigint): State {
  return { ...state, redeemable: state.redeemable > shares ? state.redeemable - shares : 0n };
}

/**
 * Fills a short stock by the wrapper: with the input, plus or minus as much as gives both stocks the same worth.
 * Halves of negative differences round towards zero.
 *
 * @returns undefined if the wrapper does not take as much
 */
function filled(state: State, i: number, amount: bigint, moved: Moved): State | undefined {
  const { assets, shares, underlying, wrapped } = state;
  const sold =
    i === 0
      ? amount + (underlying - divideUp(wrapped * assets, shares)) / 2n
      : amount + (wrapped - divideUp(underlying * shares, assets)) / 2n;
  if (sold <= 0n || sold > (i === 0 ? state.room : state.redeemable)) return undefined;
  const got = i === 0 ? (sold * shares) / assets : (sold * assets) / shares;
  const [inAssets, inShares] = i === 0 ? [sold, got] : [-got, -sold];
  const after = i === 0 ? { ...state, room: roomAfter(state.room, sold) } : withdrawn(state, sold);
  const priced = state.moves ? { ...after, assets: assets + inAssets, shares: shares + inShares } : after;
  if (priced.assets <= 0n || priced.shares <= 0n) return undefined;
  return stocked(priced, {
    underlying: moved.underlying - inAssets,
    wrapped: moved.wrapped + inShares,
  });
}

/**
 * Sells to or buys from the buffer. An exact output costs the least input that pays it, since the router only sells.
 *
 * @returns undefined if the vault or the wrapper would revert
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (amount <= 0n || amount > MAX_STOCK) return undefined;
  if (side === "in") return sell(state, i, amount);
  const guess = swapBuffer(state, { direction: i === 0 ? "wrap" : "unwrap", amount, side });
  const within = (sold: bigint) => (sold > MAX_STOCK ? undefined : sell(state, i, sold)?.amountOut);
  const sold = guess === undefined ? undefined : leastInput(within, amount, guess);
  const done = sold === undefined ? undefined : sell(state, i, sold);
  return done && { ...done, amountOut: amount };
}
