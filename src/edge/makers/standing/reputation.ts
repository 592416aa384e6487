/**
 * How often a maker fades, which is to give no order as good as its levels promise, and for how long it is blocked
 * because of that.
 */
export type Reputation = {
  /** Records the outcome of an order request; ignored while the maker is blocked. */
  note(isFade: boolean): void;
  /** Turns the newest order recorded as given into a fade: the maker did not honour it on the chain. */
  broke(): void;
  /** Smoothed share of fades in the window, 0 … 1. */
  fadeRate(): number;
  /** Milliseconds until the block ends; 0 where the maker is not blocked. */
  blockedForMs(): number;
  /** A snapshot from which another process can continue. */
  standing(): Standing;
};

/** A maker's past, with ages in milliseconds in the place of times, so that it does not depend on a process's clock. */
export type Standing = {
  /** Orders in the window, grouped by minute of age. */
  readonly orders: readonly { readonly ageMs: number; readonly given: number; readonly fades: number }[];
  /** Blocks so far; counted anew after FORGIVEN_MS without one. */
  readonly blocks: number;
  /** Age of the end of the last block: negative while the block lasts; null where there was none. */
  readonly blockEndAgeMs: number | null;
};

/** How long an order counts towards the fade rate. */
const WINDOW_MS = 60 * 60_000;
/** A maker is blocked when its smoothed fade rate exceeds this share. */
const MOST_RATE = 0.12;
const FIRST_BLOCK_MS = 15 * 60_000;
const MOST_DOUBLINGS = 7;
/** After this long without a block, the next block is again the shortest one. */
const FORGIVEN_MS = 24 * 60 * 60_000;

/**
 * Additive smoothing with a prior of one fade in twenty orders: a new maker starts at a rate of 5 %, its first fade
 * raises it to 9.5 %, and a second fade in a row to 13.6 %, which blocks it.
 */
const PRIOR_FADES = 1;
const PRIOR_ORDERS = 20;

/** Most orders kept in the window; the oldest are dropped first. */
const MOST_ORDERS = 10_000;

const MINUTE_MS = 60_000;
const NEWCOMER: Standing = { orders: [], blocks: 0, blockEndAgeMs: null };

type Noted = { readonly atMs: number; readonly isFade: boolean };

function ordersOf({ orders }: Standing, nowMs: number): Noted[] {
  return orders.flatMap(({ ageMs, given, fades }) =>
    Array.from({ length: Math.min(given + fades, MOST_ORDERS) }, (_, k) => ({
      atMs: nowMs - ageMs,
      isFade: k < fades,
    })),
  );
}

function byMinute(orders: readonly Noted[], nowMs: number): Standing["orders"] {
  const minutes = Map.groupBy(orders, ({ atMs }) => Math.floor((nowMs - atMs) / MINUTE_MS));
  return [...minutes.values()].map((noted) => {
    const fades = noted.filter(({ isFade }) => isFade).length;
    return { ageMs: nowMs - noted[0]!.atMs, given: noted.length - fades, fades };
  });
}

/**
 * Blocks a maker whose fade rate exceeds MOST_RATE, for 15 minutes times 2 to the power of the number of earlier
 * blocks, at most 2^7. A block empties the window.
 *
 * @param earlier the maker's standing from an earlier process
 */
export function createReputation(monotonicMs: () => number, earlier: Standing = NEWCOMER): Reputation {
  let orders: Noted[] = ordersOf(earlier, monotonicMs());
  let { blocks } = earlier;
  let blockedUntilMs = monotonicMs() - (earlier.blockEndAgeMs ?? Number.POSITIVE_INFINITY);

  const recent = () => {
    const oldest = monotonicMs() - WINDOW_MS;
    const first = orders.findIndex(({ atMs }) => atMs >= oldest);
    orders = first < 0 ? [] : orders.slice(Math.max(first, orders.length - MOST_ORDERS));
    return orders;
  };
  const fadeRate = () => {
    const counted = recent();
    const fades = counted.filter(({ isFade }) => isFade).length;
    return (fades + PRIOR_FADES) / (counted.length + PRIOR_ORDERS);
  };
  const blockedForMs = () => Math.max(0, blockedUntilMs - monotonicMs());
  const note = (isFade: boolean) => {
    // An order that was requested before the block and answered during it is not counted a second time.
    if (blockedForMs() > 0) return;
    orders.push({ atMs: monotonicMs(), isFade });
    if (fadeRate() <= MOST_RATE) return;
    if (monotonicMs() - blockedUntilMs >= FORGIVEN_MS) blocks = 0;
    blockedUntilMs = monotonicMs() + FIRST_BLOCK_MS * 2 ** Math.min(blocks, MOST_DOUBLINGS);
    blocks++;
    orders = [];
  };
  return {
    fadeRate,
    blockedForMs,
    note,
    broke() {
      const given = recent().findLastIndex(({ isFade }) => !isFade);
      if (given >= 0) orders = orders.toSpliced(given, 1);
      note(true);
    },
    standing: () => ({
      orders: byMinute(recent(), monotonicMs()),
      blocks,
      blockEndAgeMs: blocks === 0 ? null : monotonicMs() - blockedUntilMs,
    }),
  };
}
