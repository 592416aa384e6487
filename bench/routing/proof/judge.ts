import type { Registry } from "../../../src/core/protocol.ts";
import { settle } from "../../../src/core/routing/settlement/settle.ts";
import type { PlannedStep } from "../../../src/core/routing/types.ts";
import { ALL_Q32 } from "../../../src/core/types.ts";
import { gasCost } from "../market/gas.ts";
import type { Leg } from "../market/schema.ts";
import type { Board, Edge } from "../orders/board.ts";
import { legsOf } from "../orders/run.ts";

/** What every strategy is asked: sell `amount` of node `from` for node `to`. */
export type Task = {
  readonly board: Board;
  readonly registry: Registry;
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
  /** Units of the token bought that a unit of gas costs; 0 where gas is free. */
  readonly gasOut: number;
  /** Crossings in all; Infinity = no cap. */
  readonly maxLegs: number;
};

/** An answer, settled to the wei and weighed with the bench's gas model. */
export type Answer = {
  readonly amountOut: bigint;
  readonly net: bigint;
  readonly gasUnits: number;
  readonly legs: readonly Leg[];
};

/** Edges in a row, and what is sold to the first of them. */
export type PathFlow = { readonly path: readonly Edge[]; readonly amount: number };

/** What is sold to an edge. */
export type EdgeFlow = { readonly edge: Edge; readonly amount: number };

/** Path after path: each takes its share of what is left, and each hop all that the hop before it paid. */
export function judgePaths(task: Task, flows: readonly PathFlow[]): Answer | undefined {
  const used = flows.filter(({ amount }) => amount > 0);
  let left = used.reduce((sum, { amount }) => sum + amount, 0);
  const steps = used.flatMap(({ path, amount }, k) => {
    const shareQ32 = k === used.length - 1 ? ALL_Q32 : shareOf(amount, left);
    left -= amount;
    return path.map((edge, hop) => stepOf(edge, hop === 0 ? shareQ32 : ALL_Q32));
  });
  return judge(task, steps);
}

/** Token after token, in an order in which all that flows into one comes before what flows out of it. */
export function judgeEdges(task: Task, flows: readonly EdgeFlow[]): Answer | undefined {
  const { kept, order } = acyclic(task, flows);
  const steps = order.flatMap((node) => {
    const consumers = kept.filter(({ edge }) => edge.tail === node).sort((a, b) => a.amount - b.amount);
    let left = consumers.reduce((sum, { amount }) => sum + amount, 0);
    return consumers.map(({ edge, amount }, k) => {
      const shareQ32 = k === consumers.length - 1 ? ALL_Q32 : shareOf(amount, left);
      left -= amount;
      return stepOf(edge, shareQ32);
    });
  });
  return judge(task, steps);
}

function shareOf(amount: number, left: number): number {
  return Math.min(ALL_Q32, Math.max(1, Math.round((amount / left) * ALL_Q32)));
}

function stepOf({ pool, i, j }: Edge, shareQ32: number): PlannedStep {
  return { pool, i, j, shareQ32 };
}

function judge(task: Task, plan: readonly PlannedStep[]): Answer | undefined {
  const { board, registry, from, to, amount, gasOut, maxLegs } = task;
  if (plan.length === 0 || plan.length > maxLegs) return undefined;
  const { market, tokens } = board;
  const settled = settle(plan, amount, {
    registry,
    view: market.states,
    at: market.at,
    tokenIn: tokens[from]!,
    tokenOut: tokens[to]!,
  });
  if (settled.kind === "failed") return undefined;
  const { gasUnits, gas } = gasCost(settled.gas, gasOut);
  const { amountOut } = settled;
  return { amountOut, net: amountOut - gas, gasUnits, legs: legsOf(settled.steps) };
}

/** The one with more net; the first on a tie. */
export function betterAnswer(a: Answer | undefined, b: Answer | undefined): Answer | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.net > a.net ? b : a;
}

/** Whether every flow lies on a way from one end to the other. */
export function isConnected({ from, to }: Pick<Task, "from" | "to">, flows: readonly EdgeFlow[]): boolean {
  const carrying = flows.filter(({ amount }) => amount > 0);
  return between({ from, to }, carrying).length === carrying.length;
}

type Ordered = { readonly kept: readonly EdgeFlow[]; readonly order: readonly number[] };

/** The flows that lie on a way from one end to the other. */
function between({ from, to }: Pick<Task, "from" | "to">, flows: readonly EdgeFlow[]): EdgeFlow[] {
  const ahead = reached(flows, from, (edge) => [edge.tail, edge.head]);
  const behind = reached(flows, to, (edge) => [edge.head, edge.tail]);
  return flows.filter(({ edge }) => ahead.has(edge.tail) && behind.has(edge.head));
}

/** Flows that lie on a way between the ends; a circle loses its smallest flow. */
function acyclic(ends: Task, flows: readonly EdgeFlow[]): Ordered {
  const { from, to } = ends;
  let kept = flows.filter(({ amount }) => amount > 0);
  for (;;) {
    kept = between(ends, kept);
    kept = kept.filter(({ edge }) => edge.tail !== to && edge.head !== from);
    const order = topological(kept, from);
    const placed = new Set(order);
    const stuck = kept.filter(({ edge }) => !placed.has(edge.head));
    if (stuck.length === 0) return { kept, order };
    const smallest = stuck.reduce((a, b) => (b.amount < a.amount ? b : a));
    kept = kept.filter((flow) => flow !== smallest);
  }
}

function reached(
  flows: readonly EdgeFlow[],
  start: number,
  ends: (edge: Edge) => readonly [number, number],
): ReadonlySet<number> {
  const seen = new Set([start]);
  for (let size = 0; size < seen.size; ) {
    size = seen.size;
    for (const { edge } of flows) {
      const [near, far] = ends(edge);
      if (seen.has(near)) seen.add(far);
    }
  }
  return seen;
}

function topological(flows: readonly EdgeFlow[], from: number): number[] {
  const waiting = new Map<number, number>();
  for (const { edge } of flows) waiting.set(edge.head, (waiting.get(edge.head) ?? 0) + 1);
  const order = [from];
  for (let k = 0; k < order.length; k++) {
    for (const { edge } of flows) {
      if (edge.tail !== order[k]) continue;
      const left = waiting.get(edge.head)! - 1;
      waiting.set(edge.head, left);
      if (left === 0) order.push(edge.head);
    }
  }
  return order;
}
