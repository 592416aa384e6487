import { leastInput } from "../../../core/math/least-input.ts";
import type { Fill, Pool, StateId, View } from "../../../core/types.ts";
import type { State, Swap } from "../state.ts";
import { exchange, getDx } from "./exchange.ts";
import { lentMore } from "./lent.ts";
import { metaExchange, type Pair, pairOf } from "./meta.ts";

const ONE = 10n ** 18n;

/**
 * Gas units of one crossing through the router, before the refund for its allowance: a base, and a part per coin read
 * for the invariant.
 */
const GAS = 110_000;
const GAS_PER_COIN = 14_000;
/** Additional gas of the base pool's deposit or withdrawal, and of a metapool's call for its price. */
const GAS_UNDERLYING = 160_000;

/** @param coins number of the pool's own coins; @param underlying whether a base or lending pool is used as well */
export function gasOf(coins: number, underlying: boolean): number {
  return GAS + GAS_PER_COIN * coins + (underlying ? GAS_UNDERLYING : 0);
}

/** Output of a swap, and the states that it writes. */
type Done = { readonly dy: bigint; readonly writes: readonly (readonly [StateId, State])[] };

/** @returns undefined if the contract would revert */
type Sell = (dx: bigint) => Done | undefined;

/** A pool and two of its tokens. */
type Direction = { readonly pool: Pool; readonly view: View; readonly swap: Swap };

/**
 * Sells to or buys from a pool of any kind; the contracts themselves only sell.
 *
 * @returns undefined if the contract would revert or pay nothing, or does not trade this pair
 */
export function trade(direction: Direction, amount: bigint, side: "in" | "out"): Fill | undefined {
  const { pool, view, swap } = direction;
  const state = view.get(pool.stateIds[0]) as State;
  const way = state.base === null ? ownWay(state, direction) : metaWay(state, direction);
  if (amount <= 0n || way === undefined) return undefined;
  const amountIn = side === "in" ? amount : priceOf(way, amount);
  const done = amountIn === undefined ? undefined : way.sell(amountIn);
  if (amountIn === undefined || done === undefined || done.dy === 0n) return undefined;
  const own = state.balances.length;
  return {
    amountIn,
    amountOut: side === "in" ? done.dy : amount,
    gas: gasOf(own, swap.i >= own || swap.j >= own),
    writes: done.writes,
  };
}

/** A direction prepared for quotes: the exact sale, an estimate of the input for an output, and the largest output. */
type Way = { readonly sell: Sell; readonly guess: (dy: bigint) => bigint; readonly most: bigint };

function priceOf({ sell, guess, most }: Way, amount: bigint): bigint | undefined {
  if (amount >= most) return undefined;
  return leastInput((dx) => sell(dx)?.dy, amount, guess(amount));
}

/** A direction between the pool's own coins or, in a lending pool, between their underlying coins. */
function ownWay(state: State, { pool, swap }: Direction): Way | undefined {
  const own = state.balances.length;
  if (swap.i >= own !== swap.j >= own) return undefined;
  const between = { ...swap, i: swap.i % own, j: swap.j % own };
  const id = pool.stateIds[0];
  if (swap.i >= own) return underlyingWay(state, between, id);
  return {
    most: state.balances[swap.j]!,
    guess: (dy) => getDx(state, { ...swap, dx: dy }) ?? 1n,
    sell: (dx) => {
      const done = exchange(state, { ...swap, dx });
      return done && { dy: done.dy, writes: [[id, done.next]] };
    },
  };
}

/** A direction between the underlying coins of a lending pool: a deposit, an exchange, and a withdrawal. */
function underlyingWay(state: State, between: Swap, id: StateId): Way {
  const { i, j } = between;
  const worthIn = state.worth?.[i] ?? ONE;
  const worthOut = state.worth?.[j] ?? ONE;
  return {
    most: (state.balances[j]! * worthOut) / ONE,
    guess: (dy) => ((getDx(state, { ...between, dx: (dy * ONE) / worthOut }) ?? 1n) * worthIn) / ONE,
    sell: (dx) => {
      const shares = (dx * ONE) / worthIn;
      const put = { coin: i, assets: dx, shares };
      const isFirst = state.lent?.depositsFirst === true;
      const done = exchange(isFirst ? lentMore(state, put) : state, { ...between, dx: shares });
      if (done === undefined) return undefined;
      const dy = (done.dy * worthOut) / ONE;
      const next = isFirst ? done.next : lentMore(done.next, put);
      return { dy, writes: [[id, lentMore(next, { coin: j, assets: -dy, shares: -done.dy })]] };
    },
  };
}

function metaWay(state: State, { pool, view, swap }: Direction): Way | undefined {
  const baseId = pool.stateIds[1]!;
  const base = view.get(baseId) as State | undefined;
  const pair = base && pairOf(state, base, swap.timestamp);
  if (pair === undefined) return undefined;
  return {
    most: coinOf(pair, swap.j).balance,
    guess: (dy) => (dy * coinOf(pair, swap.j).rate) / coinOf(pair, swap.i).rate,
    sell: (dx) => {
      const done = metaExchange(state, pair, { ...swap, dx });
      if (done === undefined) return undefined;
      const own = [pool.stateIds[0], done.next] as const;
      return { dy: done.dy, writes: done.base === undefined ? [own] : [own, [baseId, done.base]] };
    },
  };
}

function coinOf({ meta, base }: Pair, k: number): { readonly balance: bigint; readonly rate: bigint } {
  const [state, coin] = k < 2 ? [meta, k] : [base, k - 2];
  return { balance: state.balances[coin]!, rate: state.rates[coin]! };
}
