import { type Curves, LANES } from "./segments.ts";

/**
 * How an edge answers a price. Let f be its curve, concave with f(0) = 0, and p the price of a unit sold in units bought:
 *
 *   x(p) = argmax f(x) - p·x,   conjugate: f*(p) = max f(x) - p·x
 *
 * Segments are hyperbolas, so that both are closed forms: O(segments). Angeris, Evans, Chitra and Boyd, "Optimal Routing
 * for Constant Function Market Makers" (2022), section 3.
 */

/** What is sold to an edge at a price, and what it pays for it; smallest units. */
export type Response = { sold: number; bought: number };

/** Writes x(p) and f(x(p)) to `into`; both 0 where the edge pays less than `least` for its first unit. */
export function respondAt(
  { lanes, at, count, end }: Curves,
  edge: number,
  least: number,
  into: Response,
): void {
  const first = at[edge]!;
  const last = first + (count[edge]! - 1) * LANES;
  into.sold = 0;
  into.bought = 0;
  if (count[edge] === 0 || !(lanes[first + 2]! > least)) return;
  let lane = first;
  while (lane < last && lanes[lane + LANES + 2]! > least) lane += LANES;
  const width = (lane < last ? lanes[lane + LANES]! : end[edge]!) - lanes[lane]!;
  const [steep, bend] = [lanes[lane + 2]!, lanes[lane + 3]!];
  const h = Math.min(width, (Math.sqrt(steep / least) - 1) / bend);
  into.sold = lanes[lane]! + h;
  into.bought = lanes[lane + 1]! + (steep * h) / (1 + bend * h);
}

/** A response, and how fast what is sold changes with the logarithm of the price: -dx/d ln p. */
export type BentResponse = Response & { bend: number };

/** Writes x(p), f(x(p)) and -dx/d ln p to `into`; all 0 where the edge pays less than `least` for its first unit. */
export function conjugateAt(curves: Curves, edge: number, least: number, into: BentResponse): void {
  const { lanes, at, count, end } = curves;
  const first = at[edge]!;
  into.sold = 0;
  into.bought = 0;
  into.bend = 0;
  if (count[edge] === 0 || !(lanes[first + 2]! > least)) return;
  const last = first + (count[edge]! - 1) * LANES;
  let lane = first;
  while (lane < last && lanes[lane + LANES + 2]! > least) lane += LANES;
  const width = (lane < last ? lanes[lane + LANES]! : end[edge]!) - lanes[lane]!;
  const [steep, bend] = [lanes[lane + 2]!, lanes[lane + 3]!];
  const root = Math.sqrt(steep / least);
  const h = Math.min(width, (root - 1) / bend);
  into.sold = lanes[lane]! + h;
  into.bought = lanes[lane + 1]! + (steep * h) / (1 + bend * h);
  if (h < width) into.bend = root / (2 * bend);
}
