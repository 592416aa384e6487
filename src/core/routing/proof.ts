import type { Graph } from "./graph.ts";
import type { Problem } from "./problem.ts";
import { grown } from "./rows.ts";
import type { Scratch } from "./scratch.ts";

/** Prices of all nodes of the graph, in value of the token bought per value of the token; `known` where there are any. */
export type Proof = {
  known: boolean;
  price: Float64Array;
  /** Nodes of which one may be known. */
  nodes: number;
  node: Int32Array;
  /** What tokens without a price are worth, as a multiple of what they fetch in the native coin. */
  most: number;
  /** Edges of the graph that were in the problem then. */
  edges: number;
  edge: Int32Array;
};

export function emptyProof(): Proof {
  return {
    known: false,
    price: new Float64Array(64),
    nodes: 0,
    node: new Int32Array(64),
    most: 0,
    edges: 0,
    edge: new Int32Array(64),
  };
}

/** Keeps the prices of the last look as the proof, in place of those before. */
export function keepProof(proof: Proof, { tokens }: Graph, { edges, edge }: Problem, scratch: Scratch): void {
  proof.known = true;
  proof.edges = edges;
  proof.edge = grown(proof.edge, edges);
  proof.edge.set(edge.subarray(0, edges));
  const { worth, labelled, labels } = scratch;
  for (let n = 0; n < proof.nodes; n++) proof.price[proof.node[n]!] = 0;
  proof.price = grown(proof.price, tokens.length);
  proof.nodes = labels;
  proof.node = grown(proof.node, labels);
  proof.node.set(labelled.subarray(0, labels));
  for (let n = 0; n < labels; n++) proof.price[labelled[n]!] = worth[labelled[n]!]!;
  proof.most = scratch.most;
}
