import { type Calm, ENDS, RATES } from "./calm.ts";
import type { Graph } from "./graph.ts";
import type { Pairs } from "./pairs.ts";
import { grown } from "./rows.ts";

/** Works them out from what tokens fetch in the native coin, and what that fetches in them. */
export function listTrips({ pairs, calm, tokens }: Graph): void {
  const { fetched, bought, hubs, trips } = calm;
  trips.count = 0;
  for (let node = 0; node < tokens.length; node++) {
    const left = fetched[node]! * bought[node]!;
    if (!(left > 0) || hubs.isHub[node] === 1) continue;
    const at = trips.count++;
    trips.node = grown(trips.node, at + 1);
    trips.left = grown(trips.left, at + 1);
    trips.rates = grown(trips.rates, RATES * (at + 1));
    trips.hubs = grown(trips.hubs, ENDS * (at + 1));
    trips.node[at] = node;
    trips.left[at] = left;
    rateHubs(pairs, calm, node, at);
  }
  weighBridges(pairs, calm);
}

/**
 * Of the hubs next to a token, each way: the best one and its price, and what the second best leaves on the way from or to
 * the native coin; 0 for none.
 */
function rateHubs(pairs: Pairs, { fetched, bought, hubs, trips }: Calm, node: number, at: number): void {
  const { start, data } = pairs.onward;
  const { rates } = trips;
  const last = start[node]! + 2 * hubs.around[node]!;
  let [sold, bestSold, nextSold, sellTo] = [0, 0, 0, 0];
  let [paid, bestPaid, nextPaid, buyFrom] = [0, 0, 0, 0];
  for (let k = start[node]!; k < last; k += 2) {
    const hub = data[k + 1]!;
    const there = pairs.spot[data[k]!]!;
    const back = pairs.spot[data[k]! ^ 1]!;
    if (there * fetched[hub]! > bestSold) {
      nextSold = bestSold;
      bestSold = there * fetched[hub]!;
      [sold, sellTo] = [there, hub];
    } else nextSold = Math.max(nextSold, there * fetched[hub]!);
    if (back * bought[hub]! > bestPaid) {
      nextPaid = bestPaid;
      bestPaid = back * bought[hub]!;
      [paid, buyFrom] = [back, hub];
    } else nextPaid = Math.max(nextPaid, back * bought[hub]!);
  }
  rates[RATES * at] = sold;
  rates[RATES * at + 1] = nextSold;
  rates[RATES * at + 2] = paid;
  rates[RATES * at + 3] = nextPaid;
  trips.hubs[ENDS * at] = sellTo;
  trips.hubs[ENDS * at + 1] = buyFrom;
}

function weighBridges({ tail, spot }: Pairs, { fetched, bought, hubs: { bridges }, trips }: Calm): void {
  if (trips.leftOver.length !== bridges.length) trips.leftOver = new Float64Array(bridges.length);
  for (let k = 0; k < bridges.length; k++) {
    const pair = bridges[k]!;
    const [u, v] = [tail[pair]!, tail[pair ^ 1]!];
    const there = bought[u]! * spot[pair]! * fetched[v]!;
    const back = bought[v]! * spot[pair ^ 1]! * fetched[u]!;
    trips.leftOver[k] = Math.max(there, back);
  }
}
