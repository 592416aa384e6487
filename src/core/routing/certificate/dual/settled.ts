import { type Graph, NATIVE_NODE } from "../../market-graph/graph.ts";
import type { CertifiedOrder } from "../certify.ts";
import type { CertificateMemory, Residual } from "../memory.ts";
import { minimiseBound } from "./minimise.ts";

/**
 * Base prices optimised for the order's price of gas ("settled" prices).
 *
 * Base prices are computed with one reference price of gas. At another price of gas some pools may earn more at them
 * than a crossing costs, although at other token prices none would, and this excess would enter the bound of every
 * order. In: the price of gas. Out: by node, prices in wei of the tokens of such pools that minimise what these earn
 * above their cost. They are computed once per block and price of gas. The price of gas is rounded down to a grid of
 * `STEPS` steps per factor of two, so that the result depends on the grid step alone and not on the orders before.
 */
export function settledPrices(
  graph: Graph,
  memory: CertificateMemory,
  order: CertifiedOrder,
): ReadonlyMap<number, number> {
  const { settled, local } = memory;
  if (settled.version !== local.version) {
    settled.byGasPrice.clear();
    settled.arbitrage.clear();
    settled.version = local.version;
  }
  const step = Math.floor(STEPS * Math.log2(order.outPerGas * graph.base.price[order.to]!));
  if (!(step > -Infinity && step < Infinity)) return NONE;
  const known = settled.byGasPrice.get(step);
  if (known !== undefined) return known;
  const prices = settle(graph, local.residual, { ...order, outPerGas: 2 ** (step / STEPS) });
  settled.byGasPrice.set(step, prices);
  return prices;
}

const NONE: ReadonlyMap<number, number> = new Map();
/** Steps of the grid of gas prices per factor of two. */
const STEPS = 16;
/**
 * Cap on the number of pools that earn at base prices whose tokens are priced again, by descending earning, and the
 * share of its gas that such a pool must earn. Both trade tighter bounds for time once per block and grid step.
 */
const MOST_RESIDUAL = 48;
const WORTH_SETTLING = 0.1;

/**
 * Minimises the bound of an order that sells nothing, the native coin for itself: that bound is the market's arbitrage
 * after gas. Considers the pools that are connected with the native coin.
 *
 * @returns empty where no pool earns more than its gas at base prices, or where a price is missing
 */
function settle(
  graph: Graph,
  residual: readonly Residual[],
  order: CertifiedOrder,
): ReadonlyMap<number, number> {
  const { near, base, tail, head, entries } = graph;
  const earns = (share: number) => (one: Residual) => one.earned > share * one.cost * order.outPerGas;
  const isAtHome = ({ index }: Residual) =>
    near.component[tail[entries[index]!.firstEdge]!] === near.component[NATIVE_NODE];
  const pools = residual.filter(isAtHome).filter(earns(WORTH_SETTLING)).slice(0, MOST_RESIDUAL);
  if (!pools.some(earns(1))) return NONE;
  const nodes = pools.flatMap(({ index: pool }) => {
    const { firstEdge } = entries[pool]!;
    return [tail[firstEdge]!, head[firstEdge]!];
  });
  const prices = new Map(nodes.map((node) => [node, base.price[node]!]));
  const market = { from: NATIVE_NODE, to: NATIVE_NODE, amount: 0, maxLegs: 0, allowed: () => true };
  return (
    minimiseBound(
      graph,
      { ...order, ...market },
      { prices, variables: prices.keys(), settled: NONE, shadow: 0 },
    ) ?? NONE
  );
}
