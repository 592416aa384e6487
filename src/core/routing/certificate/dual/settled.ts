import { type Graph, NATIVE_NODE } from "../../market-graph/graph.ts";
import type { CertifiedOrder } from "../certify.ts";
import type { CertificateMemory, Residual } from "../memory.ts";
import { minimiseBound } from "./minimise.ts";

/**
 * Base prices at the order's price of gas.
 *
 * Base prices are worked out with one price of gas for all. At another some pools still earn more there than a crossing costs,
 * although at other prices none would, and every order would inherit that. In: the price of gas. Out: prices in wei of the tokens
 * around such pools at which they earn as little above their cost as they can. They are worked out once a block and price of gas, in
 * `STEPS` steps a factor of two: what one order asks for changes no other's answer.
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
const STEPS = 16;
/** Pools that earn at base prices whose tokens are priced anew at most, and the share of its gas that one must earn. */
const MOST_RESIDUAL = 48;
const WORTH_SETTLING = 0.1;

/** Minimises what the market holds where nothing is sold: the native coin for itself. */
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
