import { type Address, ALL_Q32, NATIVE } from "../../types.ts";
import { outputAt } from "../curves/segments.ts";
import { type Graph, NATIVE_NODE } from "../market-graph/graph.ts";
import type { PlannedStep } from "../types.ts";

/** The amount that a search sells to an edge, in smallest units as a double. */
export type Flow = { readonly edge: number; readonly amount: number };

/** A planned step with its edge; -1 for a wrap or unwrap that the layout adds. */
export type LaidStep = PlannedStep & { readonly edge: number };

/** The token sold and the token bought, in the form (native or wrapped) that the request names. */
export type Ends = { readonly tokenIn: Address; readonly tokenOut: Address };

/**
 * Lays flows out as steps over token registers. Tokens come in topological order, so that a register is complete before
 * it is consumed. The steps that sell one token come in ascending order of their amounts, after those of full edges,
 * and the last one sells all that is left.
 *
 * Flows on no path between the ends are dropped. Cycles are broken by removing the smallest flow among those on a cycle
 * or behind one, until none is left.
 *
 * @returns undefined where no path joins the ends, or where a wrap is needed and the market has none
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

/**
 * Share of an edge's largest input above which it counts as full. Full edges come first, so that the remainder goes to
 * an edge that can still take it.
 */
const BRIM = 0.999;

/**
 * Shares from `least` on, in units of 2^-32, are multiples of `grain`: the last digits of doubles, which depend on how prices of
 * earlier blocks were followed, then hardly ever change an answer, and a zero byte of calldata costs 12 gas less. It moves a step
 * by at most 1.3e-4 of what it sells, which loses the square of that of its price impact. Full edges have none, and are filled.
 */
const COARSE = { grain: 2 ** 8, least: 2 ** 20 };

function roundedShare(share: number, isFull: boolean): number {
  if (isFull) return Math.floor(share);
  return share < COARSE.least ? Math.round(share) : COARSE.grain * Math.round(share / COARSE.grain);
}

/**
 * Converts flows that sell one token into shares of what its register holds at each step.
 *
 * @param held what the register holds before the first step, in doubles
 * @param last whether the final step, the largest of those that are not full, sells all that is left
 */
function layShares(graph: Graph, consumers: readonly Flow[], held: number, last: boolean): LaidStep[] {
  const { end } = graph.curves;
  const isFull = ({ edge, amount }: Flow) => amount > BRIM * end[edge]!;
  const sorted = [...consumers].sort(
    (a, b) => Number(isFull(b)) - Number(isFull(a)) || a.amount - b.amount || a.edge - b.edge,
  );
  let left = held;
  return sorted.map(({ edge, amount }, k) => {
    const all = last && k === sorted.length - 1;
    const share = roundedShare((amount / left) * ALL_Q32, isFull({ edge, amount }));
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

/**
 * Lays out the steps that sell the native coin, which has two registers, native and wrapped. Where one form is wanted
 * in larger amounts than it is held, one wrap or unwrap converts what the consumers of the other form leave.
 *
 * @returns undefined where a conversion is needed and the market has no wrap pool
 */
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

/** Amounts that the native node holds before its consumers run: in the native form and in the wrapped form. */
function heldByForm(graph: Graph, begun: number, { kept, node, from, ends }: Crossing): [number, number] {
  const held: [number, number] = [0, 0];
  if (node === from) held[ends.tokenIn === NATIVE ? 0 : 1] += begun;
  for (const { edge, amount } of kept) {
    if (graph.head[edge] !== node) continue;
    const paid = outputAt(graph.curves, edge, amount);
    // A coarse curve may evaluate to 0 where the pool pays something: a nominal unit still plans the conversion.
    held[isNative(graph, edge, graph.bought) ? 0 : 1] += paid > 0 ? paid : 1;
  }
  return held;
}

/** The forms of the native coin as bits. A route that uses both forms needs a wrap or unwrap. */
const COIN = 1;
const WRAPPED = 2;
export const FORMS = [COIN, WRAPPED];
export const BOTH_FORMS = COIN | WRAPPED;

/** The forms of the native coin in which an edge takes or pays it, as bits; 0 where it does neither. */
export function formsOf(graph: Graph, edge: number): number {
  const formOf = (ends: Int32Array, side: Uint8Array) =>
    ends[edge] !== NATIVE_NODE ? 0 : isNative(graph, edge, side) ? COIN : WRAPPED;
  return formOf(graph.tail, graph.sold) | formOf(graph.head, graph.bought);
}

/** The form in which an order names the native coin, as a bit; 0 where the coin is at neither end. */
export function formOfEnds({ wrappedNative }: Graph, { tokenIn, tokenOut }: Ends): number {
  if (tokenIn === NATIVE || tokenOut === NATIVE) return COIN;
  return tokenIn === wrappedNative || tokenOut === wrappedNative ? WRAPPED : 0;
}

type Form = { amount: number; readonly flows: Flow[] };

/** Splits flows by the form of the native coin at the given side of their edges: native first, wrapped second. */
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

/** The flows on paths between the ends, made acyclic, with their tokens in topological order. */
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

/**
 * Nodes that `start` reaches. Iteration over a set includes members added meanwhile, so this is a breadth-first search.
 */
function reached(flows: readonly Flow[], start: number, near: Int32Array, far: Int32Array): Set<number> {
  const seen = new Set([start]);
  const flowsAt = byNode(flows, near);
  for (const node of seen) for (const { edge } of flowsAt(node)) seen.add(far[edge]!);
  return seen;
}

/** Groups flows by the node at their `end`, in their own order; a map, since large orders have thousands of flows. */
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

/** Topological order of the tokens from `from` on (Kahn's algorithm); leaves out tokens on a cycle or behind one. */
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
