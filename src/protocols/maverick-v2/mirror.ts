import {
  curveOfHyperbolas,
  type Hyperbolas,
  hyperbolaAt,
  hyperbolasOf,
  paidBy,
  rowOfTick,
  type TickRow,
} from "../../core/math/concentrated/hyperbolas.ts";
import { inputFor } from "../../core/math/maverick-ticks/maverick-v2-math.ts";
import type { Curve } from "../../core/protocol.ts";
import { follows, nextTick, type State, type Tick } from "./state.ts";
import { MAX_TICKS, sideOf } from "./swap.ts";

/** One direction, and the share of its input that the fee leaves. */
type Side = { readonly keep: number; readonly ticks: Hyperbolas };

/** The pool in doubles: sales of A, sales of B. */
export type Mirror = { readonly follows: boolean; readonly sides: readonly [Side, Side] };

/** The mirror of a state. */
export function mirror(state: State): Mirror {
  return { follows: follows(state), sides: [rowsOf(state, true), rowsOf(state, false)] };
}

function rowsOf(state: State, sellsA: boolean): Side {
  const rows: TickRow[] = [];
  let found = state.isSettled ? nextTick(state, state.activeTick, sellsA) : undefined;
  for (let k = 0; k < MAX_TICKS && found !== undefined; k++) {
    if (!addTick(state, rows, found, sellsA)) break;
    found = nextTick(state, found.tick + (sellsA ? 1 : -1), sellsA);
  }
  return { keep: 1 - Number(state.fees[sellsA ? 0 : 1]) / 1e18, ticks: hyperbolasOf(rows) };
}

/** Appends a tick; false if the pool ends there. A tick that pays nothing is skipped. */
function addTick(state: State, rows: TickRow[], tick: Tick, sellsA: boolean): boolean {
  const side = sideOf(state, tick, sellsA);
  const paid = sellsA ? tick.b : tick.a;
  const input = side && inputFor(side.curve, sellsA, paid);
  if (side === undefined || input === undefined) return false;
  if (input > 0n && paid > 0n) rows.push(rowOfTick({ ...side.curve, input, paid }, sellsA, state.scales));
  return true;
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function quoteFloat({ sides }: Mirror, i: number, _j: number, x: number): number {
  const { keep, ticks } = sides[i === 0 ? 0 : 1];
  const net = x * keep;
  const k = hyperbolaAt(ticks, net);
  return k === undefined ? 0 : paidBy(ticks, k, net);
}

/** One segment per tick; undefined if the prices are not exactly nonincreasing from tick to tick. */
export function curve({ sides }: Mirror, i: number): Curve | undefined {
  const { keep, ticks } = sides[i === 0 ? 0 : 1];
  return curveOfHyperbolas(ticks, keep);
}
