import { type Graph, NATIVE_NODE } from "../graph.ts";

/** Tokens whose prices are not searched for: numeraires, and those that follow a neighbour. */

/** Whether a token has one neighbour only and is no numeraire: its price is a constant multiple of that one's. */
export function isFollower(graph: Pick<Graph, "pairs" | "values">, node: number): boolean {
  return graph.pairs.degree[node] === 1 && !isRoot(graph, node);
}

/** Whether a token is the numeraire of its component: the native coin, or the first token of a component without it. */
export function isRoot({ values }: Pick<Graph, "values">, node: number): boolean {
  return node === NATIVE_NODE || (values.ref[node]! > 0 && values.parent[node]! < 0);
}
