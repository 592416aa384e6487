import {
  curveOfHyperbolas,
  type Hyperbolas,
  hyperbolaAt,
  hyperbolasOf,
  paidBy,
  rowOfTick,
  type TickRow,
} from "../../core/math/concentrated/hyperbolas.ts";
import { inputToEdge, tickCurve } from "../../core/math/maverick-ticks/maverick-math.ts";
import type { Curve } from "../../core/protocol.ts";
import { canEndIn, nextTick, reservesAt, type State } from "./state.ts";

/** One direction, and the indexes of ticks in which no swap may end. */
type Side = { readonly ticks: Hyperbolas; readonly closed: ReadonlySet<number> };

/** The pool in doubles: sales of A, sales of B. */
export type Mirror = {
  readonly keep: number;
  readonly follows: boolean;
  readonly sides: readonly [Side, Side];
};

/** Most ticks that a swap may cross. */
const MAX_TICKS = 150;

/** The mirror of a state. */
export function mirror(state: State): Mirror {
  return {
    keep: 1 - Number(state.fee) / 1e18,
    follows: state.follows,
    sides: [sideOf(state, true), sideOf(state, false)],
  };
}

type Rows = { readonly rows: TickRow[]; readonly closed: Set<number> };

function sideOf(state: State, sellsA: boolean): Side {
  const out: Rows = { rows: [], closed: new Set() };
  let from = state.activeTick;
  for (let k = 0; k < MAX_TICKS; k++) {
    const tick = nextTick(state, from, sellsA);
    if (tick === undefined || !addTick(state, out, tick, sellsA)) break;
    from = sellsA ? tick + 1 : tick - 1;
  }
  return { ticks: hyperbolasOf(out.rows), closed: out.closed };
}

/** Appends a tick; false if the pool ends there. A tick that pays nothing is skipped. */
function addTick(state: State, { rows, closed }: Rows, tick: number, sellsA: boolean): boolean {
  const reserves = reservesAt(state, tick);
  if (reserves === undefined) return false;
  const curve = tickCurve(reserves);
  const input = inputToEdge(reserves, curve, sellsA);
  const paid = sellsA ? reserves.b : reserves.a;
  if (input <= 0n || paid <= 0n) return true;
  if (!canEndIn(state, tick, reserves)) closed.add(rows.length);
  rows.push(rowOfTick({ ...curve, input, paid }, sellsA, state.scales));
  return true;
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function quoteFloat(pool: Mirror, i: number, _j: number, x: number): number {
  const { ticks, closed } = pool.sides[i === 0 ? 0 : 1];
  const net = x * pool.keep;
  const k = hyperbolaAt(ticks, net);
  return k === undefined || closed.has(k) ? 0 : paidBy(ticks, k, net);
}

/**
 * One segment per tick, including closed ones since swaps cross them; undefined if the prices are not exactly
 * nonincreasing from tick to tick.
 */
export function curve(pool: Mirror, i: number, _j: number): Curve | undefined {
  return curveOfHyperbolas(pool.sides[i === 0 ? 0 : 1].ticks, pool.keep);
}
