/**
 * Finds x with f(x) = 0 for a nondecreasing f on [first, last], starting from a close estimate of x.
 *
 * Steps of growing length away from the guess bracket the zero, so a zero near the guess costs three or four calls. A
 * modified regula falsi then narrows the bracket: the function value of an end that is kept is halved each time.
 * Every `HALVED`-th step is a bisection, since the secant stalls at a corner of the function; and where these are too few,
 * as many of the last calls as the bracket still needs are bisections. Reference: Dowell and Jarratt, "A modified regula falsi
 * method for computing the root of an equation", 1971.
 */

/** The interval, the guess, and the width of the final bracket, all in units of the argument. */
export type Sought = {
  readonly first: number;
  readonly last: number;
  readonly guess: number;
  readonly close: number;
};

/** Cap on function calls: as many bisections narrow the bracket by a factor of 2^44. */
const MOST_CALLS = 44;
/** Length of the first step away from the guess in units of `close`, and the growth factor of each further step. */
const FIRST_STEP = 4;
const LONGER = 16;
const HALVED = 4;

/** The bracket, the (weighted) function values at its ends (0 = not evaluated yet), and the end that moved last. */
type Ends = { from: number; to: number; below: number; above: number; moved: number };

const BELOW = -1;
const ABOVE = 1;

/**
 * @returns the middle of a bracket of width `close`, wider only if the ends are more than 2^44 times that apart; within `close`
 *   of an end if the zero is beyond that end
 */
export function zeroOf(rising: (x: number) => number, { first, last, guess, close }: Sought): number {
  const ends: Ends = { from: first, to: last, below: 0, above: 0, moved: 0 };
  let at = Math.min(Math.max(guess, first), last);
  let step = FIRST_STEP * close;
  for (let k = 0; k < MOST_CALLS && ends.to - ends.from > close; k++) {
    const value = rising(at);
    closeIn(ends, at, value);
    // A step that is no bisection may narrow nothing, and the calls after it must still suffice.
    const isLast = ends.to - ends.from > close * 2 ** (MOST_CALLS - k - 2);
    if (isLast) at = (ends.from + ends.to) / 2;
    else if (ends.below < 0 && ends.above > 0) at = secantOf(ends, k, close);
    else {
      at = value < 0 ? Math.min(at + step, last) : Math.max(at - step, first);
      step *= LONGER;
    }
  }
  return (ends.from + ends.to) / 2;
}

function closeIn(ends: Ends, at: number, value: number): void {
  if (value < 0) {
    if (ends.moved === BELOW) ends.above /= 2;
    ends.moved = BELOW;
    ends.from = at;
    ends.below = value;
  } else {
    if (ends.moved === ABOVE) ends.below /= 2;
    ends.moved = ABOVE;
    ends.to = at;
    ends.above = Math.max(value, Number.MIN_VALUE);
  }
}

/** The next argument, at least close/2 inside the bracket: a secant that ends next to the zero steps across it. */
function secantOf({ from, to, below, above }: Ends, k: number, close: number): number {
  const at = k % HALVED === 0 ? (from + to) / 2 : from + ((to - from) * below) / (below - above);
  return Math.min(Math.max(at, from + close / 2), to - close / 2);
}
