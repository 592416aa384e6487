import { leastInput } from "../../core/math/least-input.ts";
import {
  buyOfTick,
  fillTick,
  type TickFill,
  type TickReserves,
  tickSqrtPrice,
} from "../../core/math/maverick-ticks/maverick-math.ts";
import type { Order, Trade } from "../shared/own-state.ts";

/** One bin of a tick, with its reserves. */
export type Bin = { readonly tick: number; readonly a: bigint; readonly b: bigint };

/** A pool with the bins of a window. Reserves have 18 digits, whatever the tokens' decimals. */
export type State = {
  /** 18 digits. */
  readonly fee: bigint;
  /** Thousandths of the fee. */
  readonly protocolFeeRatio: bigint;
  readonly tickSpacing: number;
  readonly activeTick: number;
  /**
   * Bins sorted by tick, of a window around the price; bins beyond it are unknown. Bins of the same tick are of
   * different kinds.
   */
  readonly bins: readonly Bin[];
  /** Factors that convert amounts of token A and token B to 18 digits. */
  readonly scales: readonly [bigint, bigint];
  /** Whether a bin of the window follows the price. */
  readonly follows: boolean;
  /**
   * False after a swap that may have moved bins by a time-weighted price, which is not known here: the state cannot
   * be priced again before it is read.
   */
  readonly isSettled: boolean;
};

/** Gas units through the router, above those of the devnet's model. */
const SWAP_GAS = 95_000;
/** Gas units of a tick with two bins, each of which writes a slot. */
const TICK_GAS = 30_000;
/** Gas units of searching the bins that follow the price, and of moving those that an earlier swap left behind. */
const FOLLOW_GAS = 64_000;

/** Gas units of a fill. @param crossed ticks used beside the first */
export function gasOf(crossed: number, follows: boolean): number {
  return SWAP_GAS + TICK_GAS * crossed + (follows ? FOLLOW_GAS : 0);
}

const MAX_AMOUNT = 2n ** 128n - 1n;
/** Cap on ticks per swap: more do not fit a block. */
const MAX_TICKS = 150;

/** Total reserves of a tick and its price bounds; undefined if it is out of the price range. */
export function reservesAt(state: State, tick: number): TickReserves | undefined {
  const lower = tickSqrtPrice(state.tickSpacing, tick);
  const upper = tickSqrtPrice(state.tickSpacing, tick + 1);
  if (lower === undefined || upper === undefined || lower >= upper) return undefined;
  let a = 0n;
  let b = 0n;
  for (const bin of state.bins)
    if (bin.tick === tick) {
      a += bin.a;
      b += bin.b;
    }
  return { a, b, lower, upper };
}

/** `tick` if it has bins, else the next tick that has some: upwards if A is sold. */
export function nextTick({ bins }: State, tick: number, sellsA: boolean): number | undefined {
  if (sellsA) return bins.find((bin) => bin.tick >= tick)?.tick;
  return bins.findLast((bin) => bin.tick <= tick)?.tick;
}

type Run = { left: bigint; taken: bigint; paid: bigint; tick: number; crossed: number; bins: readonly Bin[] };

/**
 * Whether a swap may end in a tick. The pool reverts ("L") if one of the tick's bins would pay nothing: bins pay in
 * proportion to their token B, or to their token A if the tick has no B.
 *
 * @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maverick/v1/math.go adjustAB, after the contract
 */
export function canEndIn({ bins }: State, tick: number, reserves: TickReserves): boolean {
  return bins.every((bin) => bin.tick !== tick || (reserves.b > 0n ? bin.b : bin.a) > 0n);
}

function tickFrom(state: State, from: number, sellsA: boolean) {
  const tick = nextTick(state, from, sellsA);
  const reserves = tick === undefined ? undefined : reservesAt(state, tick);
  return tick === undefined || reserves === undefined ? undefined : { tick, reserves };
}

/** The fill of one tick: `fillTick` for an exact input, `buyOfTick` for an exact output. */
type InTick = typeof fillTick;

/**
 * The pool's swap of an exact amount, tick by tick; amounts in 18 digits.
 *
 * @returns undefined if the known bins do not take it all, or the last of them pays nothing
 * @source KyberNetwork/kyberswap-dex-lib pkg/liquidity-source/maverick/v1/math.go swap
 */
