import { type Address, ALL_Q32, NATIVE } from "../../types.ts";
import { outputAt } from "../curves/segments.ts";
import { type Graph, NATIVE_NODE } from "../market-graph/graph.ts";
import type { PlannedStep } from "../types.ts";

/** What the search sends through an edge, in doubles. */
export type Flow = { readonly edge: number; readonly amount: number };

/** A planned step that remembers its edge; -1 for a wrap. */
export type LaidStep = PlannedStep & { readonly edge: number };

/** Where a plan begins and ends, as the request spells the tokens. */
export type Ends = { readonly tokenIn: Address; readonly tokenOut: Address };

/**
 * Lays flows out as steps over token registers: tokens in topological order, so that a register is final
 * before it is consumed; at each token the smallest share first and the largest takes all that is left.
 *
 * Flows that lead nowhere are dropped, and a circle is cut at its smallest flow.
 *
 * @returns undefined where nothing joins the ends, or a wrap is needed and there is none
 */
export function layOut(graph: Graph, flows: readonly Flow[], ends: Ends): readonly LaidStep[] | undefined {
  const from = graph.nodeOf.get(ends.tokenIn)!;
  const to = graph.nodeOf.get(ends.tokenOut)!;
  const { kept, order } = acyclic(graph, flows, from, to);
  if (kept.length === 0) return undefined;
  const steps: LaidStep[] = [];
  const consumersOf = byNode(kept, graph.tail);
  for (const node of order) {
    const consumers = consumersOf(node);
    const laid =
      graph.tokens[node] === graph.wrappedNative
        ? layNative(graph, consumers, { kept, node, from, to, ends })
        : layShares(graph, consumers, sum(consumers), true);
    if (laid === undefined) return undefined;
    steps.push(...laid);
  }
  return steps;
}

function sum(flows: readonly Flow[]): number {
  return flows.reduce((total, { amount }) => total + amount, 0);
}

/** Share of what an edge can take from which on it is full: it comes first then, so that another takes what is left. */
const BRIM = 0.999;

/** Shares of a register that holds `held` in doubles; where `last`, the largest of those that are not full takes the rest. */
function layShares(graph: Graph, consumers: readonly Flow[], held: number, last: boolean): LaidStep[] {
  const { end } = graph.curves;
  const isFull = ({ edge, amount }: Flow) => amount > BRIM * end[edge]!;
  const sorted = [...consumers].sort(
    (a, b) => Number(isFull(b)) - Number(isFull(a)) || a.amount - b.amount || a.edge - b.edge,
  );
  let left = held;
  return sorted.map(({ edge, amount }, k) => {
    const all = last && k === sorted.length - 1;
    const share = (isFull({ edge, amount }) ? Math.floor : Math.round)((amount / left) * ALL_Q32);
    left -= amount;
    const shareQ32 = all || !(share < ALL_Q32) ? ALL_Q32 : Math.max(1, share);
    return { ...placeOf(graph, edge), shareQ32, edge };
  });
}

function placeOf(graph: Graph, edge: number): Pick<PlannedStep, "pool" | "i" | "j"> {
  const { pool } = graph.entries[graph.owner[edge]!]!;
  return { pool, i: graph.sold[edge]!, j: graph.bought[edge]! };
}

type Crossing = {
  readonly kept: readonly Flow[];
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly ends: Ends;
};

/** The node of the native coin: two registers, joined by one wrap or unwrap where the forms do not match. */
function layNative(graph: Graph, consumers: readonly Flow[], at: Crossing): LaidStep[] | undefined {
  const wanted = byForm(graph, consumers, graph.sold);
  const held = heldByForm(graph, sum(consumers), at);
  if (at.node === at.to) wanted[at.ends.tokenOut === NATIVE ? 0 : 1].amount += held[0] + held[1];

  const surplus = held[0] - wanted[0].amount > held[1] - wanted[1].amount ? 0 : 1;
  const [first, second] = surplus === 0 ? wanted : [wanted[1], wanted[0]];
  if (second.amount === 0 || held[surplus] === 0) {
    return wanted.flatMap(({ flows, amount }) => layShares(graph, flows, amount, true));
  }
  if (graph.wrap === undefined) return undefined;
  const i = graph.wrap.tokens.indexOf(surplus === 0 ? NATIVE : graph.wrappedNative);
  return [
    ...layShares(graph, first.flows, Math.max(held[surplus], first.amount), false),
    { pool: graph.wrap, i, j: 1 - i, shareQ32: ALL_Q32, edge: -1 },
    ...layShares(graph, second.flows, second.amount, true),
  ];
}

/** What the native node holds before its consumers run: as the native coin, and wrapped. */
function heldByForm(graph: Graph, begun: number, { kept, node, from, ends }: Crossing): [number, number] {
  const held: [number, number] = [0, 0];
  if (node === from) held[ends.tokenIn === NATIVE ? 0 : 1] += begun;
  for (const { edge, amount } of kept) {
    if (graph.head[edge] !== node) continue;
    const paid = outputAt(graph.curves, edge, amount);
    // What a rough curve cannot tell is there all the same, and must be found in the form that is wanted.
    held[isNative(graph, edge, graph.bought) ? 0 : 1] += paid > 0 ? paid : 1;
  }
  return held;
}

