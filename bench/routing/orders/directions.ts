import type { Pool } from "../../../src/core/types.ts";
import type { WeightedState } from "../../../src/protocols/balancer-v2/state.ts";
import type { State as CurveState } from "../../../src/protocols/curve-stable/state.ts";
import type { State as PairState } from "../../../src/protocols/uniswap-v2/quote.ts";
import type { State as ConcentratedState } from "../../../src/protocols/uniswap-v3/state.ts";

import type { Market } from "../market/market.ts";
import { invariant } from "./stable.ts";

/**
 * A pool from one of its tokens to another in doubles, worked out from the state by formulas of the bench's own: what
 * checks the engine shares nothing with it. Amounts in smallest units; nothing is rounded, so no exact fill pays more.
 */
export type Direction = {
  /** Marginal price of the first unit, fee included; 0 where the pool is closed. */
  readonly spot: number;
  /** Output for `x`; 0 where the pool cannot take it. */
  out(x: number): number;
  /** The most that can be sold while each unit still fetches `price`. */
  amountAt(price: number): number;
  /** Initialised ticks that are crossed on the way to `x`. */
  crossed(x: number): number;
  /** What is earned where the input costs `cost` and each tick crossed `toll`; set where ticks are crossed. */
  readonly afterTicks?: (cost: number, toll: number) => number;
  /** Set where contracts limit a single swap: what any number of swaps earns where the input costs `cost`. */
  readonly repeated?: (cost: number) => number;
};

const CLOSED: Direction = { spot: 0, out: () => 0, amountAt: () => 0, crossed: () => 0 };

const MAX_RESERVE = 2 ** 112;

export function directionOf(pool: Pool, state: unknown, i: number, j: number): Direction {
  const direction = makers.get(pool.protocol)!(state as never, i, j);
  return direction.spot > 0 && direction.spot < Number.MAX_VALUE ? direction : CLOSED;
}

/** What the pool earns where its output is worth 1 and its input `cost`. */
export function profitOf(direction: Direction, cost: number): number {
  if (!(direction.spot > cost)) return 0;
  const x = direction.amountAt(cost);
  return Math.max(0, direction.out(x) - cost * x);
}

const makers = new Map<string, (state: never, i: number, j: number) => Direction>([
  ["uniswap-v2", pairDirection],
  ["uniswap-v3", concentratedDirection],
  ["curve-stable", stableDirection],
  ["balancer-v2", weightedDirection],
]);

function pairDirection({ reserves, feePpm }: PairState, i: number): Direction {
  const inside = Number(reserves[i]);
  const outside = Number(reserves[1 - i]);
  const keep = 1 - feePpm / 1e6;
  const most = MAX_RESERVE - inside;
  if (inside === 0 || outside === 0) return CLOSED;
  return {
    spot: (keep * outside) / inside,
    out: (x) => (x > 0 && x <= most ? (x * keep * outside) / (inside + x * keep) : 0),
    amountAt: (price) => within((Math.sqrt((keep * outside * inside) / price) - inside) / keep, most),
    crossed: () => 0,
  };
}

function within(x: number, most: number): number {
  return Math.max(0, Math.min(x, most));
}

/** A stretch of constant liquidity: out = y + m·h / (1 + c·h) for h = input - x up to `width`. */
type Stretch = { x: number; y: number; m: number; c: number; width: number; crossed: number };

function concentratedDirection(state: ConcentratedState, i: number): Direction {
  const keep = 1 - state.feePpm / 1e6;
  const stretches = i === 0 ? stretchesDown(state) : stretchesUp(state);
  for (const stretch of stretches) {
    stretch.x /= keep;
    stretch.width /= keep;
    stretch.m *= keep;
    stretch.c *= keep;
  }
  const [first] = stretches;
  const last = stretches.at(-1);
  if (first === undefined || last === undefined) return CLOSED;
  const most = last.x + last.width;
  const at = (x: number) => {
    let k = stretches.length - 1;
    while (k > 0 && stretches[k]!.x > x) k--;
    return stretches[k]!;
  };
  return {
    spot: first.m,
    out(x) {
      if (!(x > 0 && x <= most)) return 0;
      const { x: start, y, m, c } = at(x);
      return y + (m * (x - start)) / (1 + c * (x - start));
    },
    amountAt(price) {
      let best = 0;
      for (const { x, m, c, width } of stretches) {
        if (m <= price) break;
        best = x + Math.min(width, (Math.sqrt(m / price) - 1) / c);
      }
      return best;
    },
    crossed: (x) => at(x).crossed,
    afterTicks: (cost, toll) =>
      stretches.reduce((most, { x, y, m, c, width, crossed }) => {
        const h = m > cost ? Math.min(width, (Math.sqrt(m / cost) - 1) / c) : 0;
        return Math.max(most, y + (m * h) / (1 + c * h) - cost * (x + h) - toll * crossed);
      }, 0),
  };
}

function stretchesDown({ sqrtPriceX96, liquidity, tick, ticks, nets }: ConcentratedState): Stretch[] {
  const stretches: Stretch[] = [];
  let s = Number(sqrtPriceX96) / 2 ** 96;
  let size = Number(liquidity);
  let exact = liquidity;
  let [x, y, crossed] = [0, 0, 0];
  for (let k = ticks.length - 1; k >= 0; k--) {
    if (ticks[k]! > tick) continue;
    const end = 1.0001 ** (ticks[k]! / 2);
    const width = (size * (s - end)) / (s * end);
    if (size > 0 && width > 0) {
      stretches.push({ x, y, m: s * s, c: s / size, width, crossed });
      x += width;
      y += size * (s - end);
    }
    exact -= nets[k]!;
    size = Number(exact);
    s = end;
    crossed++;
  }
  return stretches;
}

