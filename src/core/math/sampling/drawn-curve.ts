import type { Curve } from "../../protocol.ts";

/** A concave function at an amount: what it pays, and its price there. */
export type Node = { readonly x: number; readonly y: number; readonly slope: number };

/** The segment before the first node, where that is not at nothing. */
export type First = { readonly m: number; readonly c: number };

/**
 * The curve through the nodes' prices: hyperbolas that meet the price at both ends. Where it would promise less than the
 * function pays, the next price is lifted: what is proved by a curve below its function does not hold. No price is
 * lifted above the one before: that would be arbitrage.
 *
 * @param nodes two or more, ascending; without `first` from x = 0, y = 0
 */
export function drawnCurve(nodes: readonly Node[], first?: First): Curve {
  const room = nodes.length - 1 + (first === undefined ? 0 : 1);
  const [x, y] = [new Array<number>(room), new Array<number>(room)];
  const [m, c] = [new Array<number>(room), new Array<number>(room)];
  let count = 0;
  if (first !== undefined) [x[0], y[0], m[0], c[0], count] = [0, 0, first.m, first.c, 1];
  let { y: sum, slope: price } = nodes[0]!;
  for (let k = 1; k < nodes.length; k++) {
    const [from, to] = [nodes[k - 1]!, nodes[k]!];
    const width = to.x - from.x;
    const needed = ((to.y - sum) / width) ** 2 / price;
    const wanted = Math.max(to.slope, needed);
    const next = wanted > price * (1 - TILT) ? price : wanted;
    const root = Math.sqrt(price / next);
    // What goes on straight at the same price is one segment.
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

/** Share by which a price falls over a segment at least, but the last. */
const TILT = 1e-9;

/** Lets straight segments fall by a hair: a search would else find all amounts up to the next segment at one price. */
function tilt(x: readonly number[], m: number[], c: number[]): void {
  let left = 1;
  for (let k = 0; k < m.length; k++) {
    m[k]! *= left;
    if (c[k] !== 0 || k === m.length - 1) continue;
    c[k] = TILT / 2 / (x[k + 1]! - x[k]!);
    left *= 1 - TILT;
  }
}
