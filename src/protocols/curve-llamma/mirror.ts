import type { Curve } from "../../core/protocol.ts";
import type { State } from "./state.ts";
import { after, antifeeOf, type Step, sideOf, startOf } from "./swap.ts";

/** One direction in doubles, in smallest units: one hyperbolic segment per band, as in `Curve`. */
export type Direction = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly m: Float64Array;
  readonly c: Float64Array;
  /** Largest input; no band takes more. */
  readonly end: number;
};

/** Sales of the stablecoin, and sales of the collateral. */
export type Mirror = readonly [Direction, Direction];

/** The mirror of a state; it changes in every block with the oracle's price. */
export function mirrorOf(state: State): Mirror {
  return [directionOf(state, true), directionOf(state, false)];
}

type Segments = {
  readonly x: number[];
  readonly y: number[];
  readonly m: number[];
  readonly c: number[];
  end: number;
};

function directionOf(state: State, isPump: boolean): Direction {
  const [first, second] = state.precisions.map(Number) as [number, number];
  const units = isPump ? { sold: first, bought: second } : { sold: second, bought: first };
  const segments: Segments = { x: [], y: [], m: [], c: [], end: 0 };
  let paid = 0;
  let touched = 0;
  let step: Step | undefined = startOf(state);
  while (step !== undefined) {
    if (touched > 0 || step.x > 0n || step.y > 0n) {
      touched++;
      paid = addBand(state, isPump, step, { segments, units, paid });
    }
    const next: Step | "end" | undefined = after(state, isPump, step, touched);
    step = next === "end" ? undefined : next;
  }
  const { x, y, m, c, end } = segments;
  return {
    ...{ x: Float64Array.from(x), y: Float64Array.from(y), m: Float64Array.from(m), c: Float64Array.from(c) },
    end,
  };
}

type Band = {
  readonly segments: Segments;
  readonly units: { readonly sold: number; readonly bought: number };
  /** Output of the bands before, smallest units. */
  readonly paid: number;
};

/**
 * Appends a band: (near + has + h/antifee)·(far + rest) = invariant, solved for the output. @returns the output up to
 * its end
 */
function addBand(state: State, isPump: boolean, step: Step, { segments, units, paid }: Band): number {
  const { has, pays, near, far, invariant } = sideOf(state, isPump, step);
  const room = pays === 0n || far === 0n ? 0n : invariant / far - near - has;
  if (room <= 0n) return paid;
  const antifee = Number(antifeeOf(state, step)) / 1e18;
  const whole = (Number(room) * antifee) / units.sold;
  const bend = units.sold / antifee / Number(near + has);
  segments.x.push(segments.end);
  segments.y.push(paid);
  segments.m.push((Number(far + pays) * bend) / units.bought);
  segments.c.push(bend);
  segments.end += whole;
  return paid + Number(pays) / units.bought;
}

/** Output for `amount` of coin `i` in doubles, smallest units; 0 if the bands do not take all of it. */
export function quoteFloat(pool: Mirror, i: number, _j: number, amount: number): number {
  const { x, y, m, c, end } = pool[i as 0 | 1];
  if (!(amount > 0) || amount > end) return 0;
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle]! <= amount) low = middle;
    else high = middle - 1;
  }
  const h = amount - x[low]!;
  return y[low]! + (m[low]! * h) / (1 + c[low]! * h);
}

/** The bands as segments; undefined if a band's dynamic fee makes its price better than that of the band before. */
export function curve(pool: Mirror, i: number, _j: number): Curve | undefined {
  const direction = pool[i as 0 | 1];
  const { x, m, c, end } = direction;
  for (let k = 1; k < x.length; k++) {
    const bend = 1 + c[k - 1]! * (x[k]! - x[k - 1]!);
    if (!(x[k]! > x[k - 1]!) || m[k]! > (m[k - 1]! / (bend * bend)) * (1 + 1e-12)) return undefined;
  }
  if (x.length > 0) return { ...direction, end };
  const zero = Float64Array.of(0);
  return { x: zero, y: zero, m: zero, c: zero, end: 0 };
}
