import { profitAt } from "./curves.ts";
import type { Field } from "./field.ts";
import type { Graph } from "./graph.ts";
import type { Problem } from "./problem.ts";
import type { Scratch } from "./scratch.ts";

/** An edge of the field that is not in the problem, and what it would earn at the problem's prices, in value. */
export type Column = { readonly edge: number; readonly gain: number };

export type Outside = {
  /** What all edges outside the problem would earn: with the dual value of the problem, an upper bound. */
  readonly gain: number;
  /** The edges that would, best first. */
  readonly columns: readonly Column[];
};

/** Passes that carry prices from the problem's tokens to tokens several pools away. */
const PASSES = 4;

/**
 * Prices the field against a solved problem. Tokens that the problem does not know get the price at which the
 * pools around them earn least: any price gives a valid bound, a good one gives a tight bound.
 * Leaves the price of every token of the field in `scratch.worth`.
 */
export function priceOutside(field: Field, graph: Graph, scratch: Scratch, problem: Problem): Outside {
  spreadPrices(field, scratch, problem);
  const { worth, inProblem } = scratch;
  const { ref } = graph.values;
  const columns: Column[] = [];
  let total = 0;
  for (let k = 0; k < field.count; k++) {
    const edge = field.edge[k]!;
    const tail = field.tail[k]!;
    const head = field.head[k]!;
    if (!(field.spot[k]! * worth[head]! > worth[tail]! * (1 + 1e-12)) || inProblem[edge] !== 0) continue;
    const least = (worth[tail]! * ref[tail]!) / (worth[head]! * ref[head]!);
    const gain = profitAt(graph.curves, edge, least) * worth[head]! * ref[head]!;
    if (!(gain > 0)) continue;
    total += gain;
    columns.push({ edge, gain });
  }
  columns.sort((a, b) => b.gain - a.gain || a.edge - b.edge);
  return { gain: total, columns };
}

/** Fills `scratch.worth`: the problem's prices, and for other tokens one between what they fetch and what they cost. */
function spreadPrices(field: Field, scratch: Scratch, problem: Problem): void {
  const { low, high, worth, fixed, back, fore } = scratch;
  for (let k = 0; k < field.count; k++) {
    low[field.tail[k]!] = low[field.head[k]!] = 0;
    high[field.tail[k]!] = high[field.head[k]!] = Infinity;
  }
  fixBusy(problem, scratch);
  for (let pass = 0, changed = true; pass < PASSES && changed; pass++) changed = spread(field, scratch);
  const top = problem.price[problem.source]!;
  for (let k = 0; k < field.count; k++) {
    settleWorth(field.tail[k]!);
    settleWorth(field.head[k]!);
  }
  for (let n = 0; n < problem.nodes; n++) {
    const node = problem.node[n]!;
    if (fixed[node] === 0 && worth[node]! > 0) problem.price[n] = worth[node]!;
    fixed[node] = 0;
  }
  function settleWorth(node: number): void {
    const fetches = low[node]!;
    const costs = high[node]!;
    const middle = fetches > costs ? Math.sqrt(fetches * costs) : fetches;
    worth[node] = fixed[node] === 1 ? fetches : Math.min(Math.max(middle, top / fore[node]!), back[node]!);
  }
}

/** Takes over the prices of tokens that something flows through; all others are priced afresh. */
function fixBusy({ nodes, edges, node, tail, head, sold, price, source, sink }: Problem, { low, high, fixed }: Scratch): void {
  const busy = new Uint8Array(nodes);
  for (let e = 0; e < edges; e++) {
    if (!(sold[e]! > 0)) continue;
    busy[tail[e]!]! |= 1;
    busy[head[e]!]! |= 2;
  }
  busy[source] = busy[sink] = 3;
  for (let n = 0; n < nodes; n++) {
    if (process.env.IDLE && busy[n] !== 3) continue;
    low[node[n]!] = high[node[n]!] = price[n]!;
    fixed[node[n]!] = 1;
  }
}

function spread({ count, tail, head, spot }: Field, { low, high, fixed }: Scratch): boolean {
  let changed = false;
  for (let k = 0; k < count; k++) {
    const u = tail[k]!;
    const v = head[k]!;
    const fetches = spot[k]! * low[v]!;
    if (fetches > low[u]! && fixed[u] === 0) {
      low[u] = fetches;
      changed = true;
    }
    const costs = high[u]! / spot[k]!;
    if (costs < high[v]! && fixed[v] === 0) {
      high[v] = costs;
      changed = true;
    }
  }
  return changed;
}