function swap(state: State, sellsA: boolean, amount: bigint, inTick: InTick): Run | undefined {
  const { activeTick, bins } = state;
  const run: Run = { left: amount, taken: 0n, paid: 0n, tick: activeTick, crossed: 0, bins };
  let from = state.activeTick;
  for (; run.crossed < MAX_TICKS; run.crossed++) {
    const found = tickFrom(state, from, sellsA);
    const fill = found && inTick(found.reserves, sellsA, run.left, state.fee);
    if (fill === undefined) return undefined;
    const { tick, reserves } = found!;
    run.tick = tick;
    run.left = fill.excess;
    run.taken += fill.amountIn;
    run.paid += fill.amountOut;
    run.bins = shared(state, { bins: run.bins, tick, sellsA }, reserves, fill);
    if (fill.excess === 0n) return fill.amountOut > 0n && canEndIn(state, tick, reserves) ? run : undefined;
    from = sellsA ? tick + 1 : tick - 1;
  }
  return undefined;
}

type Crossing = { readonly bins: readonly Bin[]; readonly tick: number; readonly sellsA: boolean };

/** Distributes a fill over the bins of a tick, in proportion to their reserves. */
function shared(
  state: State,
  { bins, tick, sellsA }: Crossing,
  reserves: TickReserves,
  fill: TickFill,
): readonly Bin[] {
  const total = reserves.b > 0n ? reserves.b : reserves.a;
  if (total === 0n) return bins;
  const ratio = state.protocolFeeRatio * 10n ** 15n;
  const protocolFee = ratio === 0n ? 0n : (fill.fee * ratio + 5n * 10n ** 17n) / 10n ** 18n + 1n;
  const kept = fill.amountIn > protocolFee ? fill.amountIn - protocolFee : 0n;
  return bins.map((bin) => {
    if (bin.tick !== tick) return bin;
    const part = reserves.b > 0n ? bin.b : bin.a;
    const into = (kept * part) / total;
    const out = fill.excess > 0n ? -1n : (fill.amountOut * part + total - 1n) / total;
    const less = (reserve: bigint) => (out < 0n || out > reserve ? 0n : reserve - out);
    return sellsA ? { tick, a: bin.a + into, b: less(bin.b) } : { tick, a: less(bin.a), b: bin.b + into };
  });
}

/** The exact sale of `amount` of token `i`; undefined unless the pool takes it to the last unit. */
export function sell(state: State, i: number, amount: bigint): Trade<State> | undefined {
  if (!state.isSettled || amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const scaled = amount * state.scales[i]!;
  const run = swap(state, i === 0, scaled, fillTick);
  if (run === undefined || run.taken !== scaled) return undefined;
  const amountOut = run.paid / state.scales[1 - i]!;
  if (amountOut === 0n) return undefined;
  const next = { ...state, activeTick: run.tick, bins: run.bins, isSettled: !state.follows };
  return { amountIn: amount, amountOut, gas: gasOf(run.crossed, state.follows), next };
}

/**
 * The pool's own swap of an exact output, which the router does not call; for recorded swaps.
 *
 * @returns a trade whose input is truncated to the token's decimals, as in the source
 */
export function buy(state: State, i: number, amount: bigint): Trade<State> | undefined {
  if (!state.isSettled || amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const run = swap(state, i === 0, amount * state.scales[1 - i]!, buyOfTick);
  if (run === undefined) return undefined;
  const amountIn = run.taken / state.scales[i]!;
  const next = { ...state, activeTick: run.tick, bins: run.bins, isSettled: !state.follows };
  return { amountIn, amountOut: amount, gas: gasOf(run.crossed, state.follows), next };
}

/**
 * Sells to or buys from the pool. An exact output is bought by the least input that pays it, since the router only
 * sells.
 */
export function trade(state: State, { i, amount, side }: Order): Trade<State> | undefined {
  if (side === "in") return sell(state, i, amount);
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const sold = leastInput((amountIn) => sell(state, i, amountIn)?.amountOut, amount, amount);
  const done = sold === undefined ? undefined : sell(state, i, sold);
  return done && { ...done, amountOut: amount };
}
