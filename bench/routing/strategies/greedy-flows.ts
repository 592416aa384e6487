import { emptyHeap, popHeap, pushHeap } from "../../../src/core/math/heap.ts";
import type { Pool } from "../../../src/core/types.ts";
import { type Board, type Edge, gasAt, spotValues } from "../orders/board.ts";
import { type Answer, betterAnswer, judgeEdges, type Task } from "../proof/judge.ts";

/** Into how many equal flows the order is cut; the best answer counts. */
const FLOWS = [1, 2, 4, 8, 16, 32, 64, 100];
/** Flows below this share of what enters their token are dropped at the end. */
const DUST = 1e-3;

/** What earlier flows sold to each edge, and the pools that they went through. */
type Used = { readonly sold: Map<Edge, number>; readonly pools: Set<Pool> };

/**
 * Equal flows one after the other, each along the path that is best for it then: labels are set in the order of what
 * they are worth in the token bought, pools keep what earlier flows sold to them, a pool in use costs no gas again.
 *
 * @source the idea of the graph router that Sushi published as tines; nothing of its code
 */
export function greedyFlows(task: Task): Answer | undefined {
  const values = spotValues(task.board, task.to);
  let best: Answer | undefined;
  for (const count of FLOWS) {
    const used: Used = { sold: new Map(), pools: new Set() };
    const unit = Number(task.amount) / count;
    let sent = 0;
    while (sent < count && sendOne(task, values, used, unit)) sent++;
    if (sent < count) continue;
    const flows = [...used.sold].map(([edge, amount]) => ({ edge, amount }));
    const answer = judgeEdges(task, withoutDust(flows));
    best = betterAnswer(best, answer);
    if (task.gasOut > 0 && answer !== undefined && best !== answer && count > 8) break;
  }
  return best;
}

function withoutDust(flows: readonly { edge: Edge; amount: number }[]) {
  const entering = new Map<number, number>();
  for (const { edge, amount } of flows) entering.set(edge.tail, (entering.get(edge.tail) ?? 0) + amount);
  return flows.filter(({ edge, amount }) => amount >= DUST * entering.get(edge.tail)!);
}

type Labels = {
  readonly amount: Float64Array;
  readonly worth: Float64Array;
  readonly by: (Edge | undefined)[];
  /** Legs on the way that are not in use yet. */
  readonly fresh: Uint8Array;
  readonly done: Uint8Array;
};

/** Sends one flow along its best path. @returns false where nothing takes it */
function sendOne(task: Task, values: Float64Array, used: Used, unit: number): boolean {
  const { board, from, to } = task;
  const size = board.tokens.length;
  const labels: Labels = {
    amount: new Float64Array(size),
    worth: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    by: new Array<Edge | undefined>(size).fill(undefined),
    fresh: new Uint8Array(size),
    done: new Uint8Array(size),
  };
  const heap = emptyHeap();
  labels.amount[from] = unit;
  labels.worth[from] = 0;
  pushHeap(heap, Number.MAX_VALUE, from);
  for (let node = popHeap(heap); node >= 0 && node !== to; node = popHeap(heap)) {
    if (labels.done[node] === 1) continue;
    labels.done[node] = 1;
    for (const edge of board.outgoing[node]!) {
      const open = labels.done[edge.head] === 0 && edge.head !== from && values[edge.head]! > 0;
      if (open && relax(task, { labels, used, values }, edge))
        pushHeap(heap, labels.worth[edge.head]!, edge.head);
    }
  }
  if (labels.by[to] === undefined) return false;
  take(labels, used, to);
  return true;
}

type State = { readonly labels: Labels; readonly used: Used; readonly values: Float64Array };

function relax(task: Task, { labels, used, values }: State, edge: Edge): boolean {
  const before = used.sold.get(edge) ?? 0;
  const fresh = labels.fresh[edge.tail]! + (before === 0 ? 1 : 0);
  if (before === 0 && (used.sold.size + fresh > task.maxLegs || used.pools.has(edge.pool))) return false;
  const sold = labels.amount[edge.tail]!;
  const out = outputBetween(edge, before, sold);
  if (!(out > 0)) return false;
  const spent = edgeGas(task.board, edge, before, sold) * task.gasOut;
  const gasSoFar = labels.by[edge.tail] === undefined ? 0 : gasOf(labels, values, edge.tail);
  const worth = out * values[edge.head]! - spent - gasSoFar;
  if (!(worth > labels.worth[edge.head]!)) return false;
  labels.worth[edge.head] = worth;
  labels.amount[edge.head] = out;
  labels.by[edge.head] = edge;
  labels.fresh[edge.head] = fresh;
  return true;
}

/** What the label of a token has spent on gas: its amount's worth less its own. */
function gasOf({ amount, worth }: Labels, values: Float64Array, node: number): number {
  return amount[node]! * values[node]! - worth[node]!;
}

function outputBetween({ direction }: Edge, before: number, more: number): number {
  return before === 0 ? direction.out(more) : direction.out(before + more) - direction.out(before);
}

function edgeGas(board: Board, edge: Edge, before: number, more: number): number {
  const after = gasAt(edge, board, before + more);
  return before === 0 ? after : after - gasAt(edge, board, before);
}

function take({ amount, by }: Labels, used: Used, to: number): void {
  for (let edge = by[to]; edge !== undefined; edge = by[edge.tail]) {
    used.sold.set(edge, (used.sold.get(edge) ?? 0) + amount[edge.tail]!);
    used.pools.add(edge.pool);
  }
}
