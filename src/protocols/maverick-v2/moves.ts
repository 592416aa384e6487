import { divideUp } from "../../core/math/fixed-point.ts";
import { clip, least, TICK_POSITIONS } from "../../core/math/maverick-ticks/maverick-v2-math.ts";
import { type Mover, type State, type Tick, tickAt, withTick } from "./state.ts";

/** Bins follow once the price is half a tick away. */
const HALF = TICK_POSITIONS / 2n;
/** Most bins that one move merges. */
const MOST_MERGED = 3;

const [UP, DOWN, BOTH] = [1, 2, 3] as const;

const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const magnitude = (a: bigint): bigint => (a < 0n ? -a : a);
/** floor(a·b / c); the contract divides by 1 in place of 0. */
const share = (a: bigint, b: bigint, c: bigint): bigint => (a * b) / most(c, 1n);
const shareUp = (a: bigint, b: bigint, c: bigint): bigint => divideUp(a * b, most(c, 1n));
/** The tick of a position, rounded down. */
const tickOf = (position: bigint): number =>
  Number((position - (((position % TICK_POSITIONS) + TICK_POSITIONS) % TICK_POSITIONS)) / TICK_POSITIONS);

/**
 * The time-weighted position at a time: it approaches the last position, by one tick at most.
 *
 * @source VeloraDEX/paraswap-dex-lib `aa9c75f` src/dex/maverick-v2/maverick-math/maverick-twa-math.ts getTwa
 */
export function weightedAt(state: State, timestamp: number): bigint {
  const { weighted, position, lookback } = state;
  const passed = least(lookback, BigInt(timestamp - state.time));
  if (passed === 0n) return weighted;
  const way = share(least(TICK_POSITIONS, magnitude(position - weighted)), passed, lookback);
  return weighted > position ? weighted - way : weighted + way;
}

type Ticks = readonly Tick[];
type Shares = { readonly a: bigint; readonly b: bigint };

/** What a bin has of its tick's reserves. */
const sharesOf = (tick: Tick, { balance }: Mover): Shares =>
  tick.supply === 0n
    ? { a: 0n, b: 0n }
    : {
        a: least(tick.a, share(tick.a, balance, tick.supply)),
        b: least(tick.b, share(tick.b, balance, tick.supply)),
      };

/** A tick without one of its bins. */
const without = (tick: Tick, mover: Mover, { a, b }: Shares): Tick => ({
  tick: tick.tick,
  a: clip(tick.a, a),
  b: clip(tick.b, b),
  supply: clip(tick.supply, mover.balance),
  movers: tick.movers.filter(({ kind }) => kind !== mover.kind),
});

const withMover = (tick: Tick, mover: Mover): Tick => ({
  ...tick,
  movers: [...tick.movers.filter(({ kind }) => kind !== mover.kind), mover].sort((x, y) => x.kind - y.kind),
});

/** Shares of a bin that amounts are worth, by the token of which its tick has more. */
function worthOf(tick: Tick, mover: Mover, { a, b }: Shares): bigint {
  const [reserve, amount] = tick.a >= tick.b ? [tick.a, a] : [tick.b, b];
  return share(amount, most(1n, mover.supply), shareUp(reserve, mover.balance, tick.supply));
}

type Place = { readonly tick: number; readonly mover: Mover };

/** Merges other bins into a bin where it lies. @returns the ticks, and the bin after it */
function merge(ticks: Ticks, parent: Place, others: readonly Place[]): { ticks: Ticks; mover: Mover } {
  const home = tickAt(ticks, parent.tick);
  let [left, a, b, added] = [ticks, 0n, 0n, 0n];
  for (const { tick, mover } of others) {
    const found = tickAt(left, tick);
    const shares = sharesOf(found, mover);
    added += worthOf(home, parent.mover, shares);
    a += shares.a;
    b += shares.b;
    left = withTick(left, without(found, mover, shares));
  }
  const { balance, supply } = parent.mover;
  const gained = share(added, most(1n, balance), supply);
  const mover = { ...parent.mover, balance: balance + gained, supply: supply + added };
  const grown = { ...home, a: home.a + a, b: home.b + b, supply: home.supply + gained };
  return { ticks: withTick(left, withMover(grown, mover)), mover };
}

