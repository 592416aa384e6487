const MOST_DOUBLINGS = 256;

/** Secants that are tried before the exact search; each about squares the distance to the answer. */
const MOST_SECANTS = 8;

/**
 * The least input that pays at least `wanted`, by evaluating the exact function around a guess: secants bring the guess
 * near, doubling steps find both sides of the answer, halving ends between them. A smooth function takes about a dozen
 * evaluations; any other at most 2·log2(distance of the guess) more.
 *
 * @param sell   output for an input > 0, never falling; undefined where the input is too little or too much
 * @param wanted > 0
 * @param guess  where to begin; any value is correct, a near one is cheap
 * @returns undefined where no input pays so much
 */
export function leastInput(
  sell: (amountIn: bigint) => bigint | undefined,
  wanted: bigint,
  guess: bigint,
): bigint | undefined {
  const pays = (amountIn: bigint) => (sell(amountIn) ?? 0n) >= wanted;
  const start = nearer(sell, wanted, guess > 0n ? guess : 1n);
  return pays(start) ? fallFrom(start, pays) : riseFrom(start, pays);
}

/** The guess moved along secants, the first of which starts where nothing is sold. */
function nearer(sell: (amountIn: bigint) => bigint | undefined, wanted: bigint, guess: bigint): bigint {
  let [x0, y0, x] = [0n, 0n, guess];
  for (let k = 0; k < MOST_SECANTS; k++) {
    const y = sell(x);
    if (y === undefined || y === y0) return x;
    const next = x + ((wanted - y) * (x - x0)) / (y - y0);
    if (next <= 0n || next === x) return x;
    [x0, y0, x] = [x, y, next];
  }
  return x;
}

type Pays = (amountIn: bigint) => boolean;

/** `enough` pays: steps down, each twice the last, until something does not. */
function fallFrom(enough: bigint, pays: Pays): bigint {
  let high = enough;
  for (let step = 1n; high > 1n; step *= 2n) {
    const low = high > step ? high - step : 0n;
    if (low === 0n || !pays(low)) return between(low, high, pays);
    high = low;
  }
  return high;
}

/** `few` does not pay: steps up, each twice the last, until something does. */
function riseFrom(few: bigint, pays: Pays): bigint | undefined {
  let low = few;
  let step = 1n;
  for (let k = 0; k < MOST_DOUBLINGS; k++) {
    const high = low + step;
    if (pays(high)) return between(low, high, pays);
    low = high;
    step *= 2n;
  }
  return undefined;
}

/** Halves the gap between `low`, which does not pay, and `high`, which does. */
function between(low: bigint, high: bigint, pays: Pays): bigint {
  let few = low;
  let enough = high;
  while (enough - few > 1n) {
    const middle = (few + enough) >> 1n;
    if (pays(middle)) enough = middle;
    else few = middle;
  }
  return enough;
}
