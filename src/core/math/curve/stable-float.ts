/**
 * The stableswap invariant in doubles:
 *
 *   A·n^n·Σx + D = A·D·n^n + G,   G = D^(n+1) / (n^n·Πx)
 *
 * All functions compute changes of balances and of D directly, so that small amounts lose no digits to cancellation.
 */

/** State of a pool in doubles; amounts in 18-digit units. */
export type StableFloat = {
  readonly x: Float64Array;
  readonly d: number;
  /** A·n^n. */
  readonly ann: number;
  /** D^(n+1) / (n^n·Πx) */
  readonly g: number;
  /** Per token: 2y + b and c of y² + b·y = c, whose root y is its balance if all others are fixed. */
  readonly slope: Float64Array;
  readonly c: Float64Array;
};

/**
 * @param d invariant D of the balances, > 0
 * @param ann A·n^n
 */
export function stableFloat(balances: readonly bigint[], d: number, ann: number): StableFloat {
  const x = Float64Array.from(balances, Number);
  let sum = 0;
  let g = d;
  for (const balance of x) {
    sum += balance;
    g *= d / (balance * x.length);
  }
  const b = x.map((y) => sum - y + d / ann - d);
  return { x, d, ann, g, slope: x.map((y, j) => 2 * y + b[j]!), c: x.map((y, j) => y * (y + b[j]!)) };
}

/**
 * The fall of balance j when balance i rises by `h`: the smaller root of
 *
 *   f² - (2y + b + h)·f + h·(y + c/(x_i + h)) = 0
 */
export function fallOf(pool: StableFloat, i: number, j: number, h: number): number {
  const linear = pool.slope[j]! + h;
  const constant = h * (pool.x[j]! + pool.c[j]! / (pool.x[i]! + h));
  return (2 * constant) / (linear + Math.sqrt(linear * linear - 4 * constant));
}

const MOST_STEPS = 64;
const PRECISE = 1e-15;

/**
 * The change of D when balance k rises by `h` ≥ 0, by Newton's method in at most 64 steps. The residual is concave in
 * the change and positive at 0, so iterates from an overestimate decrease to the positive root.
 */
export function changeOfD({ x, d, ann, g }: StableFloat, k: number, h: number): number {
  const n = x.length;
  const added = Math.log1p(h / x[k]!);
  let delta = (h * (ann + g / x[k]!)) / (ann - 1 + ((n + 1) * g) / d);
  for (let step = 0; step < MOST_STEPS; step++) {
    const growth = Math.expm1((n + 1) * Math.log1p(delta / d) - added);
    const excess = ann * h + delta * (1 - ann) - g * growth;
    const move = excess / (ann - 1 + ((1 + growth) * (n + 1) * g) / (d + delta));
    delta += move;
    if (Math.abs(move) <= PRECISE * delta) break;
  }
  return delta;
}

/**
 * The change of balance k when D changes by `delta` > -D and all other balances are fixed: u = h/x is the root near 0
 * of
 *
 *   A·n^n·x·u² + (A·n^n·x + e + G)·u + e - G·((1 + delta/D)^(n+1) - 1) = 0,   e = delta·(1 - A·n^n)
 */
export function changeOfBalance({ x, d, ann, g }: StableFloat, k: number, delta: number): number {
  const first = ann * x[k]!;
  const extra = delta * (1 - ann);
  const second = first + extra + g;
  const third = extra - g * Math.expm1((x.length + 1) * Math.log1p(delta / d));
  return (x[k]! * -2 * third) / (second + Math.sqrt(second * second - 4 * first * third));
}
