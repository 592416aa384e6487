import { grown } from "../../math/rows.ts";
import type { Graph } from "./graph.ts";
import { type Calm, classOf, ENDS, type Ordered, RATES } from "./hubs.ts";
import type { Pairs } from "./pair-index.ts";

/** Works them out from what tokens fetch in the native coin, and what that fetches in them. */
export function listTrips({ pairs, calm, tokens }: Graph): void {
  const { fetched, bought, hubs, trips } = calm;
  const isTrip = (node: number) => hubs.isHub[node] === 0 && fetched[node]! * bought[node]! > 0;
  const nodes = Int32Array.from(tokens.keys()).filter(isTrip);
  order(trips.tokens, nodes, (node) => fetched[node]! * bought[node]!);
  trips.rates = grown(trips.rates, RATES * nodes.length);
  trips.hubs = grown(trips.hubs, ENDS * nodes.length);
  for (let at = 0; at < nodes.length; at++) rateHubs(pairs, calm, trips.tokens.what[at]!, at);
  order(trips.bridges, hubs.bridges, (pair) => leftOver(pairs, calm, pair));
}

/** What is left after a trip over a bridge, in the direction that leaves more. */
function leftOver({ tail, spot }: Pairs, { fetched, bought }: Calm, pair: number): number {
  const [u, v] = [tail[pair]!, tail[pair ^ 1]!];
  const there = bought[u]! * spot[pair]! * fetched[v]!;
  const back = bought[v]! * spot[pair ^ 1]! * fetched[u]!;
  return Math.max(there, back);
}

function order(ordered: Ordered, all: Int32Array, leftOf: (one: number) => number): void {
  const { upTo } = ordered;
  const left = Float64Array.from(all, leftOf);
  ordered.count = all.length;
  ordered.what = grown(ordered.what, all.length);
  ordered.left = grown(ordered.left, all.length);
  upTo.fill(0);
  for (const one of left) upTo[classOf(one)]!++;
  for (let k = 1; k < upTo.length; k++) upTo[k]! += upTo[k - 1]!;
  const next = upTo.slice();
  for (let k = all.length - 1; k >= 0; k--) {
    const at = --next[classOf(left[k]!)]!;
    ordered.what[at] = all[k]!;
    ordered.left[at] = left[k]!;
  }
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
