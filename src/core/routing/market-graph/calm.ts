import { emptyHubs, type Hubs } from "./hubs.ts";

/**
 * What the whole market says of each token while no cycle of pools pays: what it fetches in the native coin at best, and
 * what the native coin fetches in it, at spot. Worked out once after a change.
 */
export type Calm = {
  known: boolean;
  /** Whether prices came to rest; where they never do, a cycle pays. */
  atRest: boolean;
  /** By node, normalised; 0 = no path, or a token of one neighbour. */
  fetched: Float64Array;
  bought: Float64Array;
  readonly trips: Trips;
  readonly hubs: Hubs;
};

export function emptyCalm(): Calm {
  return {
    known: false,
    atRest: false,
    fetched: new Float64Array(16),
    bought: new Float64Array(16),
    trips: emptyTrips(),
    hubs: emptyHubs(),
  };
}

/**
 * Round trips from the native coin to tokens of several neighbours that are no hubs, and over pairs of two of them: what is
 * left of it at best. Where a trip leaves little, no way that pays leads there but those that do better than over hubs.
 */
export type Trips = {
  readonly tokens: Ordered;
  /** Four numbers a token: two of where it is sold best, and two of where it is bought best. */
  rates: Float64Array;
  /** The hubs next to it where it is sold and bought best. */
  hubs: Int32Array;
  /** Bridges of the market's hubs, each with what is left in the direction that leaves more. */
  readonly bridges: Ordered;
};

/** Tokens or pairs with what trips leave, those that lose least first: by classes of loss, in no order within them. */
export type Ordered = {
  count: number;
  what: Int32Array;
  left: Float64Array;
  /** By class, where the next one begins. */
  readonly upTo: Int32Array;
};

/** Numbers and hubs a token. */
export const RATES = 4;
export const ENDS = 2;

/** Classes of loss, and what each spans; the last one has all that lose more. */
const CLASSES = 64;
const SPAN = 1e-4;

/** The class of what a trip leaves. */
export function classOf(left: number): number {
  const place = Math.floor((1 - left) / SPAN);
  return Math.min(Math.max(place, 0), CLASSES - 1);
}

function emptyTrips(): Trips {
  return {
    tokens: emptyOrdered(),
    rates: new Float64Array(16 * RATES),
    hubs: new Int32Array(16 * ENDS),
    bridges: emptyOrdered(),
  };
}

function emptyOrdered(): Ordered {
  return { count: 0, what: new Int32Array(16), left: new Float64Array(16), upTo: new Int32Array(CLASSES) };
}
