import type { Curve } from "../../core/protocol.ts";
import type { At, Pool } from "../../core/types.ts";
import { accumulatorAt, feeAt, priceOf, referencesAt, type State, type Volatility } from "./state.ts";

/** One direction: one straight segment per bin. Amounts include the fee. */
type Side = {
  /** Input at the start of each bin, and at the end of the last. */
  readonly x: Float64Array;
  /** Output at the same points. */
  readonly y: Float64Array;
  /** Output units per input unit in each bin. */
  readonly slope: Float64Array;
};

/** The pair in doubles for one block: sales of X, sales of Y. */
export type Mirror = readonly [Side, Side];

const SCALE = 2 ** 128;
const CLOSED: Side = { x: Float64Array.of(0, 0), y: Float64Array.of(0, 0), slope: Float64Array.of(0) };

/** The mirror of a state in one block, since the fee depends on the time. */
export function mirror(state: State, _pool: Pool, at: At): Mirror {
  const references = referencesAt(state, at.timestamp);
  if (references === undefined) return [CLOSED, CLOSED];
  return [sideOf(state, references, true), sideOf(state, references, false)];
}

function sideOf(state: State, references: Volatility, swapForY: boolean): Side {
  const x = [0];
  const y = [0];
  const slope: number[] = [];
  const reserves = swapForY ? state.ys : state.xs;
  const step = swapForY ? -1 : 1;
  for (let id = state.activeId; reserves[id - state.first] !== undefined; id += step) {
    const reserve = Number(reserves[id - state.first]);
    if (reserve === 0) continue;
    const rate = rateOf(state, references, swapForY, id);
    if (rate === undefined) break;
    slope.push(rate);
    x.push(x.at(-1)! + reserve / rate);
    y.push(y.at(-1)! + reserve);
  }
  if (slope.length === 0) return CLOSED;
  return { x: Float64Array.from(x), y: Float64Array.from(y), slope: Float64Array.from(slope) };
}

/** Output units per input unit of a bin, net of its fee; undefined if the contract reverts. */
function rateOf(
  { parameters }: State,
  references: Volatility,
  swapForY: boolean,
  id: number,
): number | undefined {
  const price = priceOf(id, parameters);
  const fee = feeAt(accumulatorAt(id, references, parameters.maxVolatility), parameters);
  if (price === undefined || fee === undefined) return undefined;
  const perX = Number(price) / SCALE;
  return (swapForY ? perX : 1 / perX) * (1 - Number(fee) / 1e18);
}

/** Output in doubles for `x` of token `i`; 0 where it cannot fill. */
export function quoteFloat(pair: Mirror, i: number, _j: number, x: number): number {
  const side = pair[i === 0 ? 0 : 1];
  const starts = side.x;
  let high = starts.length - 1;
  if (!(x > 0 && x <= starts[high]!)) return 0;
  let k = 0;
  while (high - k > 1) {
    const middle = (k + high) >>> 1;
    if (starts[middle]! < x) k = middle;
    else high = middle;
  }
  return side.y[k]! + side.slope[k]! * (x - starts[k]!);
}

/** One exact segment per bin; undefined if a falling fee makes a later bin pay a better price than an earlier one. */
export function curve(pair: Mirror, i: number, _j: number): Curve | undefined {
  const { x, y, slope } = pair[i === 0 ? 0 : 1];
  for (let k = 1; k < slope.length; k++) if (slope[k]! > slope[k - 1]!) return undefined;
  return {
    x: x.slice(0, -1),
    y: y.slice(0, -1),
    m: slope,
    c: new Float64Array(slope.length),
    end: x[x.length - 1]!,
  };
}
