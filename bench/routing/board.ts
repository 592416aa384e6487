import type { Address, Pool } from "../../src/core/types.ts";
import { type Direction, directionOf } from "./directions.ts";
import { TICK_GAS, typicalGas } from "./gas.ts";
import type { Market } from "./market.ts";

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
  const heap = new MaxHeap();
  value[to] = 1;
  heap.push(1, to);
  for (let top = heap.pop(); top >= 0; top = heap.pop()) {
    if (done[top] === 1) continue;
    done[top] = 1;
    for (const { tail, direction } of incoming[top]!) {
      const through = direction.spot * value[top]!;
      if (done[tail] === 1 || !(through > value[tail]!)) continue;
      value[tail] = through;
      heap.push(through, tail);
    }
  }
  return value;
}

/** Numbers by falling key. */
export class MaxHeap {
  readonly #keys: number[] = [];
  readonly #items: number[] = [];

  push(key: number, item: number): void {
    const [keys, items] = [this.#keys, this.#items];
    let k = keys.length;
    keys.push(key);
    items.push(item);
    while (k > 0) {
      const parent = (k - 1) >> 1;
      if (keys[parent]! >= key) break;
      keys[k] = keys[parent]!;
      items[k] = items[parent]!;
      k = parent;
    }
    keys[k] = key;
    items[k] = item;
  }

  /** The item of the largest key; -1 where nothing is left. */
  pop(): number {
    const [keys, items] = [this.#keys, this.#items];
    if (keys.length === 0) return -1;
    const top = items[0]!;
    const key = keys.pop()!;
    const item = items.pop()!;
    const size = keys.length;
    let k = 0;
    for (let child = 1; child < size; child = 2 * k + 1) {
      if (child + 1 < size && keys[child + 1]! > keys[child]!) child++;
      if (keys[child]! <= key) break;
      keys[k] = keys[child]!;
      items[k] = items[child]!;
      k = child;
    }
    if (size > 0) {
      keys[k] = key;
      items[k] = item;
    }
    return top;
  }
}
