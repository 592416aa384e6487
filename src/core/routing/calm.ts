import { emptyHubs, type Hubs } from "./hubs.ts";
import { emptyTrips, type Trips } from "./trips.ts";

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
