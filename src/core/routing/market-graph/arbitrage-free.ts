import { copied, grown } from "../../math/rows.ts";
import { emptyResponse, respondAt } from "../curves/response.ts";
import { type Curves, LANES, spotSlope } from "../curves/segments.ts";
import type { Graph } from "./graph.ts";
import { weigh } from "./prices/pair-prices.ts";

/**
 * The market without its arbitrage, in which the convex search runs if some cycle of pools is profitable.
 *
 * In: base prices ν⁰. An edge e from u to v gains E_e = max_x ν⁰_v·f_e(x) - ν⁰_u·x there, by the trade x*. Out: the same market with
 *
 *   f̂_e(x) = f_e(x* + x) - f_e(x*)
 *
 * in place of every f_e that gains: the pool after somebody has taken that gain. No f̂_e pays more than ν⁰_u / ν⁰_v for its first
 * unit, so the product of prices around any cycle is at most 1, every token has a best price, and labels settle.
 * f̂_e(x) ≤ f_e(x) ≤ f̂_e(x) + f_e(x*), so the optima of this market and of the real one differ by no more than such trades pay.
 * A pool that exchanges two tokens both ways without a fee, as a wrapper or a peg stability module does, sets their base prices, and
 * gains by rounding alone. Its f_e is a straight line, so x* would be all that it holds: f̂_e(x) = (1 - ε)·f_e(x) there,
 * and it is not among the edges that gain: at prices that differ by ε it would seem to gain ε times all that it holds, which may be more
 * than there is.
 *
 * It shares all arrays with the market except those that differ, which are the ones of the block before, written anew: O(pairs) to copy,
 * O(pools that gain) to compute, once a block.
 */

/** Share by which a shifted edge pays less than base prices, so that rounding a product of prices never makes a cycle profitable. */
const BELOW = 1e-9;

/** Computes the market without arbitrage from scratch. */
export function removeArbitrage(graph: Graph): Graph {
  const { arbitrageFree, near, values, pairs, curves } = graph;
  const gainers = gainersOf(graph);
  const isRounding = ({ edge, least }: Gainer) => spotSlope(curves, edge) < least * (1 + ROUNDING);
  arbitrageFree.gainers = gainers.filter((one) => !isRounding(one)).map(({ edge }) => edge);
  const { before } = arbitrageFree;
  const own: Curves = {
    ...curves,
    at: copied(curves.at, before?.curves.at),
    count: copied(curves.count, before?.curves.count),
    end: copied(curves.end, before?.curves.end),
  };
  const shifted = gainers.map((one) =>
    isRounding(one) ? lowered(curves, one.edge, one.least) : shift(curves, one.edge, one.least),
  );
  place(graph, own, shifted);
  const market: Graph = {
    ...graph,
    curves: own,
    pairs: {
      ...pairs,
      edges: { ...pairs.edges, data: copied(pairs.edges.data, before?.pairs.edges.data) },
      spot: copied(pairs.spot, before?.pairs.spot),
      depth: copied(pairs.depth, before?.pairs.depth),
      levels: pairs.levels.map((level, l) => copied(level, before?.pairs.levels[l])),
    },
    arbitrageFree: { ...arbitrageFree, market: undefined, before: undefined },
  };
  for (const pair of near.leaning)
    for (const one of [pair, pair ^ 1]) weigh(market.pairs, one, own, values.ref);
  arbitrageFree.market = market;
  arbitrageFree.before = market;
  return market;
}

/** An edge that gains at base prices, and the marginal price at which it stops gaining, in units bought per unit sold. */
type Gainer = { readonly edge: number; readonly least: number };

function gainersOf({ near, pairs, base, curves }: Graph): Gainer[] {
  const { start, length, data } = pairs.edges;
  const gainers: Gainer[] = [];
  for (const pair of near.leaning.flatMap((one) => [one, one ^ 1])) {
    const sold = base.price[pairs.tail[pair]!]!;
    const bought = base.price[pairs.tail[pair ^ 1]!]!;
    const least = (sold / bought) * (1 - BELOW);
    if (!(least > 0 && least < Infinity)) continue;
    const last = start[pair]! + length[pair]!;
    for (let k = start[pair]!; k < last && spotSlope(curves, data[k]!) > least; k++)
      gainers.push({ edge: data[k]!, least });
  }
  return gainers;
}

/** The shifted curve of an edge, as rows of `LANES` numbers, and its end. */
type Shifted = { readonly edge: number; readonly rows: readonly number[]; readonly end: number };

const response = emptyResponse();

/** An edge whose first unit gains less than this share gains by rounding alone. */
const ROUNDING = 1e-6;

/** A curve of which every amount bought is lowered by the same share, so that its first marginal price is `least`. */
function lowered({ lanes, at, count, end }: Curves, edge: number, least: number): Shifted {
  const first = at[edge]!;
  const share = least / lanes[first + 2]!;
  const rows: number[] = [];
  for (let lane = first; lane < first + count[edge]! * LANES; lane += LANES)
    rows.push(lanes[lane]!, lanes[lane + 1]! * share, lanes[lane + 2]! * share, lanes[lane + 3]!);
  return { edge, rows, end: end[edge]! };
}

/** The rest of an edge's curve from the amount at which its marginal price is `least`. */
function shift(curves: Curves, edge: number, least: number): Shifted {
  respondAt(curves, edge, least, response);
  const { sold, bought } = response;
  const { lanes, at, count } = curves;
  const first = at[edge]!;
  const last = first + (count[edge]! - 1) * LANES;
  const end = curves.end[edge]! - sold;
  const rows: number[] = [];
  let lane = first;
  while (lane < last && lanes[lane + LANES]! <= sold) lane += LANES;
  for (; lane <= last && end > 0; lane += LANES) {
    const passed = Math.max(0, sold - lanes[lane]!);
    const bend = 1 + lanes[lane + 3]! * passed;
    const gone = lanes[lane + 1]! + (lanes[lane + 2]! * passed) / bend;
    rows.push(Math.max(0, lanes[lane]! - sold), Math.max(0, gone - bought));
    rows.push(Math.min(lanes[lane + 2]! / (bend * bend), least), lanes[lane + 3]! / bend);
  }
  return { edge, rows, end };
}

/** Stores curves in lanes of the market that no edge of it uses. The next block's shifted curves reuse them. */
function place({ arbitrageFree, curves }: Graph, own: Curves, all: readonly Shifted[]): void {
  const wanted = all.reduce((sum, { rows }) => sum + rows.length / LANES, 0);
  if (wanted > arbitrageFree.room) {
    arbitrageFree.first = curves.used;
    arbitrageFree.room = Math.ceil(wanted * SPARE);
    curves.used += arbitrageFree.room;
    curves.lanes = grown(curves.lanes, curves.used * LANES);
  }
  own.lanes = curves.lanes;
  let lane = arbitrageFree.first * LANES;
  for (const { edge, rows, end } of all) {
    own.at[edge] = lane;
    own.count[edge] = rows.length / LANES;
    own.end[edge] = rows.length > 0 ? end : 0;
    for (const number of rows) own.lanes[lane++] = number;
  }
}

/** Factor of spare room, so that a block that adds some segments needs no new place. */
const SPARE = 1.5;
