import { outputAt } from "./curves.ts";
import type { Addition, Pick, Picker } from "./pick.ts";
import type { Problem } from "./problem.ts";
import { grown } from "./rows.ts";

/** Shares of the supply that detours are looked for with, and the edges of the longest. */
const SIZES = [0.5, 0.2, 0.08, 0.03, 0.01];
const HOPS = 4;
/** Shorter ones are found by their prices, whatever they carry. */
const FEWEST_HOPS = 3;

/** What one look needs to know. */
type Look = {
  readonly picker: Picker;
  readonly from: Pick;
  /** Pools that the pick crosses. */
  readonly crossed: ReadonlySet<number>;
  /** Value, in the token bought, that goes astray. */
  readonly size: number;
  readonly found: Map<number, Addition>;
};

/**
 * Ways from a token in use to another over two and more tokens that are not: for some sizes, a search by hops over real
 * outputs from all tokens in use at once, at the pick's prices.
 *
 * @returns at most one way a size and token, with what it would gain were that the best size
 */
export function longDetours(picker: Picker, from: Pick): Addition[] {
  const { graph, shop } = picker;
  const crossed = new Set(from.edges.map((e) => graph.owner[shop.problem.edge[e]!]!));
  return SIZES.flatMap((share) => {
    const found = new Map<number, Addition>();
    look({ picker, from, crossed, size: share * shop.problem.supply, found });
    return [...found.values()];
  });
}

function look(at: Look): void {
  const { picker, from, size } = at;
  const { problem, labels } = picker.shop;
  const { nodes, ref, sink } = problem;
  labels.amount = grown(labels.amount, (HOPS + 1) * nodes);
  labels.by = grown(labels.by, (HOPS + 1) * nodes);
  labels.amount.fill(0, 0, (HOPS + 1) * nodes);
  for (let n = 0; n < nodes; n++) {
    const price = from.prices[n]! * ref[n]!;
    if (price > 0 && n !== sink) labels.amount[n] = size / price;
  }
  for (let hop = 1; hop <= HOPS; hop++) {
    for (let e = 0; e < problem.edges; e++) relax(at, hop, e);
  }
}

function relax({ picker, from, crossed, size, found }: Look, hop: number, e: number): void {
  const { graph, shop, cost } = picker;
  const { labels, problem } = shop;
  const { nodes, tail, head, source, sink, ref, price, edge } = problem;
  const [u, v] = [tail[e]!, head[e]!];
  const arriving = labels.amount[(hop - 1) * nodes + u]!;
  if (arriving === 0 || u === sink || v === source || crossed.has(graph.owner[edge[e]!]!)) return;
  const worth = ref[v]! * (from.prices[v]! > 0 ? from.prices[v]! : price[v]!);
  const out = outputAt(graph.curves, edge[e]!, arriving) - cost[e]! / worth;
  const ends = from.prices[v]! > 0;
  const gain = out * worth - size;
  if (
    ends ? hop < FEWEST_HOPS || !(gain > (found.get(v)?.gain ?? 0)) : !(out > labels.amount[hop * nodes + v]!)
  )
    return;
  const way = wayTo(labels.by, problem, hop - 1, u);
  if (way.some((other) => tail[other] === v || graph.owner[edge[other]!] === graph.owner[edge[e]!])) return;
  if (ends) {
    found.set(v, { edges: [...way, e], gain });
    return;
  }
  labels.amount[hop * nodes + v] = out;
  labels.by[hop * nodes + v] = e;
}

/** The edges by which a label came about, the first one first. */
function wayTo(by: Int32Array, { nodes, tail }: Problem, hops: number, node: number): number[] {
  const way: number[] = [];
  let at = node;
  for (let hop = hops; hop > 0; hop--) {
    const e = by[hop * nodes + at]!;
    way.unshift(e);
    at = tail[e]!;
  }
  return way;
}