/** The forms of the native coin as bits, and both of them, which a wrap joins. */
const COIN = 1;
const WRAPPED = 2;
export const FORMS = [COIN, WRAPPED];
export const BOTH_FORMS = COIN | WRAPPED;

/** The forms of the native coin in which an edge takes or pays it; 0 where it does neither. */
export function formsOf(graph: Graph, edge: number): number {
  const formOf = (ends: Int32Array, side: Uint8Array) =>
    ends[edge] !== NATIVE_NODE ? 0 : isNative(graph, edge, side) ? COIN : WRAPPED;
  return formOf(graph.tail, graph.sold) | formOf(graph.head, graph.bought);
}

/** The form of the native coin that the ends are spelled in; 0 where it is neither of them. */
export function formOfEnds({ wrappedNative }: Graph, { tokenIn, tokenOut }: Ends): number {
  if (tokenIn === NATIVE || tokenOut === NATIVE) return COIN;
  return tokenIn === wrappedNative || tokenOut === wrappedNative ? WRAPPED : 0;
}

type Form = { amount: number; readonly flows: Flow[] };

/** Flows by the form of the coin that `side` names: native first, wrapped second. */
function byForm(graph: Graph, flows: readonly Flow[], side: Uint8Array): [Form, Form] {
  const forms: [Form, Form] = [
    { amount: 0, flows: [] },
    { amount: 0, flows: [] },
  ];
  for (const flow of flows) {
    const form = forms[isNative(graph, flow.edge, side) ? 0 : 1];
    form.amount += flow.amount;
    form.flows.push(flow);
  }
  return forms;
}

function isNative(graph: Graph, edge: number, side: Uint8Array): boolean {
  return graph.entries[graph.owner[edge]!]!.pool.tokens[side[edge]!] === NATIVE;
}

type Ordered = { readonly kept: readonly Flow[]; readonly order: readonly number[] };

/** The flows that lie on a path between the ends, with their tokens in topological order. */
function acyclic(graph: Graph, flows: readonly Flow[], from: number, to: number): Ordered {
  let kept = flows.filter(({ amount }) => amount > 0);
  for (;;) {
    kept = between(graph, kept, from, to);
    const order = topological(graph, kept, from);
    const placed = new Set(order);
    const stuck = kept.filter(({ edge }) => !placed.has(graph.tail[edge]!) || !placed.has(graph.head[edge]!));
    if (stuck.length === 0) return { kept, order };
    const smallest = stuck.reduce((a, b) => (b.amount < a.amount ? b : a));
    kept = kept.filter((flow) => flow !== smallest);
  }
}

function between(graph: Graph, flows: readonly Flow[], from: number, to: number): Flow[] {
  const ahead = reached(flows, from, graph.tail, graph.head);
  const behind = reached(flows, to, graph.head, graph.tail);
  return flows.filter(({ edge }) => {
    const tail = graph.tail[edge]!;
    const head = graph.head[edge]!;
    return ahead.has(tail) && behind.has(head) && tail !== to && head !== from;
  });
}

/** Nodes that `start` reaches; a set is walked in the order in which it grows. */
function reached(flows: readonly Flow[], start: number, near: Int32Array, far: Int32Array): Set<number> {
  const seen = new Set([start]);
  const flowsAt = byNode(flows, near);
  for (const node of seen) for (const { edge } of flowsAt(node)) seen.add(far[edge]!);
  return seen;
}

/** The flows with their `end` at a node, in their own order; looked up, since whales have thousands. */
function byNode(flows: readonly Flow[], end: Int32Array): (node: number) => readonly Flow[] {
  const groups = new Map<number, Flow[]>();
  for (const flow of flows) {
    const group = groups.get(end[flow.edge]!);
    if (group === undefined) groups.set(end[flow.edge]!, [flow]);
    else group.push(flow);
  }
  return (node) => groups.get(node) ?? NONE;
}

const NONE: readonly Flow[] = [];

/** Tokens whose producers all come before them, from `from` on; tokens on a circle are left out. */
function topological(graph: Graph, flows: readonly Flow[], from: number): number[] {
  const waiting = new Map<number, number>([[from, 0]]);
  for (const { edge } of flows) waiting.set(graph.head[edge]!, (waiting.get(graph.head[edge]!) ?? 0) + 1);
  const order = waiting.get(from) === 0 ? [from] : [];
  const leaving = byNode(flows, graph.tail);
  for (const node of order) {
    for (const { edge } of leaving(node)) {
      const left = waiting.get(graph.head[edge]!)! - 1;
      waiting.set(graph.head[edge]!, left);
      if (left === 0) order.push(graph.head[edge]!);
    }
  }
  return order;
}
