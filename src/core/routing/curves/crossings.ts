import type { Curves } from "./segments.ts";

const LANES = 4;

/** How many segments of its curve an edge has behind it once it has sold `x` units. */
export function crossed({ lanes, at, count }: Curves, edge: number, x: number): number {
  const first = at[edge]!;
  let low = 0;
  let high = count[edge]! - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lanes[first + middle * LANES]! <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Units that an edge has sold when segment `k` of its curve begins. */
export function startOf({ lanes, at }: Curves, edge: number, k: number): number {
  return lanes[at[edge]! + k * LANES]!;
}
