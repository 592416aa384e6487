import { divideUp } from "../../core/math/fixed-point.ts";
import { leastInput } from "../../core/math/least-input.ts";
import {
  buyOfTick,
  endPosition,
  fillTick,
  TICK_POSITIONS,
  type TickFill,
  type TickSide,
  tickCurve,
} from "../../core/math/maverick-ticks/maverick-v2-math.ts";
import type { At } from "../../core/types.ts";
import type { Order, Trade } from "../shared/own-state.ts";
import { movesAtAnyTime, settle } from "./moves.ts";
import { follows, MAX_AMOUNT, nextTick, type State, type Tick, withTick } from "./state.ts";

/** Most ticks that a swap may use: more do not fit a block. */
export const MAX_TICKS = 150;

/** A swap as the pool is asked for it. */
export type Asked = {
  readonly sellsA: boolean;
  /** Smallest units: what is sold, or what is bought if `isOutput`. */
  readonly amount: bigint;
  readonly isOutput: boolean;
  /** The last tick that it may use; undefined for no limit. */
  readonly tickLimit: number | undefined;
};

/** What the pool answers, and the state that it leaves. */
export type Answered = {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Ticks used beside the first, and empty ticks on the way. */
  readonly crossed: number;
  readonly passed: number;
  /** Computed for the time of the swap. */
  readonly next: State;
  /** Whether `next` would have the same bins after a swap at another time. */
  readonly isCertain: boolean;
};

type Run = {
  left: bigint;
  taken: bigint;
  paid: bigint;
  tick: number;
  /** Where in the last tick the price ends, 10^8 to a tick. */
  within: bigint;
  crossed: number;
  ticks: readonly Tick[];
};

/** A tick as the maths takes it; undefined beyond the last tick of all. */
export function sideOf(state: State, tick: Tick, sellsA: boolean): TickSide | undefined {
  const curve = tickCurve(tick, state.tickSpacing, tick.tick);
  const fees = { fee: state.fees[sellsA ? 0 : 1], protocolFeeRatio: state.protocolFeeRatio };
  return curve && { reserves: tick, curve, sellsA, fees };
}

/** The tick after a fill. */
function filled(tick: Tick, sellsA: boolean, { kept, amountOut, excess }: TickFill): Tick {
  const less = (reserve: bigint) => (excess > 0n || amountOut > reserve ? 0n : reserve - amountOut);
  return sellsA
    ? { ...tick, a: tick.a + kept, b: less(tick.b) }
    : { ...tick, a: less(tick.a), b: tick.b + kept };
}

/** One tick of a run. @returns false if the pool is not known that far, or would revert */
function step(state: State, run: Run, found: Tick, asked: Asked): boolean {
  const side = sideOf(state, found, asked.sellsA);
  const fill = side && (asked.isOutput ? buyOfTick : fillTick)(side, run.left);
  if (side === undefined || fill === undefined) return false;
  const left = filled(found, asked.sellsA, fill);
  if (left.a > MAX_AMOUNT || left.b > MAX_AMOUNT) return false;
  run.tick = found.tick;
  run.crossed++;
  run.ticks = withTick(run.ticks, left);
  run.taken += fill.amountIn;
  run.paid += fill.amountOut;
  run.left = fill.excess;
  run.within = fill.excess > 0n ? 0n : endPosition(side, fill.kept);
  return true;
}

/** Whether a tick lies beyond the limit of a swap. */
const isBeyond = ({ sellsA, tickLimit }: Asked, tick: number): boolean =>
  tickLimit !== undefined && (sellsA ? tick > tickLimit : tick < tickLimit);

type Ended = Run & { readonly isLimited: boolean };

/** The end of a swap at its limit, whose price then lies at the far end of a tick; undefined if the way there is not known. */
function atLimit(
  { first, last }: State,
  run: Run,
  from: number,
  { sellsA, tickLimit = Infinity }: Asked,
): Ended | undefined {
  if (tickLimit < first || tickLimit > last) return undefined;
  const [tick, within] = sellsA ? [from - 1, TICK_POSITIONS] : [from + 1, 0n];
  return { ...run, tick, within, isLimited: true };
}

/** A swap at its start. */
const startOf = ({ activeTick, scales, ticks }: State, { sellsA, isOutput, amount }: Asked): Run => ({
  ...{ left: amount * scales[sellsA === isOutput ? 1 : 0], taken: 0n, paid: 0n },
  ...{ tick: activeTick, within: 0n, crossed: 0, ticks },
});

/**
 * The pool's swap, tick by tick; amounts in 18 digits.
 *
 * @returns undefined if the known ticks do not suffice, or the pool would revert
 */
