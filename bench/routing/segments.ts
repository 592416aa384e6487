import type { Direction } from "./directions.ts";

/** A direction as concave hyperbolas: y + m·h / (1 + c·h) from each start on. */
export type Segments = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly m: Float64Array;
  readonly c: Float64Array;
  readonly end: number;
};

/** What an edge does where its input costs `least` units of its output. */
export type Response = {
  sold: number;
  bought: number;
  /** Fall of what is sold for a relative rise of the cost. */
  feel: number;
};

const NODES = 400;
/** Logarithm of the fall in price that is covered. */
const DEPTH = 9;

/**
 * Nodes by falling price, dense at the spot, joined by hyperbolas that meet the function in value and slope at each
 * start and its slope at each end.
 */
export function segmentsOf(direction: Direction): Segments {
  const nodes: { x: number; price: number }[] = [{ x: 0, price: direction.spot }];
  for (let k = 1; k <= NODES; k++) {
    const price = direction.spot * Math.exp(-DEPTH * (k / NODES) ** 2);
    const x = direction.amountAt(price);
    if (x > nodes.at(-1)!.x * (1 + 1e-9)) nodes.push({ x, price });
  }
  const count = nodes.length - 1;
  const segments = {
    x: new Float64Array(count),
    y: new Float64Array(count),
    m: new Float64Array(count),
    c: new Float64Array(count),
    end: nodes[count]!.x,
  };
  for (let k = 0; k < count; k++) {
    const [from, to] = [nodes[k]!, nodes[k + 1]!];
    const width = to.x - from.x;
    const rise = direction.out(to.x) - direction.out(from.x);
    // The start's slope is the one that, with the slope at the end, gives the rise: m·w² ·p = rise².
    const slope = rise > 0 ? Math.min(from.price, (rise / width) ** 2 / to.price) : from.price;
    segments.x[k] = from.x;
    segments.y[k] = direction.out(from.x);
    segments.m[k] = slope;
    segments.c[k] = Math.max(0, (Math.sqrt(slope / to.price) - 1) / width);
  }
  return segments;
}

export function respond({ x, y, m, c, end }: Segments, least: number, into: Response): void {
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (m[middle]! > least) low = middle;
    else high = middle - 1;
  }
  if (x.length === 0 || !(m[low]! > least)) {
    into.sold = into.bought = into.feel = 0;
    return;
  }
  const width = (low + 1 < x.length ? x[low + 1]! : end) - x[low]!;
  const root = Math.sqrt(m[low]! / least);
  const wanted = c[low]! > 0 ? (root - 1) / c[low]! : width;
  const h = Math.min(wanted, width);
  into.sold = x[low]! + h;
  into.bought = y[low]! + (m[low]! * h) / (1 + c[low]! * h);
  into.feel = wanted < width ? root / (2 * c[low]!) : 0;
}
