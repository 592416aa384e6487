import { cheapestOn, type Level } from "./level.ts";

/** What is asked of a pool on a level: prices of a smallest unit of each coin, in any one unit, > 0. */
export type GainAsked = {
  /** Between these the prices lie at which no trade with fees gains more than without; see `within`. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  readonly shares?: Shares | undefined;
};

/**
 * Shares of the pool, with whose number its level grows, and which have a price of their own: what all of them are worth at least and at
 * most. What backs them may cost no less than the least, or there is no end to what is gained, and what it costs above the most is gained.
 */
export type Shares = { readonly least: number; readonly most: number };

/** Prices and what lies beside them where fees take at least these shares of each coin on its way in, and again on its way out. */
export function within(
  prices: readonly number[],
  taken: ArrayLike<number>,
): Pick<GainAsked, "least" | "most"> {
  return {
    least: Float64Array.from(prices, (price, k) => price * (1 - taken[k]!)),
    most: Float64Array.from(prices, (price, k) => price / (1 - taken[k]!)),
  };
}

/** No less than what trades gain, in the unit of the prices, and the balances where no trade would gain. */
export type LevelGain = { readonly gain: number; readonly balances: Float64Array };

/** With what the level costs at the prices that bound it, and how far that may be off. */
export type Tried = LevelGain & { readonly cost: number; readonly slack: number };

/** The bound at a place: the logarithm of what a unit of the level costs, over its slopes. */
type Try = (place: number) => Tried | undefined;

/** Places that are tried between two; each narrows what is left to 0.62 of it. */
const MOST_PLACES = 48;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Places this near to each other are one, as a share of all that is searched. */
const NEAR = 1e-2;
/** Digits of a balance that sums lose. */
const ROUNDING = 1e-15;
/** What fees that earlier trades left in a pool may add to what later ones gain: as often as the fee. */
const LEFT_IN = 2;

/** A gain with what fees that stay in the pool may add to it. */
export function withFeesLeft(gain: number, fee: number): number {
  return gain * (1 + LEFT_IN * fee);
}

/**
 * The least bound on what trades over any pairs of a pool gain together.
 *
 * @returns undefined where none was found
 */
export function levelGain(level: Level, asked: GainAsked): LevelGain | undefined {
  const slopes = new Float64Array(level.held.length);
  level.slopes(level.held, slopes);
  const { shares } = asked;
  const { from, to } = searched(slopes, asked);
  if (to <= from && shares === undefined) return { gain: 0, balances: level.held };
  let start = level.held;
  const at: Try = (place) => {
    const found = gainAt(level, pricesAt(slopes, asked, Math.exp(place)), start);
    if (found !== undefined) start = found.balances;
    return found;
  };
  const best = narrow(at, Math.min(from, to), Math.max(from, to));
  return best && shares ? sharing(at, best, shares) : best;
}

/** The logarithms of a unit's cost below which, and above which, coins are held at an end of their prices. */
function searched(slopes: Float64Array, { least, most }: GainAsked) {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [k, slope] of slopes.entries()) {
    from = Math.min(from, Math.log(most[k]! / slope));
    to = Math.max(to, Math.log(least[k]! / slope));
  }
  return { from, to };
}

type Placed = { readonly place: number; readonly found: Tried | undefined };

const gainOf = ({ found }: Placed) => found?.gain ?? Number.POSITIVE_INFINITY;

/** The least by golden section; where a place gives nothing the larger one may. */
function narrow(at: Try, from: number, to: number): (Tried & { place: number }) | undefined {
  const tried = (place: number): Placed => ({ place, found: at(place) });
  let [low, high] = [from, to];
  let [a, b] = [tried(high - GOLDEN * (high - low)), tried(low + GOLDEN * (high - low))];
  let best = gainOf(a) < gainOf(b) ? a : b;
  for (let k = 0; k < MOST_PLACES && high - low > NEAR * (to - from); k++) {
    if (gainOf(a) < gainOf(b)) {
      [high, b] = [b.place, a];
      a = tried(high - GOLDEN * (high - low));
    } else {
      [low, a] = [a.place, b];
      b = tried(low + GOLDEN * (high - low));
    }
    for (const one of [a, b]) if (gainOf(one) < gainOf(best)) best = one;
  }
  return best.found && { ...best.found, place: best.place };
}

/** How often a place is looked for at which the level costs what shares are worth, and by what share it may cost more. */
const MOST_MEETINGS = 40;
const MET = 1e-12;

/** The bound where shares are traded as well: at a place where what backs them costs what they are worth. */
function sharing(at: Try, best: Tried & { place: number }, { least, most }: Shares): LevelGain | undefined {
  const { cost, slack } = best;
  if (cost - slack >= least && cost + slack <= most) return best;
  const isLess = cost - slack < least;
  const met = meeting(at, best, (isLess ? least : most) * (1 + MET));
  const found = [best, met].flatMap((one) =>
    one === undefined || one.cost - one.slack < least ? [] : [one],
  );
  const gains = found.map((one) => ({ ...one, gain: one.gain + Math.max(0, one.cost + one.slack - most) }));
  return gains.reduce<LevelGain | undefined>(
    (less, one) => (less && less.gain <= one.gain ? less : one),
    undefined,
  );
}

/** By secants, the place at which the level costs `wanted` or little more; undefined where no place does. */
function meeting(at: Try, from: Tried & { place: number }, wanted: number): Tried | undefined {
  let last = { place: from.place, miss: Math.log(wanted / from.cost) };
  let [slope, found]: [number, Tried | undefined] = [1, undefined];
  for (let k = 0; k < MOST_MEETINGS; k++) {
    const place = last.place + last.miss / slope;
    found = at(place);
    if (found === undefined) return undefined;
    const miss = Math.log(wanted / found.cost);
    if (Math.abs(miss) <= MET / 4) break;
    slope = (last.miss - miss) / (place - last.place);
    // Where all prices are at an end nothing is cheaper or dearer.
    if (!(slope > 0)) return undefined;
    last = { place, miss };
  }
  return found;
}

/** The pool's own prices, held within what fees leave between them and those asked. */
function pricesAt(slopes: Float64Array, { least, most }: GainAsked, unit: number): Float64Array {
  return slopes.map((slope, k) => Math.min(most[k]!, Math.max(least[k]!, unit * slope)));
}

/**
 * What trades without fees gain at most at these prices, at what the level costs, the balances where it does, and how far that may be off.
 *
 * @param start balances from which the cheapest ones are looked for
 * @returns undefined where they are not found
 */
export function gainAt(level: Level, prices: Float64Array, start: Float64Array): Tried | undefined {
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
  return { gain: Math.max(0, gain) + slack, balances, cost, slack };
}
