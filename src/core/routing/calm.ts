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
  /** The other tokens of several neighbours that are joined to it, and what is left of the native coin after a round trip to each. */
  readonly trips: Trips;
  readonly hubs: Hubs;
};

export type Trips = { count: number; node: Int32Array; left: Float64Array };

export function emptyCalm(): Calm {
  return {
    known: false,
    atRest: false,
    fetched: new Float64Array(16),
    bought: new Float64Array(16),
    trips: { count: 0, node: new Int32Array(16), left: new Float64Array(16) },
    hubs: emptyHubs(),
  };
}