function stretchesUp({ sqrtPriceX96, liquidity, tick, ticks, nets }: ConcentratedState): Stretch[] {
  const stretches: Stretch[] = [];
  let s = Number(sqrtPriceX96) / 2 ** 96;
  let exact = liquidity;
  let [x, y, crossed] = [0, 0, 0];
  for (const [k, boundary] of ticks.entries()) {
    if (boundary <= tick) continue;
    const size = Number(exact);
    const end = 1.0001 ** (boundary / 2);
    const width = size * (end - s);
    if (size > 0 && width > 0) {
      stretches.push({ x, y, m: 1 / (s * s), c: 1 / (s * size), width, crossed });
      x += width;
      y += (size * (end - s)) / (s * end);
    }
    exact += nets[k]!;
    s = end;
    crossed++;
  }
  return stretches;
}

/** Share of its balance of the token sold that a weighted pool takes at most, after the fee. */
const MOST_IN = 0.3;

/** out = Bout·(1 - (Bin / (Bin + keep·x))^r), r = win / wout */
function weightedDirection({ balances, weights, swapFee }: WeightedState, i: number, j: number): Direction {
  const inside = Number(balances[i]);
  const outside = Number(balances[j]);
  const r = Number(weights[i]) / Number(weights[j]);
  const keep = 1 - Number(swapFee) / 1e18;
  const most = (MOST_IN * inside) / keep;
  if (inside === 0 || outside === 0) return CLOSED;
  const spot = (keep * outside * r) / inside;
  const repeated = (cost: number) => {
    if (!(spot > cost)) return 0;
    const grown = Math.log(spot / cost) / (r + 1);
    return -outside * Math.expm1(-r * grown) - (cost * inside * Math.expm1(grown)) / keep;
  };
  return {
    repeated,
    spot,
    out: (x) => (x > 0 && x <= most ? -outside * Math.expm1(-r * Math.log1p((keep * x) / inside)) : 0),
    amountAt: (price) => within((inside * Math.expm1(Math.log(spot / price) / (r + 1))) / keep, most),
    crossed: () => 0,
  };
}

/** A multiplier of the fee up to which it is constant, of 10^10. */
const ONE_FEE = 10n ** 10n;

/** Of metapools and of dynamic fees the bench has no formulas. */
function isPlain({ base, offpegFeeMultiplier }: CurveState): boolean {
  return base === null && offpegFeeMultiplier <= ONE_FEE;
}

/** Whether the bench has formulas for all pools of a market. */
export function hasFormulas({ pools, states }: Pick<Market, "pools" | "states">): boolean {
  return pools.every(
    ({ id, protocol }) => protocol !== "curve-stable" || isPlain(states.get(id) as CurveState),
  );
}

function stableDirection(state: CurveState, i: number, j: number): Direction {
  const rates = state.rates.map((rate) => Number(rate) / 1e18);
  const held = state.balances.map((balance, k) => Number(balance) * rates[k]!);
  if (!isPlain(state) || held.some((amount) => !(amount > 0))) return CLOSED;
  const ann = (Number(state.ramp.futureA) / Number(state.aPrecision)) * held.length;
  const d = invariant(held, ann);
  const keep = 1 - Number(state.fee) / 1e10;
  const scale = keep / rates[j]!;
  const after = (x: number) => ({
    sold: held[i]! + x * rates[i]!,
    left: balanceFor(held, { ann, d, i, j }, x * rates[i]!),
  });
  const slope = (x: number) => {
    const { sold, left } = after(x);
    const others = held.reduce(
      (p, amount, k) => (k === i || k === j ? p : (p * d) / (held.length * amount)),
      d,
    );
    const product = (((others * d) / (held.length * sold)) * d) / (held.length * left);
    return ((ann + product / sold) / (ann + product / left)) * rates[i]! * scale;
  };
  return {
    spot: slope(0),
    out: (x) => (x > 0 ? Math.max(0, (held[j]! - after(x).left) * scale) : 0),
    amountAt: (price) => bisect(slope, price, held[i]! / rates[i]!),
    crossed: () => 0,
  };
}

/** Largest x with slope(x) >= price, looked for upwards from a small share of `size`. */
function bisect(slope: (x: number) => number, price: number, size: number): number {
  let low = 0;
  let high = size * 1e-6;
  while (slope(high) > price && high < size * 1e9) {
    low = high;
    high *= 4;
  }
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (slope(middle) > price) low = middle;
    else high = middle;
  }
  return low;
}

type Stable = { readonly ann: number; readonly d: number; readonly i: number; readonly j: number };

/** What is left of coin j once `more` of coin i came in: the positive root of y² + (b - D)·y = c. */
function balanceFor(held: readonly number[], { ann, d, i, j }: Stable, more: number): number {
  const n = held.length;
  let sum = 0;
  let c = d;
  for (let k = 0; k < n; k++) {
    if (k === j) continue;
    const amount = held[k]! + (k === i ? more : 0);
    sum += amount;
    c = (c * d) / (amount * n);
  }
  c = (c * d) / (ann * n);
  const b = sum + d / ann - d;
  return b >= 0 ? (2 * c) / (b + Math.sqrt(b * b + 4 * c)) : (Math.sqrt(b * b + 4 * c) - b) / 2;
}
