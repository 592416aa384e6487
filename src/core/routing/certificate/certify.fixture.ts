import type { Graph } from "../market-graph/graph.ts";
import { type Bounds, boundsOf, type CertifiedOrder, type Unproved } from "./certify.ts";
import { earningOf, sharedState } from "./earning/earning.ts";
import { type Gaining, gainsOf } from "./gains.ts";
import type { CertificateMemory } from "./memory.ts";

/** The bounds that prices prove, from all pools of the market. @param prices by node, in units of the token bought */
export function certify(
  graph: Graph,
  memory: CertificateMemory,
  prices: ArrayLike<number>,
  order: CertifiedOrder,
): Bounds | Unproved {
  const { at, allowed, from, to } = order;
  const price = (node: number) => prices[node]!;
  const perGas = order.outPerGas;
  const market = { graph, memory, at, allowed, price, perGas, enough: 0, ends: [from, to] };
  const earners: Gaining[] = [];
  memory.drift = 0;
  for (let index = 0; index < graph.entries.length; index++) {
    const earning = earningOf(market, index);
    if (earning === undefined) continue;
    if ("reason" in earning) return earning;
    earners.push({ ...earning, index });
  }
  const gains = gainsOf(earners, sharedState(memory, graph));
  return boundsOf(graph, { ...order, drift: memory.drift }, prices[order.from]!, gains);
}
