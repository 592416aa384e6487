/** An amount sold and what it buys, in smallest units. */
type Point = { readonly sold: number; readonly bought: number };

/** How much is to be bought, the units bought for one sold before any slippage, and the deadline. */
export type Aim = {
  readonly wanted: number;
  readonly rate: number;
  readonly late: () => boolean;
};

/** Evaluations, at most. */
const ROUNDS = 8;
/** An amount that buys what is wanted to within this share is near enough. */
const SAME = 1e-5;
/** An amount within this share of the last one is not evaluated (`npm run bench:routing -- --buy` shows the time and cost): what the secant is off by is of the order of the square. */
const CLOSE = 0.01;
/** Factor of the next amount if the last one could not be sold, or if the secant never reaches what is wanted. */
const LEAP = 4;

/**
 * About the amount to sell for what is wanted. What an amount buys grows with it and is concave, and its reciprocal is
 * nearly linear in that of the amount sold: exactly so for one pool of constant product. The amounts follow secants of
 * these reciprocals, the first one by `rate`, and stay between those that buy too little and too much.
 *
 * @param bought what an amount buys, 0 if it cannot be sold
 * @returns undefined if no amount that was tried can be sold
 */
export function amountToSell(aim: Aim, bought: (sold: number) => number): number | undefined {
  const { wanted, rate, late } = aim;
  let low = 0;
  let high = Infinity;
  let before: Point | undefined;
  let next = wanted / rate;
  for (let round = 0; round < ROUNDS; round++) {
    const at = { sold: next, bought: bought(next) };
    if (isNear(at.bought / wanted, SAME)) return next;
    if (at.bought > 0 && at.bought < wanted) low = at.sold;
    else high = at.sold;
    next = within(low, high, onSecant(aim, at, before));
    if (at.bought > 0) before = at;
    if (late() || isNear(next / at.sold, CLOSE)) break;
  }
  return before && next;
}

function isNear(ratio: number, share: number): boolean {
  return Math.abs(ratio - 1) < share;
}

/** Where the secant of reciprocals reaches what is wanted; 0 if nowhere, or if the amount cannot be sold. */
function onSecant({ wanted, rate }: Aim, at: Point, before: Point | undefined): number {
  const slope =
    before === undefined ? 1 / rate : (1 / at.bought - 1 / before.bought) / (1 / at.sold - 1 / before.sold);
  const inverse = 1 / at.sold + (1 / wanted - 1 / at.bought) / slope;
  return slope > 0 && inverse > 0 ? 1 / inverse : 0;
}

/** A proposal between both limits as it is; otherwise their middle by ratio, or a leap from the only one. */
function within(low: number, high: number, proposed: number): number {
  if (proposed > low && proposed < high) return proposed;
  if (low === 0) return high / LEAP;
  return high === Infinity ? low * LEAP : Math.sqrt(low * high);
}
