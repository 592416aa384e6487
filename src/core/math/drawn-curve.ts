import type { Curve } from "../protocol.ts";

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
  const lead = first === undefined ? 0 : 1;
  const count = nodes.length - 1 + lead;
  const [x, y] = [new Array<number>(count), new Array<number>(count)];
  const [m, c] = [new Array<number>(count), new Array<number>(count)];
  if (first !== undefined) [x[0], y[0], m[0], c[0]] = [0, 0, first.m, first.c];
  let { y: sum, slope: price } = nodes[0]!;
  for (let k = 1; k < nodes.length; k++) {
    const [from, to] = [nodes[k - 1]!, nodes[k]!];
    const at = k - 1 + lead;
    const width = to.x - from.x;
    const needed = ((to.y - sum) / width) ** 2 / price;
    const next = Math.min(price, Math.max(to.slope, needed));
    x[at] = from.x;
    y[at] = sum;
    m[at] = price;
    c[at] = (Math.sqrt(price / next) - 1) / width;
    sum += width * Math.sqrt(price * next);
    price = next;
  }
  return { x, y, m, c, end: nodes.at(-1)!.x };
}