function runOf(state: State, asked: Asked): Ended | undefined {
  if (isBeyond(asked, state.activeTick)) return undefined;
  const [way, nowhere] = asked.sellsA ? [1, Infinity] : [-1, -Infinity];
  const run = startOf(state, asked);
  let from = state.activeTick;
  while (run.left > 0n && run.crossed < MAX_TICKS) {
    const found = nextTick(state, from, asked.sellsA);
    if (isBeyond(asked, found?.tick ?? nowhere)) return atLimit(state, run, from, asked);
    if (found === undefined || !step(state, run, found, asked)) return undefined;
    from = found.tick + way;
  }
  return run.left > 0n ? undefined : { ...run, isLimited: false };
}

/**
 * The pool's swap at a time, which decides how far its bins follow; the amounts do not depend on it.
 *
 * @returns undefined as `runOf`
 * @source VeloraDEX/paraswap-dex-lib `aa9c75f` src/dex/maverick-v2/maverick-math/maverick-pool-math.ts swap
 */
export function swap(state: State, asked: Asked, timestamp: number): Answered | undefined {
  if (!state.isSettled || asked.amount <= 0n || asked.amount > MAX_AMOUNT) return undefined;
  const run = runOf(state, asked);
  if (run === undefined) return undefined;
  const [scaleIn, scaleOut] = asked.sellsA ? state.scales : ([state.scales[1], state.scales[0]] as const);
  const amountIn = asked.isOutput || run.isLimited ? divideUp(run.taken, scaleIn) : run.taken / scaleIn;
  const left = { ...state, activeTick: run.tick, ticks: run.ticks };
  const position = BigInt(run.tick) * TICK_POSITIONS + run.within;
  return {
    amountIn,
    amountOut: run.paid / scaleOut,
    crossed: Math.max(run.crossed - 1, 0),
    passed: Math.abs(run.tick - state.activeTick) - Math.max(run.crossed - 1, 0),
    next: settle(left, { from: state.activeTick, position }, timestamp),
    isCertain: !follows(state) || movesAtAnyTime(left, state.activeTick, timestamp),
  };
}

/** Gas units through the router, measured on the deployed bytecode and on the devnet's model. */
const SWAP_GAS = 80_000;
/** Gas units of a tick that is used, and of an empty one that is passed. */
const TICK_GAS = 23_000;
const PASSED_GAS = 2_600;
/** Gas units of moving bins that follow the price. */
const FOLLOW_GAS = 60_000;

/** Gas units of a fill. */
export function gasOf({ crossed, passed }: { crossed: number; passed: number }, moves: boolean): number {
  return SWAP_GAS + TICK_GAS * crossed + PASSED_GAS * passed + (moves ? FOLLOW_GAS : 0);
}

/**
 * The exact sale of `amount` of token `i`; undefined unless the pool takes it to the last unit. What it leaves is priced again
 * only where it does not depend on the second in which the swap is executed.
 */
export function sell(state: State, i: number, amount: bigint, at: At): Trade<State> | undefined {
  const asked = { sellsA: i === 0, amount, isOutput: false, tickLimit: undefined };
  const done = swap(state, asked, at.timestamp);
  if (done === undefined || done.amountIn !== amount || done.amountOut === 0n) return undefined;
  const { amountIn, amountOut, isCertain } = done;
  const next = isCertain ? done.next : { ...done.next, isSettled: false };
  return { amountIn, amountOut, gas: gasOf(done, follows(state)), next };
}

/**
 * Sells to or buys from the pool. An exact output is bought by the least input that pays it, since the router only
 * sells.
 */
export function trade(state: State, { i, amount, side, at }: Order): Trade<State> | undefined {
  if (side === "in") return sell(state, i, amount, at);
  if (amount <= 0n || amount > MAX_AMOUNT) return undefined;
  const sold = leastInput((amountIn) => sell(state, i, amountIn, at)?.amountOut, amount, amount);
  const done = sold === undefined ? undefined : sell(state, i, sold, at);
  return done && { ...done, amountOut: amount };
}

/**
 * The last tick that a swap may use: the furthest one that has something to sell. Beyond it the pool would look for liquidity
 * until the gas is used up.
 */
export function lastTick({ ticks, activeTick }: State, sellsA: boolean): number {
  const found = sellsA ? ticks.findLast(({ b }) => b > 0n) : ticks.find(({ a }) => a > 0n);
  const tick = found?.tick ?? activeTick;
  return sellsA ? Math.max(tick, activeTick) : Math.min(tick, activeTick);
}
