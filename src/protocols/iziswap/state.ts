/** A point at which liquidity begins or ends, or limit orders wait: its bit in the bitmap is set. */
export type Mark = {
  readonly point: number;
  /** Whether a position begins or ends here. The changes of several may cancel out, and a swap stops here nevertheless. */
  readonly isEndpoint: boolean;
  /** Added to the liquidity when the price crosses the point upwards, subtracted downwards. */
  readonly delta: bigint;
  /** What the limit orders of the point have left to sell of token X and of token Y, smallest units. */
  readonly sellsX: bigint;
  readonly sellsY: bigint;
};

/** A pool with the marks of a window. The array is immutable. */
export type State = {
  readonly feePpm: number;
  /** Marks lie at multiples of it. */
  readonly spacing: number;
  /** The price is 1.0001^point; within a point it does not change. */
  readonly point: number;
  /** Liquidity at the point, and the part of it that is token X; the rest is token Y. */
  readonly liquidity: bigint;
  readonly liquidityX: bigint;
  /** The known points; those outside are unknown. */
  readonly lowest: number;
  readonly highest: number;
  /** Ascending. */
  readonly marks: readonly Mark[];
};

/** No price lies further out. */
export const LAST_POINT = 800_000;

/** Amounts and liquidity are 128 bits wide. */
export const MAX_AMOUNT = 2n ** 128n - 1n;

/** The outermost points that a pool of this spacing can have. */
export const lastPoint = (spacing: number): number => Math.floor(LAST_POINT / spacing) * spacing;

/** Number of marks at or below a point, by binary search. */
export function countUpTo(marks: readonly Mark[], point: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (marks[middle]!.point <= point) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A point without liquidity or orders of its own. */
export function emptyMark(point: number): Mark {
  return { point, isEndpoint: false, delta: 0n, sellsX: 0n, sellsY: 0n };
}

/** The mark of a point. */
export function markAt(marks: readonly Mark[], point: number): Mark | undefined {
  const found = marks[countUpTo(marks, point) - 1];
  return found?.point === point ? found : undefined;
}

/** The marks with one of them replaced; one without orders that is no endpoint is left out. */
export function withMark(marks: readonly Mark[], changed: Mark): readonly Mark[] {
  const at = countUpTo(marks, changed.point) - 1;
  const isLeft = changed.isEndpoint || changed.sellsX > 0n || changed.sellsY > 0n;
  return isLeft ? marks.with(at, changed) : marks.toSpliced(at, 1);
}
