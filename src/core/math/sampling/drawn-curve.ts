import type { Curve } from "../../protocol.ts";

/** A sample of a concave function: input, output and marginal price. */
export type Node = { readonly x: number; readonly y: number; readonly slope: number };

/** The segment from x = 0 to the first node, if that is not at 0. */
export type First = { readonly m: number; readonly c: number };

/**
 * Interpolates a concave function by hyperbolic segments that meet its marginal prices at both ends. O(nodes).
 *
 * If a segment would end below the function, the price at its end is raised: bounds that are proved with a curve hold
 * only if the curve is nowhere below its function. No price is raised above the one before, since marginal prices
 * must not rise.
 *
 * @param nodes two or more, ascending in x; without `first` they start at x = 0, y = 0
 */
export function drawnCurve(nodes: readonly Node[], first?: First): Curve {
  const room = nodes.length - 1 + (first === undefined ? 0 : 1);
  const x = new Array<number>(room);
  const y = new Array<number>(room);
  const m = new Array<number>(room);
  const c = new Array<number>(room);
  let count = 0;
  if (first !== undefined) [x[0], y[0], m[0], c[0], count] = [0, 0, first.m, first.c, 1];
  let { y: sum, slope: price } = nodes[0]!;
  for (let k = 1; k < nodes.length; k++) {
    const from = nodes[k - 1]!;
    const to = nodes[k]!;
    const width = to.x - from.x;
    const needed = ((to.y - sum) / width) ** 2 / price;
    const wanted = Math.max(to.slope, needed);
    const next = wanted > price * (1 - TILT) ? price : wanted;
    const root = Math.sqrt(price / next);
    // A straight continuation at the same price extends the last segment.
    if (root > 1 || count === 0 || c[count - 1] !== 0) {
      x[count] = from.x;
      y[count] = sum;
      m[count] = price;
      c[count++] = (root - 1) / width;
    }
    sum += (width * price) / root;
    price = next;
  }
  for (const lane of [x, y, m, c]) lane.length = count;
  tilt(x, m, c);
  return { x, y, m, c, end: nodes.at(-1)!.x };
}

/** Least relative fall of the price over a segment other than the last. */
const TILT = 1e-9;

/**
 * Gives straight segments a tiny curvature: the supply of a straight segment is not a single-valued function of the
 * price.
 */
function tilt(x: readonly number[], m: number[], c: number[]): void {
  let left = 1;
  for (let k = 0; k < m.length; k++) {
    m[k]! *= left;
    if (c[k] !== 0 || k === m.length - 1) continue;
    c[k] = TILT / 2 / (x[k + 1]! - x[k]!);
    left *= 1 - TILT;
  }
}
