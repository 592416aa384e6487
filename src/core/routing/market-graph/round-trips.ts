import { grown } from "../../math/rows.ts";
import { removeArbitrage } from "./arbitrage-free.ts";
import { type Graph, NATIVE_NODE } from "./graph.ts";
import { type Calm, classOf, ENDS, listCore, listHubs, type Ordered, RATES } from "./hubs.ts";
import { refreshNearPairs } from "./near-pairs.ts";
import type { Pairs } from "./pair-index.ts";

/** Passes after which prices must have come to rest. */
const ROUNDS = 24;
/** Any product counts: a pool far off the market may lead to a token through prices that are as far off. */
const LEAST = 1e-60;
/** Products beyond are those of a cycle that pays without end. */
const MOST = 1e60;

/**
 * Works out what the newest block says of the market as a whole, where that is not known yet: what tokens fetch in the native
 * coin, the hubs, the core and base prices. All of it is known before a search begins, which then only reads the graph.
 */
export function completeMarket(graph: Graph): void {
  refreshNearPairs(graph);
  if (!graph.calm.known) {
    graph.arbitrageFree.market = undefined;
    rateTokens(graph);
    if (!graph.calm.atRest) rateTokens(removeArbitrage(graph));
  }
  listCore(graph.middle, graph.pairs, graph.tokens.length);
}

/** What tokens fetch in the native coin and it in them, by the best ways at spot, until no way is better. */
function rateTokens(graph: Graph): void {
  const { calm } = graph;
  const nodes = graph.tokens.length;
  calm.known = true;
  for (const key of ["fetched", "bought"] as const) {
    calm[key] = grown(calm[key], nodes);
    calm[key].fill(0);
    calm[key][NATIVE_NODE] = 1;
  }
  calm.atRest = true;
  const queued = new Uint8Array(nodes);
  let waiting: readonly number[] = [NATIVE_NODE];
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++) waiting = spread(graph, waiting, queued);
  calm.atRest &&= waiting.length === 0;
  listHubs(calm.hubs, graph.pairs, nodes);
  listTrips(graph);
}

/** Relaxes all pairs of the nodes that wait, both ways. @returns the nodes that wait then */
function spread({ pairs, calm }: Graph, waiting: readonly number[], queued: Uint8Array): number[] {
  const { start, length, data } = pairs.onward;
  const found: number[] = [];
  for (const node of waiting) {
    const last = start[node]! + length[node]!;
    for (let k = start[node]!; k < last; k += 2) {
      const far = data[k + 1]!;
      const more = raise(calm, calm.fetched, far, pairs.spot[data[k]! ^ 1]! * calm.fetched[node]!);
      const less = raise(calm, calm.bought, far, pairs.spot[data[k]!]! * calm.bought[node]!);
      if ((!more && !less) || queued[far] === 1) continue;
      queued[far] = 1;
      found.push(far);
    }
  }
  for (const node of found) queued[node] = 0;
  return found;
}

function raise(calm: Calm, best: Float64Array, node: number, reached: number): boolean {
  if (!(reached > best[node]!) || reached < LEAST) return false;
  if (reached > MOST) {
    calm.atRest = false;
    return false;
  }
  best[node] = reached;
  return true;
}

/** Works out round trips from what tokens fetch in the native coin, and what that fetches in them. */
function listTrips({ pairs, calm, tokens }: Graph): void {
  const { fetched, bought, hubs, trips } = calm;
  const isTrip = (node: number) => hubs.isHub[node] === 0 && fetched[node]! * bought[node]! > 0;
  const nodes = Int32Array.from(tokens.keys()).filter(isTrip);
  sortByLoss(trips.tokens, nodes, (node) => fetched[node]! * bought[node]!);
  trips.rates = grown(trips.rates, RATES * nodes.length);
  trips.hubs = grown(trips.hubs, ENDS * nodes.length);
  for (let at = 0; at < nodes.length; at++) rateHubs(pairs, calm, trips.tokens.what[at]!, at);
  sortByLoss(trips.bridges, hubs.bridges, (pair) => leftOver(pairs, calm, pair));
}

/** What is left after a trip over a bridge, in the direction that leaves more. */
function leftOver({ tail, spot }: Pairs, { fetched, bought }: Calm, pair: number): number {
  const [u, v] = [tail[pair]!, tail[pair ^ 1]!];
  const there = bought[u]! * spot[pair]! * fetched[v]!;
  const back = bought[v]! * spot[pair ^ 1]! * fetched[u]!;
  return Math.max(there, back);
}

function sortByLoss(ordered: Ordered, all: Int32Array, leftOf: (one: number) => number): void {
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
