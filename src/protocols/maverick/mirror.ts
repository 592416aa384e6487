import { inputToEdge, tickCurve } from "../../core/math/concentrated/maverick-math.ts";
import type { Curve } from "../../core/protocol.ts";
import { canEndIn, nextTick, reservesAt, type State } from "./state.ts";

/** One direction: one hyperbola per tick. Amounts in smallest units, net of the fee. */
type Side = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly price: Float64Array;
  readonly curvature: Float64Array;
  /** Indexes of ticks in which no swap may end. */
  readonly closed: ReadonlySet<number>;
};

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

type Segments = { x: number[]; y: number[]; price: number[]; curvature: number[]; closed: Set<number> };

function sideOf(state: State, sellsA: boolean): Side {
  const out: Segments = { x: [0], y: [0], price: [], curvature: [], closed: new Set() };
  let from = state.activeTick;
  for (let k = 0; k < MAX_TICKS; k++) {
    const tick = nextTick(state, from, sellsA);
    if (tick === undefined || !addTick(state, out, tick, sellsA)) break;
    from = sellsA ? tick + 1 : tick - 1;
  }
  if (out.price.length === 0) {
    out.x.push(0);
    out.y.push(0);
    out.price.push(0);
    out.curvature.push(0);
  }
  const { x, y, price, curvature, closed } = out;
  return {
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    price: Float64Array.from(price),
    curvature: Float64Array.from(curvature),
    closed,
  };
}

/** Appends a tick; false if the pool ends there. A tick that pays nothing is skipped. */
function addTick(state: State, out: Segments, tick: number, sellsA: boolean): boolean {
  const reserves = reservesAt(state, tick);
  if (reserves === undefined) return false;
  const curve = tickCurve(reserves);
  const input = Number(inputToEdge(reserves, curve, sellsA));
  const paid = Number(sellsA ? reserves.b : reserves.a);
  if (!(input > 0 && paid > 0)) return true;
  const [scaleIn, scaleOut] = state.scales.map(Number) as [number, number];
  const [perIn, perOut] = sellsA ? [scaleIn, scaleOut] : [scaleOut, scaleIn];
  const s = Number(curve.sqrtPrice) / 1e18;
  const liquidity = Number(curve.liquidity);
  if (!canEndIn(state, tick, reserves)) out.closed.add(out.price.length);
  out.price.push((sellsA ? 1 / (s * s) : s * s) * (perIn / perOut));
  out.curvature.push((sellsA ? 1 / (liquidity * s) : s / liquidity) * perIn);
  out.x.push(out.x.at(-1)! + input / perIn);
  out.y.push(out.y.at(-1)! + paid / perOut);
  return true;
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function quoteFloat(pool: Mirror, i: number, _j: number, x: number): number {
  const side = pool.sides[i === 0 ? 0 : 1];
  const net = x * pool.keep;
  const starts = side.x;
  let high = starts.length - 1;
  if (!(net > 0 && net <= starts[high]!)) return 0;
  let k = 0;
  while (high - k > 1) {
    const middle = (k + high) >>> 1;
    if (starts[middle]! < net) k = middle;
    else high = middle;
  }
  if (side.closed.has(k)) return 0;
  const h = net - starts[k]!;
  return Math.min(side.y[k]! + (side.price[k]! * h) / (1 + side.curvature[k]! * h), side.y[k + 1]!);
}

/**
 * One segment per tick, including closed ones since swaps cross them; undefined if the prices are not exactly
 * nonincreasing from tick to tick.
 */
export function curve(pool: Mirror, i: number, _j: number): Curve | undefined {
  const { keep } = pool;
  const { x, y, price, curvature } = pool.sides[i === 0 ? 0 : 1];
  for (let k = 0; k + 1 < price.length; k++) {
    const h = x[k + 1]! - x[k]!;
    const grown = 1 + curvature[k]! * h;
    if (price[k + 1]! > price[k]! / grown ** 2) return undefined;
    if (Math.abs(y[k]! + (price[k]! * h) / grown - y[k + 1]!) > 1e-12 * y[k + 1]!) return undefined;
  }
  return {
    x: x.slice(0, -1).map((value) => value / keep),
    y: y.slice(0, -1),
    m: price.map((value) => value * keep),
    c: curvature.map((value) => value * keep),
    end: x[x.length - 1]! / keep,
  };
}
