import { findPair, type Pairs } from "./pair-index.ts";

/** Neighbours from which on a token's row is longer than what a look at the market asks for. */
const MANY = 64;

/** Tokens of many neighbours, whose rows are not gone through where it can be helped: others ask them. */
export type Hubs = {
  /** Number of pairs that the market had when this was worked out. */
  of: number;
  nodes: readonly number[];
  isHub: Uint8Array;
  /** One direction of each pair of two of them. */
  pairs: Int32Array;
  /** One direction of each pair of two tokens of several neighbours that are none. */
  bridges: Int32Array;
  /** By node, how many of its neighbours are hubs: they stand first in its row of `onward`. */
  around: Uint16Array;
};

export function emptyHubs(): Hubs {
  return {
    of: -1,
    nodes: [],
    isHub: new Uint8Array(0),
    pairs: new Int32Array(0),
    bridges: new Int32Array(0),
    around: new Uint16Array(0),
  };
}

/** Finds the hubs of `count` tokens, where pairs have come since, and puts them first in the rows of their neighbours. */
export function listHubs(hubs: Hubs, pairs: Pairs, count: number): void {
  if (hubs.of === pairs.count && hubs.isHub.length === count) return;
  hubs.of = pairs.count;
  hubs.isHub = new Uint8Array(count);
  hubs.around = new Uint16Array(count);
  const nodes: number[] = [];
  for (let node = 0; node < count; node++) if (pairs.degree[node]! > MANY) nodes.push(node);
  for (const node of nodes) hubs.isHub[node] = 1;
  const joining = nodes.flatMap((u, k) => nodes.slice(0, k).map((v) => findPair(pairs, u, v)));
  hubs.nodes = nodes;
  hubs.pairs = Int32Array.from(joining.filter((pair) => pair >= 0));
  hubs.bridges = bridgesOf(hubs, pairs);
  for (let node = 0; node < count; node++) if (hubs.isHub[node] === 0) putFirst(hubs, pairs, node);
}

function putFirst({ isHub, around }: Hubs, { onward: { start, length, data } }: Pairs, node: number): void {
  const row = data.subarray(start[node]!, start[node]! + length[node]!);
  const others: number[] = [];
  let at = 0;
  for (let k = 0; k < row.length; k += 2) {
    const [pair, far] = [row[k]!, row[k + 1]!];
    if (isHub[far] === 1) {
      row[at++] = pair;
      row[at++] = far;
    } else others.push(pair, far);
  }
  around[node] = at >> 1;
  row.set(others, at);
}

function bridgesOf({ isHub }: Hubs, { count, tail, degree }: Pairs): Int32Array {
  const isBank = (node: number) => isHub[node] === 0 && degree[node]! > 1;
  const bridges: number[] = [];
  for (let pair = 0; pair < count; pair += 2)
    if (isBank(tail[pair]!) && isBank(tail[pair + 1]!)) bridges.push(pair);
  return Int32Array.from(bridges);
}
