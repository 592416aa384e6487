import type { Graph } from "./graph.ts";
import { grown } from "./rows.ts";
import type { Scratch } from "./scratch.ts";
import { forEachOnward, type Sweep } from "./sweep.ts";

/**
 * Every edge that can matter to an order: those on a path, over prices before any trade, that pays at least `least`.
 * Where the optimum's price of the token sold is no lower than `least`, no other edge is used in it.
 */
export type Field = {
  count: number;
  edge: Int32Array;
  tail: Int32Array;
  head: Int32Array;
  /** Normalised price before any trade. */
  spot: Float64Array;
};

export function emptyField(): Field {
  return {
    count: 0,
    edge: new Int32Array(1024),
    tail: new Int32Array(1024),
    head: new Int32Array(1024),
    spot: new Float64Array(1024),
  };
}

export type FieldRequest = Sweep & {
  /** Number of nodes that the forward sweep visited. */
  readonly visited: number;
  readonly allowed: (edge: number) => boolean;
};

/** Fills the field after both sweeps at spot prices. */
export function fillField(field: Field, graph: Graph, scratch: Scratch, request: FieldRequest): void {
  field.count = 0;
  const { pairs } = graph;
  for (let n = 0; n < request.visited; n++) {
    const node = scratch.visited[n]!;
    const here = scratch.fore[node]!;
    forEachOnward(graph, node, request.to, (pair) => {
      const ahead = scratch.back[pairs.head[pair]!]!;
      if (here * pairs.spot[pair]! * ahead < request.least || pairs.head[pair] === request.from) return;
      addPair(field, graph, pair, { least: request.least / (here * ahead), allowed: request.allowed });
    });
  }
}

type Taken = { readonly least: number; readonly allowed: (edge: number) => boolean };

function addPair(field: Field, { pairs, values, curves }: Graph, pair: number, { least, allowed }: Taken): void {
  const tail = pairs.tail[pair]!;
  const head = pairs.head[pair]!;
  const scale = values.ref[head]! / values.ref[tail]!;
  const { start, length, data } = pairs.edges;
  const last = start[pair]! + length[pair]!;
  for (let k = start[pair]!; k < last; k++) {
    const edge = data[k]!;
    if (curves.count[edge] === 0) continue;
    const spot = curves.lanes[curves.at[edge]! + 2]! * scale;
    if (spot < least || !allowed(edge)) continue;
    const at = field.count++;
    if (at >= field.edge.length) growField(field);
    field.edge[at] = edge;
    field.tail[at] = tail;
    field.head[at] = head;
    field.spot[at] = spot;
  }
}

function growField(field: Field): void {
  const size = field.edge.length * 2;
  field.edge = grown(field.edge, size);
  field.tail = grown(field.tail, size);
  field.head = grown(field.head, size);
  field.spot = grown(field.spot, size);
}
