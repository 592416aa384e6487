import { FEE_DENOMINATOR } from "../../../core/math/curve/stable-math.ts";
import type { BaseView, State, Swap } from "../state.ts";
import { exchange, getDy, getDyScaled } from "./exchange.ts";
import { burn, mint, mintBeforeFees, virtualPrice } from "./liquidity.ts";

/**
 * A metapool has two coins, the second of which is the LP token of its base pool. Token indexes continue through the
 * base pool's coins: 0 is the coin, 1 the LP token, 2 … the base coins.
 */

const PRECISION = 10n ** 18n;
const CACHE_SECONDS = 600;
const OWN_COINS = 2;

/** Index of token `k` in `exchange_underlying`, which leaves out the LP token. */
export const underlyingIndex = (k: number) => (k === 0 ? 0 : k - 1);

/** A metapool with its base pool, at the time of a swap. */
export type Pair = {
  /** The metapool with the base pool's virtual price in its rates. */
  readonly meta: State;
  readonly base: State;
  /** The metapool's view of the base pool after the swap. */
  readonly known: BaseView;
};

/**
 * Cache of metapools with the price filled in, by state object, so that caches keyed by them live as long as the
 * state.
 */
const filled = new WeakMap<State, State>();

/** @returns undefined for other pools, and if the base pool has no virtual price */
export function pairOf(state: State, base: State, timestamp: number): Pair | undefined {
  if (state.base === null) return undefined;
  const kept =
    state.base !== "live" && timestamp <= state.base.updatedAt + CACHE_SECONDS ? state.base : undefined;
  const price = kept?.virtualPrice ?? virtualPrice(base, timestamp);
  if (price === undefined) return undefined;
  const renewed = state.base === "live" ? "live" : { virtualPrice: price, updatedAt: timestamp };
  return { meta: filledWith(state, price), base, known: kept ?? renewed };
}

function filledWith(state: State, price: bigint): State {
  const last = filled.get(state);
  if (last?.rates[1] === price) return last;
  const meta = { ...state, rates: [state.rates[0]!, price] };
  filled.set(state, meta);
  return meta;
}

/** Output of a swap, and both pools after it; `base` is undefined if the base pool did not change. */
export type MetaExchanged = { readonly dy: bigint; readonly next: State; readonly base: State | undefined };

/**
 * `exchange` between the pool's own coins, or `exchange_underlying` between its first coin and a base coin, which is
 * deposited into the base pool or withdrawn from it.
 *
 * @returns undefined if the contract reverts, and for trades between base coins, or between the LP token and one of
 *   them, which belong to the base pool
 * @source curvefi/curve-contract pool-templates/meta/SwapTemplateMeta.vy; curvefi/curve-factory
 *   implementations/meta/MetaUSD.vy; curvefi/stableswap-ng CurveStableSwapMetaNG.vy
 */
export function metaExchange(state: State, pair: Pair, swap: Swap): MetaExchanged | undefined {
  const { i, j } = swap;
  if (i < OWN_COINS && j < OWN_COINS) return ownExchange(state, pair, swap);
  if (j === 0) return depositAndExchange(state, pair, swap);
  return i === 0 ? exchangeAndWithdraw(state, pair, swap) : undefined;
}

function ownExchange(state: State, { meta, known }: Pair, swap: Swap): MetaExchanged | undefined {
  const done = exchange(meta, swap);
  if (done === undefined) return undefined;
  const next = { ...state, balances: done.next.balances, base: known };
  return { dy: done.dy, next, base: undefined };
}

function depositAndExchange(state: State, pair: Pair, { i, dx, timestamp }: Swap): MetaExchanged | undefined {
  const put = mint(pair.base, { coin: i - OWN_COINS, amount: dx, timestamp });
  const done = put && ownExchange(state, pair, { i: 1, j: 0, dx: put.paid, timestamp });
  return done && { ...done, base: put.next };
}

function exchangeAndWithdraw(
  state: State,
  pair: Pair,
  { j, dx, timestamp }: Swap,
): MetaExchanged | undefined {
  const done = ownExchange(state, pair, { i: 0, j: 1, dx, timestamp });
  const taken = done && burn(pair.base, { coin: j - OWN_COINS, amount: done.dy, timestamp });
  return taken && { dy: taken.paid, next: done.next, base: taken.next };
}

/**
 * Type of view: a deposit is valued before fees and then charged half an exchange's fee, or it is valued with its own
 * fees.
 */
export type MetaView = "beforeFees" | "afterFees";

/**
 * The views `get_dy` and `get_dy_underlying`; between base coins it is the base pool's view.
 *
 * @returns undefined if the contract reverts
 * @source as `metaExchange`; curvefi/stableswap-ng CurveStableSwapNGViews.vy for "afterFees"
 */
export function metaGetDy({ meta, base }: Pair, swap: Swap, view: MetaView): bigint | undefined {
  const { i, j, dx, timestamp } = swap;
  if (i < OWN_COINS && j < OWN_COINS) return getDy(meta, swap);
  if (i >= OWN_COINS && j >= OWN_COINS) return getDy(base, { ...swap, i: i - OWN_COINS, j: j - OWN_COINS });
  if (i === 0) {
    const amount = getDy(meta, { i, j: 1, dx, timestamp });
    return amount === undefined ? undefined : burn(base, { coin: j - OWN_COINS, amount, timestamp })?.paid;
  }
  if (j !== 0) return undefined;
  const move = { coin: i - OWN_COINS, amount: dx, timestamp };
  const lp = view === "afterFees" ? mint(asNg(base), move)?.paid : mintBeforeFees(base, move);
  if (lp === undefined) return undefined;
  const worth = (lp * meta.rates[1]!) / PRECISION;
  const charged = view === "afterFees" ? 0n : (worth * base.fee) / (2n * FEE_DENOMINATOR);
  return getDyScaled(meta, { i: 1, j: 0, dx: worth - charged, timestamp });
}

/** The base pool with the product form and precision that views of stableswap-ng use for every base pool. */
function asNg(base: State): State {
  const scale = (a: bigint) => (a / base.aPrecision) * 100n;
  const { initialA, futureA } = base.ramp;
  const ramp = { ...base.ramp, initialA: scale(initialA), futureA: scale(futureA) };
  return { ...base, rounding: "together", aPrecision: 100n, ramp };
}
