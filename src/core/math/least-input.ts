/** More than amounts have bits. */
const MOST_DOUBLINGS = 256;

/** Secants that are tried before the exact search; each about squares the distance to the answer. */
const MOST_SECANTS = 8;

type Sell = (amountIn: bigint) => bigint | undefined;

/**
 * The least input that pays at least `wanted`, by evaluating the exact function around a guess: secants bring the guess
 * near, doubling steps find both sides of the answer, halving ends between them. A smooth function takes about a dozen
 * evaluations; any other at most 2·log2(distance of the guess) more.
 *
 * @param sell   output for an input > 0, never falling over the inputs that it takes: an interval, whose ends are at least
 *   a factor of two apart; undefined below it (too little) and above it (too much)
 * @param wanted > 0
 * @param guess  where to begin; any value is correct, a near one is cheap
 * @returns undefined where no input pays so much
 */
export function leastInput(sell: Sell, wanted: bigint, guess: bigint): bigint | undefined {
  const taken = nearestTaken(sell, guess > 0n ? guess : 1n);
  if (taken === undefined) return undefined;
  const start = nearer(sell, wanted, taken.amountIn);
  const pays = (amountIn: bigint) => (sell(amountIn) ?? 0n) >= wanted;
  if (pays(start)) return fallFrom(start, pays);
  return start === taken.amountIn && taken.tooMuch !== undefined
    ? fillBelow(sell, wanted, [start, taken.tooMuch])
    : riseFrom(sell, wanted, start);
}

/** An input that is taken, and one above it that is not, where one was seen. */
type Taken = { readonly amountIn: bigint; readonly tooMuch: bigint | undefined };

/** The guess itself where it is taken, else the first input that is on the way down from it by halves, then up by doubles. */
function nearestTaken(sell: Sell, guess: bigint): Taken | undefined {
  if (sell(guess) !== undefined) return { amountIn: guess, tooMuch: undefined };
  for (let tooMuch = guess; tooMuch > 1n; tooMuch >>= 1n)
    if (sell(tooMuch >> 1n) !== undefined) return { amountIn: tooMuch >> 1n, tooMuch };
  let above = guess;
  for (let k = 0; k < MOST_DOUBLINGS; k++) {
    above *= 2n;
    if (sell(above) !== undefined) return { amountIn: above, tooMuch: undefined };
  }
  return undefined;
}

/** An input that is taken, moved along secants as far as inputs are; the first secant starts where nothing is sold. */
function nearer(sell: Sell, wanted: bigint, guess: bigint): bigint {
  let [x0, y0, x] = [0n, 0n, guess];
  for (let k = 0; k < MOST_SECANTS; k++) {
    const y = sell(x);
    if (y === undefined) return x0;
    if (y === y0) return x;
    const next = x + ((wanted - y) * (x - x0)) / (y - y0);
    if (next <= 0n || next === x) return x;
    [x0, y0, x] = [x, y, next];
  }
  return sell(x) === undefined ? x0 : x;
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

/** `few` is taken and does not pay: steps up, each twice the last, until something does or is too much. */
function riseFrom(sell: Sell, wanted: bigint, few: bigint): bigint | undefined {
  let low = few;
  let step = 1n;
  for (let k = 0; k < MOST_DOUBLINGS; k++) {
    const high = low + step;
    const paid = sell(high);
    if (paid === undefined) return fillBelow(sell, wanted, [low, high]);
    if (paid >= wanted) return between(low, high, (amountIn) => (sell(amountIn) ?? 0n) >= wanted);
    low = high;
    step *= 2n;
  }
  return undefined;
}

/** The first of a range is taken and does not pay, the second is too much: halves the gap until something pays. */
function fillBelow(sell: Sell, wanted: bigint, [few, many]: readonly [bigint, bigint]): bigint | undefined {
  let [low, high] = [few, many];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    const paid = sell(middle);
    if (paid === undefined) high = middle;
    else if (paid >= wanted) return between(low, middle, (amountIn) => (sell(amountIn) ?? 0n) >= wanted);
    else low = middle;
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
