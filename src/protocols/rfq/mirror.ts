import type { Curve } from "../../core/protocol.ts";
import type { Level } from "../../core/rfq.ts";

/** Both directions in doubles; undefined if a direction pays nothing. */
export type Mirror = {
  readonly curves: readonly [Curve | undefined, Curve | undefined];
  /** Gas units of one crossing. */
  readonly gas: number;
};

/**
 * Relative distance by which a curve ends before its levels do: shares of a route have 32 bits, so a step planned to
 * take all of the levels may get this much more input.
 */
const SHARE_ROUNDING = 1e-9;

/** The levels as straight segments, up to the maker's inventory of the token bought. */
export function curveOf(levels: readonly Level[], stock: number): Curve | undefined {
  const [x, y, m] = [[] as number[], [] as number[], [] as number[]];
  let [sold, paid] = [0, 0];
  for (const { amountIn, amountOut } of levels) {
    if (paid >= stock) break;
    const price = Number(amountOut) / Number(amountIn);
    x.push(sold);
    y.push(paid);
    m.push(price);
    sold += Math.min(Number(amountIn), (stock - paid) / price);
    paid += Number(amountOut);
  }
  const end = sold * (1 - SHARE_ROUNDING);
  const count = x.findLastIndex((start) => start < end) + 1;
  if (count === 0) return undefined;
  const kept = (list: readonly number[]) => list.slice(0, count);
  return { x: kept(x), y: kept(y), m: kept(m), c: Array(count).fill(0), end };
}

/** Output in doubles along a curve of straight segments; 0 where it cannot fill. */
export function along(curve: Curve | undefined, sold: number): number {
  if (curve === undefined || !(sold > 0) || sold > curve.end) return 0;
  let k = curve.x.length - 1;
  while (k > 0 && curve.x[k]! > sold) k--;
  return curve.y[k]! + curve.m[k]! * (sold - curve.x[k]!);
}
