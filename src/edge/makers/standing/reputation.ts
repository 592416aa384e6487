/** How often a maker does not give what its levels promise, and for how long that keeps it away. */
export type Reputation = {
  /** Takes note of an order that was asked for. */
  note(isFade: boolean): void;
  /** An order that was noted as given was a fade after all. */
  broke(): void;
  /** Smoothed share of fades in the window, 0 … 1. */
  fadeRate(): number;
  /** Milliseconds until the maker is asked again; 0 where it is not blocked. */
  blockedForMs(): number;
  /** What another process has to know to go on from here. */
  standing(): Standing;
};

/** What is remembered of a maker, by how long ago it was. */
export type Standing = {
  /** Orders of the window, by the minute. */
  readonly orders: readonly { readonly ageMs: number; readonly given: number; readonly fades: number }[];
  /** Blocks so far, and how long ago the last one ends or ended; negative while it lasts. */
  readonly blocks: number;
  readonly blockEndAgeMs: number | null;
};

/** Orders count for this long. */
const WINDOW_MS = 60 * 60_000;
const MOST_RATE = 0.12;
const FIRST_BLOCK_MS = 15 * 60_000;
const MOST_DOUBLINGS = 7;
/** A maker that was not blocked for this long begins anew with the shortest block. */
const FORGIVEN_MS = 24 * 60 * 60_000;

/**
 * Laplace smoothing as of one fade in twenty orders: a maker of whom nothing is known starts at 5 %, its first fade makes
 * 9.5 % and its second in a row 13.6 %.
 */
const PRIOR_FADES = 1;
const PRIOR_ORDERS = 20;

/** The window holds no more orders than this; the oldest leave first. */
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
 * Blocks a maker whose fade rate is above 12 %, for 15 minutes times 2 to the number of earlier blocks, up to 2^7. After a
 * block the window is empty.
 *
 * @param earlier what an earlier process knew of the maker
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
    // What was asked before the block and answered within it says nothing that the block does not say already.
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
