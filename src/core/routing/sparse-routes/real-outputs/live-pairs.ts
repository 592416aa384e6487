import type { Rows } from "../../../math/rows.ts";
import type { Graph } from "../../market-graph/graph.ts";
import type { Prices } from "../../market-graph/pair-index.ts";

/** Pairs and the tokens that they lead to, by the token that they leave: a part of `pairs.onward` of a graph. */
export type LivePairs = Pick<Rows, "start" | "length" | "data"> & {
  /** Prices before any trade in the order of the rows, so that to read a row is to read on: for `data[k]` and `data[k + 1]` at `k / 2`. */
  readonly spot: Float64Array;
};

/** Shares of its price before any trade, and of the reference values, below which a small trade leaves the price of a pair that is dead. */
const KEPT = 0.1;
const FAIR = 0.3;

/**
 * The pairs that a small part of an order does not exhaust, or that pay well even then. Half of the pools of a real market hold next to
 * nothing, and searches by real outputs, some sixty an order, would read them each time.
 *
 * @param prices of all pairs after a trade that is small for the order
 */
export function livePairs({ pairs, tokens }: Graph, prices: Prices): LivePairs {
  const { onward } = pairs;
  const [start, length] = [new Int32Array(tokens.length), new Int32Array(tokens.length)];
  const data = new Int32Array(onward.data.length);
  const spot = new Float64Array((onward.data.length + 1) >> 1);
  let count = 0;
  for (let node = 0; node < tokens.length; node++) {
    start[node] = count;
    const last = onward.start[node]! + onward.length[node]!;
    for (let k = onward.start[node]!; k < last; k += 2) {
      const pair = onward.data[k]!;
      if (prices[pair]! < KEPT * pairs.spot[pair]! && prices[pair]! < FAIR) continue;
      spot[count / 2] = pairs.spot[pair]!;
      data[count++] = pair;
      data[count++] = onward.data[k + 1]!;
    }
    length[node] = count - start[node]!;
  }
  return { start, length, data, spot };
}
