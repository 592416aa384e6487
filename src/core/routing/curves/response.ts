import { type Curves, LANES } from "./segments.ts";

/**
 * The response of an edge to a price. Let f be its curve, concave with f(0) = 0, and p the price of a unit sold in
 * units bought:
 *
 *   x(p) = argmax f(x) - p·x,   conjugate: f*(p) = max f(x) - p·x
 *
 * Segments are hyperbolas, so both have closed forms, in O(segments). Reference: Angeris, Evans, Chitra, Boyd, "Optimal
 * Routing for Constant Function Market Makers" (2022), section 3.
 */

/** What is sold to an edge at a price, what the edge pays for that, in smallest units, and -dx/d ln p. */
export type Response = { sold: number; bought: number; bend: number };

export function emptyResponse(): Response {
  return { sold: 0, bought: 0, bend: 0 };
}

/**
 * Units sold within a segment until its marginal price has fallen to p. At its very price a straight segment sells nothing: 0 / 0 is
 * no amount.
 *
 * @param root square root of the segment's first marginal price over p
 * @param bend the segment's curvature
 * @param width the most that the segment takes
 */
export function soldWithin(root: number, bend: number, width: number): number {
  return root > 1 ? Math.min((root - 1) / bend, width) : 0;
}

/**
 * Writes x(p), f(x(p)) and -dx/d ln p at p = `least` to `into`; all are 0 where the edge pays at most `least` for its
 * first unit. The derivative is 0 too where the response is at the end of a segment.
 */
export function respondAt(
  { lanes, at, count, end }: Curves,
  edge: number,
  least: number,
  into: Response,
): void {
  const first = at[edge]!;
  const last = first + (count[edge]! - 1) * LANES;
  into.sold = into.bought = into.bend = 0;
  if (count[edge] === 0 || !(lanes[first + 2]! > least)) return;
  let lane = first;
  while (lane < last && lanes[lane + LANES + 2]! > least) lane += LANES;
  const width = (lane < last ? lanes[lane + LANES]! : end[edge]!) - lanes[lane]!;
  const steep = lanes[lane + 2]!;
  const bend = lanes[lane + 3]!;
  const root = Math.sqrt(steep / least);
  const h = soldWithin(root, bend, width);
  into.sold = lanes[lane]! + h;
  into.bought = lanes[lane + 1]! + (steep * h) / (1 + bend * h);
  if (h > 0 && h < width) into.bend = root / (2 * bend);
}

/**
 * The most that an edge earns where a unit sold costs `least` units bought, and each segment boundary passed `toll` units bought:
 * max_x f(x) - least·x - toll·n(x), with n(x) the number of boundaries below x. At least 0.
 */
export function profitAfterTolls(
  { lanes, at, count, end }: Curves,
  edge: number,
  least: number,
  toll: number,
): number {
  const first = at[edge]!;
  const last = first + (count[edge]! - 1) * LANES;
  let most = 0;
  let spent = 0;
  for (let lane = first; lane <= last && lanes[lane + 2]! > least; lane += LANES, spent += toll) {
    const [start, paid, steep, bend] = [lanes[lane]!, lanes[lane + 1]!, lanes[lane + 2]!, lanes[lane + 3]!];
    const width = (lane < last ? lanes[lane + LANES]! : end[edge]!) - start;
    const h = soldWithin(Math.sqrt(steep / least), bend, width);
    most = Math.max(most, paid + (steep * h) / (1 + bend * h) - least * (start + h) - spent);
  }
  return most;
}
