import type { RouteGraph } from "../api.ts";

/** A step of the route, with its share of the order. */
export type Leg = {
  /** Position in execution order, from 1. */
  readonly number: number;
  readonly step: RouteGraph["steps"][number];
  /** Share of the whole order that passes this step, 0 … 1. */
  readonly share: number;
};

/** A token at one position of the route. A token that the route returns to has several nodes. */
export type TokenNode = {
  readonly id: string;
  readonly token: string;
  /** Smallest units that arrive at the node; at the start, the amount sold. */
  readonly amount: bigint;
};

/** The part of a leg between two nodes. */
export type Flow = {
  readonly from: string;
  readonly to: string;
  readonly leg: Leg;
  /** Share of the whole order, 0 … 1. At inner nodes, inflows and outflows have the same sum. */
  readonly share: number;
};

export type Flows = {
  readonly legs: readonly Leg[];
  readonly nodes: readonly TokenNode[];
  readonly flows: readonly Flow[];
};

type Register = { readonly id: string; readonly token: string; amount: bigint; left: bigint; share: number };

/** Registers by token, oldest first. */
type Registers = Map<string, Register[]>;

/**
 * Computes the flows of a route for a Sankey diagram, by executing its steps on one register per token.
 *
 * Amounts of different tokens have no common unit, so flows are measured as shares of the order: a step takes the same
 * fraction of a register's share as of its amount. A step that would close a cycle (A to B, later B to A) opens a
 * second register of the token, because a Sankey diagram must be acyclic.
 */
export function flowsOf(graph: RouteGraph, tokenIn: string): Flows {
  const sold = soldIn(graph, tokenIn);
  const start: Register = { id: `${tokenIn}#0`, token: tokenIn, amount: sold, left: sold, share: 1 };
  const registers: Registers = new Map([[tokenIn, [start]]]);
  const flows: Flow[] = [];

  const legs = graph.steps.map((step, index) => {
    const taken = take(registers.get(step.token_in) ?? [], BigInt(step.amount_in));
    const leg = { number: index + 1, step, share: taken.reduce((sum, part) => sum + part.share, 0) };
    if (taken.length === 0) return leg;
    const target = arrivalOf(
      registers,
      step.token_out,
      taken.map((part) => part.register.id),
      flows,
    );
    for (const { register, share } of taken) flows.push({ from: register.id, to: target.id, leg, share });
    target.amount += BigInt(step.amount_out);
    target.left += BigInt(step.amount_out);
    target.share += leg.share;
    return leg;
  });

  return { legs, nodes: [...registers.values()].flat(), flows };
}

/** The least amount of the token sold with which all steps can run: the maximum of its net outflow over the steps. */
function soldIn(graph: RouteGraph, tokenIn: string): bigint {
  let drawn = 0n;
  let deepest = 1n;
  for (const step of graph.steps) {
    if (step.token_in === tokenIn) drawn += BigInt(step.amount_in);
    if (drawn > deepest) deepest = drawn;
    if (step.token_out === tokenIn) drawn -= BigInt(step.amount_out);
  }
  return deepest;
}

function take(registers: readonly Register[], amount: bigint): { register: Register; share: number }[] {
  const parts: { register: Register; share: number }[] = [];
  let wanted = amount;
  for (const register of registers) {
    const part = wanted < register.left ? wanted : register.left;
    if (part === 0n) continue;
    const share = register.share * quotient(part, register.left);
    register.left -= part;
    register.share -= share;
    wanted -= part;
    parts.push({ register, share });
  }
  return parts;
}

/** part / whole for 0 < part ≤ whole, to about the precision of a double for integers of any size. */
function quotient(part: bigint, whole: bigint): number {
  if (part === whole) return 1;
  const shift = BigInt(Math.max(0, whole.toString(2).length - 60));
  return Number(part >> shift) / Number(whole >> shift);
}

function arrivalOf(
  registers: Registers,
  token: string,
  sources: readonly string[],
  flows: readonly Flow[],
): Register {
  const known = registers.get(token) ?? [];
  const latest = known.at(-1);
  if (latest !== undefined && !reachesAny(latest.id, sources, flows)) return latest;
  const fresh: Register = { id: `${token}#${known.length}`, token, amount: 0n, left: 0n, share: 0 };
  registers.set(token, [...known, fresh]);
  return fresh;
}

function reachesAny(from: string, targets: readonly string[], flows: readonly Flow[]): boolean {
  if (targets.includes(from)) return true;
  return flows.some((flow) => flow.from === from && reachesAny(flow.to, targets, flows));
}
