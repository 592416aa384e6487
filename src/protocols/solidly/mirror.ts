import type { Curve } from "../../core/protocol.ts";
import type { State } from "./state.ts";

/** The pair in doubles. */
export type Mirror = {
  readonly stable: boolean;
  readonly reserves: readonly [number, number];
  readonly units: readonly [number, number];
  /** 1 - fee, 0 … 1. */
  readonly keep: number;
  /** Largest sale of each token; above it the contract's numbers overflow. */
  readonly most: readonly [number, number];
};

/** Largest amount that the exact quote accepts. */
const MAX = 2 ** 128;
/** Largest x³y in whole tokens: it has 72 decimals, of which 36 are dropped before it must fit a uint256. */
const OVERFLOW = 2 ** 256 / 1e36;
/** Cap on Newton steps: they increase to the root with quadratic convergence, rarely in more than a dozen. */
const MAX_STEPS = 64;

/** The mirror of a state; it does not depend on the time. */
export function mirror(state: State): Mirror {
  const reserves = [Number(state.reserves[0]), Number(state.reserves[1])] as const;
  const units = [Number(state.units[0]), Number(state.units[1])] as const;
  const keep = 1 - Number(state.fee) / Number(state.feeDenominator);
  const most = (i: 0 | 1) => {
    if (!state.stable) return MAX;
    const j = i === 0 ? 1 : 0;
    const end = largestReserve(reserves[j] / units[j], state.solver) * units[i];
    return Math.min(MAX, Math.max(0, (end - reserves[i]) / keep));
  };
  return { stable: state.stable, reserves, units, keep, most: [most(0), most(1)] };
}

/**
 * The largest x, in whole tokens, for which the first k with `y` fits a uint256. That limits x³y for `unit`, which
 * multiplies each part on its own, and xy(x² + y²) for the others.
 */
function largestReserve(y: number, solver: State["solver"]): number {
  const cube = OVERFLOW / y;
  if (solver === "unit") return Math.min(Math.cbrt(cube), cube / y / y);
  let x = Math.cbrt(cube);
  for (let step = 0; step < 6; step++) x -= (x * (x * x + y * y) - cube) / (3 * x * x + y * y);
  return x;
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function quoteFloat(pair: Mirror, i: number, j: number, x: number): number {
  const reserveIn = pair.reserves[i]!;
  const reserveOut = pair.reserves[j]!;
  if (!(x > 0 && x <= pair.most[i]!) || reserveIn === 0 || reserveOut === 0) return 0;
  const net = x * pair.keep;
  if (!pair.stable) return (net * reserveOut) / (reserveIn + net);
  const perOut = pair.units[j]!;
  return perOut * fall(reserveIn / pair.units[i]!, reserveOut / perOut, net / pair.units[i]!);
}

/**
 * The fall of y when x rises by `dx` at constant xy(x² + y²), computed directly to avoid cancellation. With r = (x +
 * dx)/y and u = fall/y:
 *
 *   u·(r² + 3 - 3u + u²) = dx·(x'² + x'x + x² + y²) / (x'y²),   x' = x + dx
 */
function fall(x: number, y: number, dx: number): number {
  const after = x + dx;
  const target = (dx * (after * after + after * x + x * x + y * y)) / (after * y * y);
  const square = (after / y) ** 2;
  let u = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const missing = target - u * (square + 3 - 3 * u + u * u);
    const next = u + missing / (square + 3 * (1 - u) * (1 - u));
    if (!(next > u)) break;
    u = next;
  }
  return Math.min(u, 1) * y;
}

/** One exact segment for a volatile pair; undefined for a stable pair. */
export function curve(pair: Mirror, i: number, j: number): Curve | undefined {
  if (pair.stable) return undefined;
  const reserveIn = pair.reserves[i]!;
  const reserveOut = pair.reserves[j]!;
  const open = reserveIn > 0 && reserveOut > 0;
  return {
    x: [0],
    y: [0],
    m: [open ? (pair.keep * reserveOut) / reserveIn : 0],
    c: [open ? pair.keep / reserveIn : 0],
    end: open ? pair.most[i]! : 0,
  };
}
