/**
 * The zero of a function that does not fall, where a good guess is known.
 *
 * It is closed in from the guess by steps that grow, so that a zero near the guess costs three or four calls. Then follows the secant, of
 * which an end that stays weighs half as much each time, with a halving each `HALVED` steps, as a corner would be a trap.
 * Reference: Dowell and Jarratt, "A modified regula falsi method for computing the root of an equation", 1971.
 */

/** Where a zero is sought, from where, and how wide the interval may be in which it is left. */
export type Sought = {
  readonly first: number;
  readonly last: number;
  readonly guess: number;
  readonly close: number;
};

/** Calls at most: bisection alone would close in by 2^44 in as many. */
const MOST_CALLS = 44;
/** The first step away from the guess, in widths of the interval wanted, and how many times as long the next one is. */
const FIRST_STEP = 4;
const LONGER = 16;
const HALVED = 4;

/** The interval, the function at either end (0 = not asked yet), and which end moved last. */
type Ends = { from: number; to: number; below: number; above: number; moved: number };

const BELOW = -1;
const ABOVE = 1;

/** @returns the middle of an interval of the width wanted that holds the zero; an end where there is none between the ends */
export function zeroOf(rising: (x: number) => number, { first, last, guess, close }: Sought): number {
  const ends: Ends = { from: first, to: last, below: 0, above: 0, moved: 0 };
  let at = Math.min(Math.max(guess, first), last);
  let step = FIRST_STEP * close;
  for (let k = 0; k < MOST_CALLS && ends.to - ends.from > close; k++) {
    const value = rising(at);
    closeIn(ends, at, value);
    if (ends.below < 0 && ends.above > 0) at = secantOf(ends, k, close);
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

/** No step is so short that it closes nothing: it goes beyond the zero by half the width wanted. */
function secantOf({ from, to, below, above }: Ends, k: number, close: number): number {
  const at = k % HALVED === 0 ? (from + to) / 2 : from + ((to - from) * below) / (below - above);
  return Math.min(Math.max(at, from + close / 2), to - close / 2);
}
