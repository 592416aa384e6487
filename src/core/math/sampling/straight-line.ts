import type { Curve } from "../../protocol.ts";

/** A direction of a pool with one price, in doubles: units paid per unit sold, and the most that can be sold. */
export type StraightLine = { readonly slope: number; readonly most: number };

/** The curve of a line that ends at `most`, which may be infinite. */
export function lineCurve({ slope, most }: StraightLine): Curve {
  return { x: [0], y: [0], m: [slope], c: [0], end: most };
}

/** The curve of a line along which at least a smallest unit can be sold; undefined otherwise. */
export function sellableCurve(line: StraightLine): Curve | undefined {
  return line.most >= 1 ? lineCurve(line) : undefined;
}

/** What `x` pays along a line; 0 where it cannot be sold. */
export function lineOutput({ slope, most }: StraightLine, x: number): number {
  return x > 0 && x <= most ? x * slope : 0;
}
