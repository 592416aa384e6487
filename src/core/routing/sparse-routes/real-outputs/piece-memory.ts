import type { Graph } from "../../market-graph/graph.ts";

/**
 * Working memory of `sendPieces`, allocated once for an order. Labels by hop and node: the most that arrives, less the
 * gas of pools that the path opens, and the edge it arrives by.
 */
export type PieceMemory = {
  readonly amount: Float64Array;
  readonly by: Int32Array;
  /** Nodes labelled at the hop before, and at this hop; and how many these are so far. */
  frontier: Int32Array;
  following: Int32Array;
  found: number;
  /** The labels that are set, as places in `amount`. */
  readonly labels: number[];
  /** By node, the value of the most that arrives by any number of hops so far. */
  readonly most: Float64Array;
  /** Units sent through each edge, and the edges in use. */
  readonly sent: Float64Array;
  readonly used: number[];
  /** By pool, the edge that crosses it: a pool serves one pair at a time. */
  readonly crossedBy: Map<number, number>;
  /** By node, the nodes that its flow reaches; keeps flows free of cycles. */
  readonly ahead: Map<number, Set<number>>;
};

/** @param hops of the longest path */
export function emptyPieceMemory({ tokens, edges }: Graph, hops: number): PieceMemory {
  const nodes = tokens.length;
  return {
    amount: new Float64Array((hops + 1) * nodes),
    by: new Int32Array((hops + 1) * nodes),
    frontier: new Int32Array(nodes),
    following: new Int32Array(nodes),
    found: 0,
    labels: [],
    most: new Float64Array(nodes),
    sent: new Float64Array(edges),
    used: [],
    crossedBy: new Map(),
    ahead: new Map(),
  };
}

/** Removes the flows of all pieces, before the first one of an order. */
export function forgetFlows({ used, sent, crossedBy, ahead }: PieceMemory): void {
  for (const edge of used) sent[edge] = 0;
  used.length = 0;
  crossedBy.clear();
  ahead.clear();
}

/** Removes all labels, before a piece. O(labels that are set + nodes). */
export function forgetLabels({ amount, labels, most }: PieceMemory): void {
  for (let k = 0; k < labels.length; k++) amount[labels[k]!] = 0;
  labels.length = 0;
  most.fill(0);
}

/** Sets a label. @param at its place, by hop and node */
export function label({ amount, labels }: PieceMemory, at: number, arriving: number): void {
  if (amount[at] === 0) labels.push(at);
  amount[at] = arriving;
}

/** Completes `ahead`: adds to every node what its successors reach. */
export function joinAll(graph: Graph, { used, ahead }: PieceMemory): void {
  for (let moved = true; moved; ) {
    moved = false;
    for (const edge of used) moved = joinAhead(ahead, graph.tail[edge]!, graph.head[edge]!) || moved;
  }
}

function joinAhead(ahead: Map<number, Set<number>>, tail: number, head: number): boolean {
  const own = ahead.get(tail) ?? new Set<number>();
  const size = own.size;
  own.add(head);
  for (const node of ahead.get(head) ?? []) own.add(node);
  ahead.set(tail, own);
  return own.size > size;
}
