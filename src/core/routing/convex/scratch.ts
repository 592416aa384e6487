import { growAll, grown } from "../../math/rows.ts";
import type { Graph } from "../market-graph/graph.ts";

/** Working memory of searches, owned by the engine and used by one search at a time. No value in it outlives a search. */
export type Scratch = {
  /** By node, the best product of normalised prices along a path from it to the token bought; 0 = not reached. */
  back: Float64Array;
  /** Whether a product in `back` passed its limit, which only a profitable cycle can cause. */
  endless: boolean;
  /** By token outside the problem, the first pair of the path that gives its sell price. */
  next: Int32Array;
  /** By token outside the problem, the last pair of the path that gives its buy price. */
  prior: Int32Array;
  /** By node, the best product of normalised prices along a path from the token sold to it. */
  fore: Float64Array;
  /**
   * Labels by token, as normalised prices: the least that a unit costs by any path from the tokens of a solved problem,
   * the most that it brings by any path back to them, and the value between both that pools are priced with.
   */
  buyPrices: Float64Array;
  sellPrices: Float64Array;
  worth: Float64Array;
  /** Tokens that have a label, and their number. */
  labelled: Int32Array;
  labels: number;
  queue: Int32Array;
  following: Int32Array;
  /** Round in which a node was last queued. */
  queued: Int32Array;
  round: number;
  /** By node, the pricing step (its first round) in which a neighbour got a label better than any path over hubs could give. */
  beside: Int32Array;
  /** Number of nodes queued for the next pass. */
  found: number;
  /** Nodes visited by a forward sweep or a pricing step, and their number. */
  visited: Int32Array;
  reached: number;
  /** Bridges that a pricing step relaxes, if they are no more than fit here: pairs of two tokens that are no hubs. */
  bridges: Int32Array;
  /**
   * One direction of each pair among the core and given tokens (those of a problem, or around the ends of an order),
   * and their number.
   */
  listed: Int32Array;
  listings: number;
  /** Place of each node in the problem being solved, counted from 1; 0 = not in it. */
  local: Int32Array;
  /** Place of each edge in the problem being solved, counted from 1; 0 = not in it. */
  inProblem: Int32Array;
  /** By pool, the cached result of the request's `allows`: 0 unknown, 1 allowed, 2 not. */
  allowed: Uint8Array;
  /** By token outside the problem, what the pools around it could gain together, in value. */
  group: Float64Array;
};

export function emptyScratch(): Scratch {
  return {
    back: new Float64Array(16),
    endless: false,
    next: new Int32Array(16),
    prior: new Int32Array(16),
    fore: new Float64Array(16),
    buyPrices: new Float64Array(16).fill(Infinity),
    sellPrices: new Float64Array(16),
    worth: new Float64Array(16),
    labelled: new Int32Array(16),
    labels: 0,
    queue: new Int32Array(16),
    following: new Int32Array(16),
    queued: new Int32Array(16),
    round: 0,
    beside: new Int32Array(16),
    found: 0,
    visited: new Int32Array(16),
    reached: 0,
    bridges: new Int32Array(512),
    listed: new Int32Array(256),
    listings: 0,
    local: new Int32Array(16),
    inProblem: new Int32Array(16),
    allowed: new Uint8Array(16),
    group: new Float64Array(16),
  };
}

/** Makes room for the graph and forgets the search before. */
export function resetScratch(scratch: Scratch, graph: Graph): void {
  const nodes = graph.tokens.length;
  growAll(scratch, ["back", "fore", "next", "prior", "queue", "following", "visited"], nodes);
  growAll(scratch, ["queued", "beside", "local"], nodes);
  if (scratch.buyPrices.length < nodes) growLabels(scratch, nodes);
  scratch.inProblem = grown(scratch.inProblem, graph.edges);
  scratch.allowed = grown(scratch.allowed, graph.entries.length);
  scratch.allowed.fill(0);
}

/** Makes room for labels and clears all of them. */
function growLabels(scratch: Scratch, nodes: number): void {
  scratch.buyPrices = grown(scratch.buyPrices, nodes).fill(Infinity);
  scratch.sellPrices = grown(scratch.sellPrices, nodes).fill(0);
  scratch.worth = grown(scratch.worth, nodes).fill(0);
  scratch.group = grown(scratch.group, nodes).fill(0);
  scratch.labelled = grown(scratch.labelled, nodes);
  scratch.labels = 0;
}

/** Registers a token that is about to get its first label. */
export function label(scratch: Scratch, node: number): void {
  if (scratch.sellPrices[node] === 0 && scratch.buyPrices[node] === Infinity)
    scratch.labelled[scratch.labels++] = node;
}

/** Clears all labels. */
export function forgetLabels(scratch: Scratch): void {
  const { buyPrices, sellPrices, worth, group, labelled, labels } = scratch;
  for (let n = 0; n < labels; n++) {
    const node = labelled[n]!;
    buyPrices[node] = Infinity;
    sellPrices[node] = worth[node] = group[node] = 0;
  }
  scratch.labels = 0;
}
