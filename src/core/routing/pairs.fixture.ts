import { fixtureRegistry, token, WRAPPED } from "./market.fixture.ts";
import { emptyGraph, type Graph } from "./market-graph/graph.ts";
import { joinPair } from "./market-graph/pair-index.ts";
import { completeMarket } from "./market-graph/round-trips.ts";

/** Number of hubs in the graphs of `pairsOf`, which are the first tokens. */
export const HUBS = 12;

/**
 * A graph of pairs without pools: hubs with a pair between any two, and tokens with one or two pairs to earlier ones.
 * Spot prices are random between 1 - `loss` and 1, so that no cycle is profitable.
 *
 * @param choices random numbers below 2^30 that are used in turn
 */
export function pairsOf(tokens: number, choices: readonly number[], loss = 1 / 8): Graph {
  const graph = emptyGraph(fixtureRegistry, WRAPPED);
  const { pairs } = graph;
  while (graph.tokens.length < tokens) graph.tokens.push(token(graph.tokens.length));
  for (const rows of [pairs.onward, pairs.outgoing]) {
    rows.start = new Int32Array(tokens);
    rows.length = new Int32Array(tokens);
    rows.room = new Uint8Array(tokens);
  }
  pairs.degree = new Int32Array(tokens);
  const next = (below: number) => choices[pairs.count % choices.length]! % below;
  const join = (u: number, v: number) => u !== v && joinPair(pairs, pairs.count, u, v);
  for (let hub = 0; hub < HUBS; hub++) for (let other = 0; other < hub; other++) join(hub, other);
  for (let node = HUBS; node < tokens; node++) {
    join(node, next(3) > 0 ? next(node) : next(HUBS));
    if (next(3) > 0) join(node, next(node));
  }
  for (let pair = 0; pair < pairs.count; pair++)
    pairs.spot[pair] = 1 - (choices[(7 * pair) % choices.length]! / 2 ** 30) * loss;
  completeMarket(graph);
  return graph;
}
