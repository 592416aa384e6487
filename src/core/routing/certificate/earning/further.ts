/** Share by which a design's maths in doubles may differ from its exact quotes, except for closed forms of one segment. */
export const DOUBLES = 2e-9;

/**
 * What a pool pays beyond the end of its curve, up to the most that it takes. A curve ends where sampling ends, or where the
 * pool's price rises. The amounts sold ascend, each by less than the factor `STRIDE`.
 */
export type Further = { readonly sold: readonly number[]; readonly paid: readonly number[] };

const STRIDE = 2 ** (1 / 32);
const MOST_STRIDES = 32 * 40;
/** Number of bisections by which the most that a pool takes is found within the last stride. */
const LAST_STRIDE = 40;

/**
 * An upper bound on what the pool earns beyond the end of its curve. Output never falls with input, so between two amounts at
 * most the output of the larger is paid, for at least the smaller.
 */
export function profitBeyond({ sold, paid }: Further, least: number): number {
  let most = 0;
  for (let k = 1; k < sold.length; k++)
    most = Math.max(most, paid[k]! * (1 + DOUBLES) - least * sold[k - 1]!);
  return most;
}

/** Evaluates a pool at amounts from `end` on until it takes no more. */
export function measuredBeyond(output: (x: number) => number, end: number): Further {
  const sold = [end];
  const paid = [output(end)];
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
