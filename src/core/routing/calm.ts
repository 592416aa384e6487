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
  count: number;
  node: Int32Array;
  left: Float64Array;
  /** Four numbers a token: two of where it is sold best, and two of where it is bought best. */
  rates: Float64Array;
  /** The hubs next to it where it is sold and bought best. */
  hubs: Int32Array;
  /** By bridge of the market's hubs, what is left in the direction that leaves more. */
  leftOver: Float64Array;
};

/** Numbers and hubs a token. */
export const RATES = 4;
export const ENDS = 2;

export function emptyTrips(): Trips {
  return {
    count: 0,
    node: new Int32Array(16),
    left: new Float64Array(16),
    rates: new Float64Array(16 * RATES),
    hubs: new Int32Array(16 * ENDS),
    leftOver: new Float64Array(0),
  };
}
