/** Share by which a design's maths in doubles may be off its exact quote, but for closed forms of one segment. */
export const DOUBLES = 2e-9;

/**
 * What a pool pays from its curve's end on, up to the most that it takes: curves end where sampling ends, and where a
 * pool's price rises. Amounts sold ascend, by less than `STRIDE` from one to the next.
 */
export type Further = { readonly sold: readonly number[]; readonly paid: readonly number[] };

const STRIDE = 2 ** (1 / 32);
const MOST_STRIDES = 32 * 40;
/** Halvings of a stride in which the most that a pool takes is found. */
const LAST_STRIDE = 40;

/**
 * What is paid never falls, so between two amounts no more is paid than for the larger, and no less sold than the
 * smaller.
 */
export function profitBeyond({ sold, paid }: Further, least: number): number {
  let most = 0;
  for (let k = 1; k < sold.length; k++)
    most = Math.max(most, paid[k]! * (1 + DOUBLES) - least * sold[k - 1]!);
  return most;
}

/** Asks a pool for amounts from `end` on until it takes no more. */
export function measuredBeyond(output: (x: number) => number, end: number): Further {
  const [sold, paid] = [[end], [output(end)]];
  if (!(end < Infinity)) return { sold, paid };
  let x = end;
  for (let k = 0; k < MOST_STRIDES; k++) {
    const y = output(x * STRIDE);
    if (!(y > 0)) break;
    x *= STRIDE;
    sold.push(x);
    paid.push(y);
  }
  let beyond = x * STRIDE;
  const from = x;
  for (let k = 0; k < LAST_STRIDE; k++) {
    const middle = (x + beyond) / 2;
    if (output(middle) > 0) x = middle;
    else beyond = middle;
  }
  if (x > from) {
    sold.push(x);
    paid.push(output(x));
  }
  return { sold, paid };
}
