import { cheapestOn, type Level } from "./level.ts";

/** What is asked of a pool on a level. */
export type GainAsked = {
  /** Worth of a smallest unit of each coin, in any one unit, > 0. */
  readonly prices: readonly number[];
  /** The least share that fees take of each coin on its way in, and once more on its way out. */
  readonly taken: ArrayLike<number>;
  /** The pool's own shares, where it sells and buys them. */
  readonly shares?: Shares | undefined;
};

/**
 * Shares of a pool whose level grows with their number: what all of them are worth at the prices, and the least share that
 * fees take of some on their way in or out, besides what they take of the coin.
 */
export type Shares = { readonly worth: number; readonly taken: number };

/** No less than what trades gain, in the unit of the prices, and the balances where no trade would gain. */
export type LevelGain = { readonly gain: number; readonly balances: Float64Array };

/** Places that are tried between two; each narrows what is left to 0.62 of it. */
const MOST_PLACES = 48;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Places this near to each other are one: as a share of all that is searched, and as logarithms where shares set the price. */
const NEAR = { free: 1e-3, shares: 1e-13 };
/** By so much more, as a logarithm, than prices differ a level's cost may. */
const WIDER = 1e-6;
/** Digits of a balance that sums lose. */
const ROUNDING = 1e-15;

/**
 * The least bound on what trades over any pairs of a pool gain together.
 *
 * @returns undefined where none was found
 */
export function levelGain(level: Level, asked: GainAsked): LevelGain | undefined {
  const slopes = new Float64Array(level.held.length);
  level.slopes(level.held, slopes);
  const { from, to } = searched(level, slopes, asked);
  const isFree = asked.shares === undefined;
  if (!(from < to) && isFree) return { gain: 0, balances: level.held };
  let best: LevelGain | undefined;
  const tried = (place: number): number => {
    const found = gainAt(
      level,
      asked,
      pricesAt(slopes, asked, Math.exp(place)),
      best?.balances ?? level.held,
    );
    if (found !== undefined && found.gain < (best?.gain ?? Number.POSITIVE_INFINITY)) best = found;
    return found?.gain ?? Number.POSITIVE_INFINITY;
  };
  // Where coins are worth most: if shares are worth more than what backs them there, they are everywhere.
  if (!isFree && tried(to) === Number.POSITIVE_INFINITY) return undefined;
  narrow(tried, { from, to, near: isFree ? NEAR.free * (to - from) : NEAR.shares });
  return best;
}

/** The logarithms between which a unit of the level costs, over its slopes. */
function searched(
  { held }: Level,
  slopes: Float64Array,
  { prices, taken, shares }: GainAsked,
): { from: number; to: number } {
  let [from, to, all] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const [k, price] of prices.entries()) {
    const unit = Math.log(price / slopes[k]!);
    from = Math.min(from, unit - Math.log1p(-taken[k]!));
    to = Math.max(to, unit + Math.log1p(-taken[k]!));
    all += slopes[k]! * held[k]!;
  }
  if (shares === undefined) return { from, to };
  // Where shares are traded the level costs what they do, give or take what prices and fees may change.
  const unit = Math.log(shares.worth / all);
  const wide = Math.abs(to - from) - 2 * Math.log1p(-shares.taken) + WIDER;
  return { from: unit - wide, to: unit + wide };
}

type Searched = { readonly from: number; readonly to: number; readonly near: number };

/** Golden section; where a place gives nothing the larger one may. */
function narrow(tried: (place: number) => number, { from, to, near }: Searched): void {
  let [low, high] = [from, to];
  let [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atA, atB] = [tried(a), tried(b)];
  for (let k = 0; k < MOST_PLACES && high - low > near; k++) {
    if (atA < atB) {
      [high, b, atB] = [b, a, atA];
      a = high - GOLDEN * (high - low);
      atA = tried(a);
    } else {
      [low, a, atA] = [a, b, atB];
      b = low + GOLDEN * (high - low);
      atB = tried(b);
    }
  }
}

/** The pool's own prices, held within what fees leave between them and those asked. */
function pricesAt(slopes: Float64Array, { prices, taken }: GainAsked, unit: number): Float64Array {
  return slopes.map((slope, k) => {
    const [least, most] = [prices[k]! * (1 - taken[k]!), prices[k]! / (1 - taken[k]!)];
    return Math.min(most, Math.max(least, unit * slope));
  });
}

/** What is bounded at these prices without fees; undefined where shares would be worth more than what backs them. */
function gainAt(
  level: Level,
  { shares }: GainAsked,
  prices: Float64Array,
  start: Float64Array,
): LevelGain | undefined {
  const found = cheapestOn(level, prices, start);
  if (found === undefined) return undefined;
  const { balances, off } = found;
  let [gain, cost] = [0, 0];
  for (const [k, price] of prices.entries()) {
    gain += price * (level.held[k]! - balances[k]!);
    cost += price * balances[k]!;
  }
  // A plane that is off by so much, through a point that is off by as much.
  const slack = (2 * off + ROUNDING) * cost;
  const bounded = Math.max(0, gain) + slack;
  if (shares === undefined) return { gain: bounded, balances };
  const { worth, taken } = shares;
  if (cost - slack < worth * (1 - taken)) return undefined;
  return { gain: bounded + Math.max(0, cost + slack - worth / (1 - taken)), balances };
}
