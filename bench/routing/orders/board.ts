import { emptyHeap, popHeap, pushHeap } from "../../../src/core/math/heap.ts";
import type { Address, Pool } from "../../../src/core/types.ts";
import { TICK_GAS, typicalGas } from "../market/gas.ts";
import type { Market } from "../market/market.ts";
import { type Direction, directionOf } from "./directions.ts";

/** A pool from one token to another on the board. */
export type Edge = {
  readonly id: number;
  readonly tail: number;
  readonly head: number;
  readonly pool: Pool;
  readonly i: number;
  readonly j: number;
  readonly direction: Direction;
  /** Gas units of a crossing at its usual. */
  readonly gas: number;
};

/** The market as the bench's own strategies and its checker read it: tokens by number, an edge for each direction. */
export type Board = {
  readonly market: Market;
  readonly nodeOf: ReadonlyMap<Address, number>;
  readonly tokens: readonly Address[];
  readonly edges: readonly Edge[];
  readonly outgoing: readonly (readonly Edge[])[];
  readonly incoming: readonly (readonly Edge[])[];
};

export function makeBoard(market: Market): Board {
  const nodeOf = new Map<Address, number>();
  const outgoing: Edge[][] = [];
  const incoming: Edge[][] = [];
  const edges: Edge[] = [];
  const nodeFor = (token: Address) => {
    const known = nodeOf.get(token);
    if (known !== undefined) return known;
    nodeOf.set(token, outgoing.length);
    outgoing.push([]);
    incoming.push([]);
    return outgoing.length - 1;
  };
  for (const pool of market.pools) {
    const state = market.states.get(pool.id);
    const nodes = pool.tokens.map(nodeFor);
    const gas = typicalGas(market, pool);
    for (const [i, tail] of nodes.entries()) {
      for (const [j, head] of nodes.entries()) {
        if (i === j) continue;
        const direction = directionOf(pool, state, i, j);
        if (direction.spot === 0) continue;
        const edge: Edge = { id: edges.length, tail, head, pool, i, j, direction, gas };
        edges.push(edge);
        outgoing[tail]!.push(edge);
        incoming[head]!.push(edge);
      }
    }
  }
  return { market, nodeOf, tokens: [...nodeOf.keys()], edges, outgoing, incoming };
}

/** A leg's gas in units once `x` went through it. */
export function gasAt({ gas, direction, pool }: Edge, { market }: Board, x: number): number {
  return market.gas.has(pool.id) ? gas : gas + TICK_GAS * direction.crossed(x);
}

/**
 * Value of a small amount of every token in units of token `to`: the best product of marginal prices into it; 0 where
 * nothing leads there. Dijkstra, so that cycles which pay do no harm.
 */
export function spotValues({ outgoing, incoming }: Board, to: number): Float64Array {
  const value = new Float64Array(outgoing.length);
  const done = new Uint8Array(outgoing.length);
  const heap = emptyHeap();
  value[to] = 1;
  pushHeap(heap, 1, to);
  for (let top = popHeap(heap); top >= 0; top = popHeap(heap)) {
    if (done[top] === 1) continue;
    done[top] = 1;
    for (const { tail, direction } of incoming[top]!) {
      const through = direction.spot * value[top]!;
      if (done[tail] === 1 || !(through > value[tail]!)) continue;
      value[tail] = through;
      pushHeap(heap, through, tail);
    }
  }
  return value;
}