/** Moves a bin with its reserves to another tick. */
function move(ticks: Ticks, { tick, mover }: Place, to: number): Ticks {
  const from = tickAt(ticks, tick);
  const shares = sharesOf(from, mover);
  const left = withTick(ticks, without(from, mover, shares));
  const end = tickAt(left, to);
  const balance =
    shares.a > shares.b
      ? share(shares.a, most(1n, end.supply), end.a)
      : share(shares.b, most(1n, end.supply), end.b);
  const grown = { ...end, a: end.a + shares.a, b: end.b + shares.b, supply: end.supply + balance };
  return withTick(left, withMover(grown, { ...mover, balance }));
}

/** Bins of a kind between two ticks come together at one of them: the oldest absorbs the next ones of at most three. */
function gather(ticks: Ticks, kind: number, [from, to, end]: readonly [number, number, number]): Ticks {
  const places = ticks
    .filter(({ tick }) => tick >= from && tick <= to)
    .flatMap(({ tick, movers }) =>
      movers.filter((mover) => mover.kind === kind).map((mover) => ({ tick, mover })),
    )
    .slice(0, MOST_MERGED);
  const oldest = places.reduce<Place | undefined>(
    (found, place) => (found === undefined || place.mover.id < found.mover.id ? place : found),
    undefined,
  );
  if (oldest === undefined) return ticks;
  const others = places.filter((place) => place !== oldest);
  const merged = others.length === 0 ? { ticks, mover: oldest.mover } : merge(ticks, oldest, others);
  const place = { tick: oldest.tick, mover: merged.mover };
  return oldest.tick === end ? merged.ticks : move(merged.ticks, place, end);
}

/**
 * Ends a swap: weighs the price by the time since the swap before, and moves the bins that the price has left behind.
 *
 * @param state after the swap, with the weighted position and time from before it
 * @param swap  the active tick before it, and where it left the price
 * @source VeloraDEX/paraswap-dex-lib `aa9c75f` src/dex/maverick-v2/maverick-math/maverick-pool-math.ts moveBins
 */
export function settle(
  state: State,
  swap: { readonly from: number; readonly position: bigint },
  timestamp: number,
): State {
  const weighted = weightedAt(state, timestamp);
  const isNew = timestamp !== state.time;
  const seen = isNew ? { weighted, position: swap.position, time: timestamp } : {};
  const next = { ...state, ...seen };
  const range = rangeOf(next, swap.from, state.weighted);
  if (range === undefined) return next;
  const [kind, from, to, end] = range;
  const ticks = [kind, BOTH].reduce<Ticks>((left, one) => gather(left, one, [from, to, end]), next.ticks);
  return { ...next, ticks, isSettled: next.isSettled && from >= next.first && to <= next.last };
}

/**
 * Whether a swap moves the same bins at whatever time it is executed: the weighted position lies between that of now and the
 * last one, and comes no further than one look-back leads. A second swap of a block knows no more than the first.
 *
 * @param left  the state after the swap, with the weighted position and time from before it
 * @param from the active tick before it
 */
export function movesAtAnyTime(left: State, from: number, timestamp: number): boolean {
  if (timestamp === left.time) return false;
  const latest = weightedAt(left, left.time + Number(left.lookback));
  const [soon, late] = [left.weighted, latest].map((weighted) =>
    rangeOf({ ...left, weighted }, from, left.weighted),
  );
  return String(soon) === String(late);
}

/** The kind of bins that move, the ticks between which they are looked for, and the tick that they move to. */
function rangeOf(
  { activeTick, weighted }: State,
  startTick: number,
  weightedBefore: bigint,
): readonly [number, number, number, number] | undefined {
  const [below, belowBefore] = [tickOf(weighted - HALF), tickOf(weightedBefore - HALF)];
  if (activeTick > startTick || below > belowBefore) {
    const end = Math.min(activeTick - 1, below);
    if (belowBefore - 1 < end) return [UP, belowBefore - 1, end, end];
  }
  const [above, aboveBefore] = [tickOf(weighted + HALF), tickOf(weightedBefore + HALF)];
  if (activeTick < startTick || above < aboveBefore) {
    const end = Math.max(above, activeTick + 1);
    if (end < aboveBefore + 1) return [DOWN, end, aboveBefore + 1, end];
  }
  return undefined;
}
