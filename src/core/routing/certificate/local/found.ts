import { spotSlope } from "../../curves/segments.ts";
import type { Graph } from "../../market-graph/graph.ts";
import { MARGIN } from "../../market-graph/near-pairs.ts";
import type { CertifiedOrder } from "../certify.ts";
import { earningOf, type PricedMarket, sharedState } from "../earning/earning.ts";
import type { Gaining } from "../gains.ts";
import type { LocalPrices } from "../memory.ts";
import { type Earner, gainBeforeCrossing } from "../selection.ts";

/** The earners found so far, in wei, and the reason why they prove nothing if there is one. */
export type Found = {
  readonly market: PricedMarket;
  readonly local: LocalPrices;
  readonly earners: Gaining[];
  reason: string | undefined;
  /** Whether an earner makes the bound useless to the order. */
  readonly isLoose: (index: number, earner: Earner) => boolean;
};

const LOOSE = "a pool beside the route gains more than its gas";

/** @param scale units of the token bought per wei */
export function looseness({ giveUp, outPerGas }: CertifiedOrder, scale: number): Found["isLoose"] {
  if (giveUp === undefined) return () => false;
  const { above, passed } = giveUp;
  return (index, earner) =>
    gainBeforeCrossing(earner) * scale - earner.cost * outPerGas > above && !passed.has(index);
}

/** Evaluates a pool, with all that share its state, unless that is done. */
export function evaluate(found: Found, index: number): void {
  const { memory, graph } = found.market;
  const members = sharedState(memory, graph).get(index);
  if (members === undefined) evaluateOne(found, index);
  else for (const member of members) evaluateOne(found, member);
}

function evaluateOne(found: Found, index: number): void {
  const { market, local, earners } = found;
  if (local.evaluated[index] === local.round) return;
  local.evaluated[index] = local.round;
  const earning = earningOf(market, index);
  if (earning === undefined) return;
  if ("reason" in earning) {
    found.reason ??= earning.reason;
    return;
  }
  earners.push({ index, ...earning });
  if (found.isLoose(index, earning)) found.reason ??= LOOSE;
}

/** What a pool gains that is not among the earners: nothing, unless it was skipped. */
export function unlistedGain({ market, local }: Found, index: number): number {
  const { graph } = market;
  if (local.evaluated[index] === local.round || graph.near.isMultiple[index] === 1) return 0;
  const { firstEdge } = graph.entries[index]!;
  if (isFair(graph, local, firstEdge) && isFair(graph, local, firstEdge + 1)) return 0;
  const earning = earningOf(market, index);
  if (earning === undefined) return 0;
  return "reason" in earning ? Infinity : gainBeforeCrossing(earning);
}

/** Whether an edge pays no more than the prices imply. */
function isFair({ curves, tail, head }: Graph, { price }: LocalPrices, edge: number): boolean {
  return !(spotSlope(curves, edge) * price[head[edge]!]! * (1 + MARGIN) > price[tail[edge]!]!);
}
