import { outputAt } from "./curves.ts";
import type { Graph } from "./graph.ts";
import type { Trial } from "./judge.ts";
import type { Flow } from "./plan.ts";

/** What a greedy search carries from chunk to chunk. */
type Search = {
  readonly trial: Trial;
  readonly graph: Graph;
  readonly from: number;
  readonly to: number;
  readonly allowed: (edge: number) => boolean;
  /** Input already sent through each edge. */
  readonly sent: Map<number, number>;
  /** The one edge that each pool is crossed by: a pool serves one pair at a time. */
  readonly crossedBy: Map<number, number>;
  /** Nodes that each node's flow reaches; keeps the flows free of circles. */
  reach: Map<number, Set<number>>;
};

type Label = { readonly amount: number; readonly edge: number; readonly from: Label | undefined };

export type GreedyOptions = {
  readonly chunks: number;
  readonly allowed: (edge: number) => boolean;
};

/**
 * Sends the amount in equal chunks, each along the path that pays most given what the chunks before it took,
 * crossing a pool for the first time only where that pays for its gas.
 *
 * @returns flows by edge; [] where nothing joins the ends
 */
export function greedyFlows(trial: Trial, amount: number, options: GreedyOptions): readonly Flow[] {
  const { graph, ends, request } = trial;
  const search: Search = {
    trial,
    graph,
    from: graph.nodeOf.get(ends.tokenIn)!,
    to: graph.nodeOf.get(ends.tokenOut)!,
    allowed: options.allowed,
    sent: new Map(),
    crossedBy: new Map(),
    reach: new Map(),
  };
  const deadline = request.now() + request.timeoutMs;
  for (let chunk = 0; chunk < options.chunks; chunk++) {
    const path = bestPath(search, amount / options.chunks);
    if (path === undefined) return [];
    send(search, path, amount / options.chunks);
    if (chunk > 0 && request.now() > deadline) break;
  }
  return [...search.sent].map(([edge, sent]) => ({ edge, amount: sent }));
}

function bestPath(search: Search, amount: number): readonly number[] | undefined {
  let layer = new Map<number, Label>([[search.from, { amount, edge: -1, from: undefined }]]);
  let best: Label | undefined;
  for (let hop = 0; hop < search.trial.request.maxHops; hop++) {
    const next = new Map<number, Label>();
    for (const [node, label] of layer) if (node !== search.to) relax(search, node, label, next);
    const arrived = next.get(search.to);
    if (arrived !== undefined && !(best !== undefined && best.amount >= arrived.amount)) best = arrived;
    layer = next;
  }
  return best && edgesTo(best);
}

function relax(search: Search, node: number, label: Label, next: Map<number, Label>): void {
  const { graph } = search;
  const { start, length, data } = graph.outgoing;
  for (let k = 0; k < length[node]!; k++) {
    const edge = data[start[node]! + k]!;
    const amount = gained(search, edge, label.amount);
    const head = graph.head[edge]!;
    if (!(amount > (next.get(head)?.amount ?? 0))) continue;
    if (search.allowed(edge) && keepsOrder(search, label, edge))
      next.set(head, { amount, edge, from: label });
  }
}

/** What one more `amount` through `edge` brings, less the gas of a pool not crossed yet. */
function gained({ trial, graph, sent, crossedBy }: Search, edge: number, amount: number): number {
  const crossing = crossedBy.get(graph.owner[edge]!);
  if (crossing !== undefined && crossing !== edge) return 0;
  const before = sent.get(edge) ?? 0;
  const gain =
    outputAt(graph.curves, edge, before + amount) - (before > 0 ? outputAt(graph.curves, edge, before) : 0);
  if (before > 0 || trial.outPerGas === 0) return gain;
  const value = graph.values.ref[graph.head[edge]!]!;
  return value > 0 ? gain - (graph.gas[edge]! * Number(trial.request.gasPriceWei)) / value : gain;
}

/** Whether the path to `label` and then `edge` stays simple, crosses each pool once, and closes no circle. */
function keepsOrder({ graph, reach, from }: Search, label: Label, edge: number): boolean {
  const head = graph.head[edge]!;
  const ahead = reach.get(head);
  if (head === from) return false;
  for (let at: Label | undefined = label; at !== undefined; at = at.from) {
    const node = at.edge < 0 ? from : graph.head[at.edge]!;
    if (node === head || ahead?.has(node)) return false;
    if (at.edge >= 0 && graph.owner[at.edge] === graph.owner[edge]) return false;
  }
  return true;
}

function edgesTo(label: Label): readonly number[] {
  const edges: number[] = [];
  for (let at: Label | undefined = label; at !== undefined && at.edge >= 0; at = at.from) edges.push(at.edge);
  return edges.reverse();
}

function send(search: Search, path: readonly number[], amount: number): void {
  const { graph, sent, crossedBy } = search;
  let flowing = amount;
  for (const edge of path) {
    const before = sent.get(edge) ?? 0;
    sent.set(edge, before + flowing);
    crossedBy.set(graph.owner[edge]!, edge);
    flowing =
      outputAt(graph.curves, edge, before + flowing) -
      (before > 0 ? outputAt(graph.curves, edge, before) : 0);
  }
  search.reach = reachability(search);
}

function reachability({ graph, sent }: Search): Map<number, Set<number>> {
  const reach = new Map<number, Set<number>>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const edge of sent.keys()) {
      const ahead = reach.get(graph.tail[edge]!) ?? new Set<number>();
      const size = ahead.size;
      ahead.add(graph.head[edge]!);
      for (const node of reach.get(graph.head[edge]!) ?? []) ahead.add(node);
      reach.set(graph.tail[edge]!, ahead);
      changed ||= ahead.size > size;
    }
  }
  return reach;
}
