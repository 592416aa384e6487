/** Amounts have at most 256 bits, so no search doubles more often than this. */
const MOST_DOUBLINGS = 256;

/** Number of secant steps before the exact search; each about squares the relative distance to the answer. */
const MOST_SECANTS = 8;

type Sell = (amountIn: bigint) => bigint | undefined;

/**
 * Finds min { x : sell(x) ≥ wanted } exactly, from evaluations of `sell` alone.
 *
 * Secant steps move the guess near the answer, steps of doubling length bracket it, and bisection narrows the bracket
 * to one unit. A smooth function takes about a dozen evaluations. Any other takes at most 2·log2(distance of the
 * guess) more.
 *
 * @param sell output for an input > 0. It is defined and never falls on an interval whose ends are at least a factor
 *   of two apart; it is undefined below (too little) and above (too much).
 * @param wanted > 0
 * @param guess starting point; any value is correct, a near one is cheap
 * @returns undefined if no input pays so much
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

/** An input that `sell` accepts, and a larger input that it refuses, if one was seen. */
type Taken = { readonly amountIn: bigint; readonly tooMuch: bigint | undefined };

/** The guess if `sell` accepts it, else the first accepted input while halving the guess, then while doubling it. */
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

/** Moves an accepted input along secants for as long as inputs are accepted; the first secant starts at (0, 0). */
function nearer(sell: Sell, wanted: bigint, guess: bigint): bigint {
  let x0 = 0n;
  let y0 = 0n;
  let x = guess;
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

/** Steps down from `enough`, which pays, in steps of doubling length until an input no longer pays. */
function fallFrom(enough: bigint, pays: Pays): bigint {
  let high = enough;
  for (let step = 1n; high > 1n; step *= 2n) {
    const low = high > step ? high - step : 0n;
    if (low === 0n || !pays(low)) return between(low, high, pays);
    high = low;
  }
  return high;
}

/** Steps up from `few`, which is accepted but pays too little, until an input pays enough or is refused. */
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

/**
 * Bisects between an input that is accepted but pays too little and one that is refused, until an input pays enough.
 */
function fillBelow(sell: Sell, wanted: bigint, [few, many]: readonly [bigint, bigint]): bigint | undefined {
  let low = few;
  let high = many;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    const paid = sell(middle);
    if (paid === undefined) high = middle;
    else if (paid >= wanted) return between(low, middle, (amountIn) => (sell(amountIn) ?? 0n) >= wanted);
    else low = middle;
  }
  return undefined;
}

/** Bisects between `low`, which pays too little, and `high`, which pays enough. */
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
