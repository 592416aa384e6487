import type { Curve } from "../../protocol.ts";

/** One direction of a pool in doubles, one hyperbola per tick. Amounts in smallest units, net of the fee. */
export type Hyperbolas = {
  /** Input and output at the start of each hyperbola, and at the end of the last. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Price and curvature at the start of each. */
  readonly price: Float64Array;
  readonly curvature: Float64Array;
};

/** What a tick adds: its whole input and output, and price and curvature at its start. */
export type TickRow = {
  readonly input: number;
  readonly paid: number;
  readonly price: number;
  readonly curvature: number;
};

/** The hyperbolas of ticks in the order of a swap; without any, one that takes nothing. */
export function hyperbolasOf(rows: readonly TickRow[]): Hyperbolas {
  const all = rows.length > 0 ? rows : [{ input: 0, paid: 0, price: 0, curvature: 0 }];
  const [x, y] = [new Float64Array(all.length + 1), new Float64Array(all.length + 1)];
  for (const [k, { input, paid }] of all.entries()) {
    x[k + 1] = x[k]! + input;
    y[k + 1] = y[k]! + paid;
  }
  const [price, curvature] = (["price", "curvature"] as const).map((name) =>
    Float64Array.from(all, (row) => row[name]),
  );
  return { x, y, price: price!, curvature: curvature! };
}

/** The hyperbola in which a sale of `net` ends; undefined if it does not fill. */
export function hyperbolaAt({ x }: Hyperbolas, net: number): number | undefined {
  let high = x.length - 1;
  if (!(net > 0 && net <= x[high]!)) return undefined;
  let k = 0;
  while (high - k > 1) {
    const middle = (k + high) >>> 1;
    if (x[middle]! < net) k = middle;
    else high = middle;
  }
  return k;
}

/** Output for `net`, which ends in hyperbola `k`. */
export function paidBy({ x, y, price, curvature }: Hyperbolas, k: number, net: number): number {
  const h = net - x[k]!;
  return Math.min(y[k]! + (price[k]! * h) / (1 + curvature[k]! * h), y[k + 1]!);
}

/**
 * One segment per hyperbola.
 *
 * @param keep share of the input left by the fee
 * @returns undefined if the prices are not exactly nonincreasing from one to the next
 */
export function curveOfHyperbolas({ x, y, price, curvature }: Hyperbolas, keep: number): Curve | undefined {
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

/** What a tick of Maverick sells, in 18 digits, at a square-root price with 18 digits. */
export type TickAmounts = {
  readonly input: bigint;
  readonly paid: bigint;
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
};

/**
 * The row of a tick of Maverick, in smallest units of tokens.
 *
 * @param scales factors that convert amounts of token A and token B to 18 digits
 */
export function rowOfTick(
  { input, paid, sqrtPrice, liquidity }: TickAmounts,
  sellsA: boolean,
  scales: readonly [bigint, bigint],
): TickRow {
  const [a, b] = [Number(scales[0]), Number(scales[1])];
  const [perIn, perOut] = sellsA ? [a, b] : [b, a];
  const s = Number(sqrtPrice) / 1e18;
  return {
    input: Number(input) / perIn,
    paid: Number(paid) / perOut,
    price: (sellsA ? 1 / (s * s) : s * s) * (perIn / perOut),
    curvature: (sellsA ? 1 / (Number(liquidity) * s) : s / Number(liquidity)) * perIn,
  };
}
