import type { CertifiedOrder } from "../certify.ts";
import { earningOf, SINGLE } from "../earning/earning.ts";
import type { Residual } from "../memory.ts";
import type { Earner } from "../selection.ts";
import { evaluate, type Found } from "./found.ts";
import { MOVED } from "./moves.ts";

/** Cap on the number of pools that are listed, although as many as are allowed legs gain more. */
const MOST_LISTED = 256;

/**
 * Adds the earnings of pools whose tokens have base prices: at least as many as are allowed legs, which gain most, and further ones
 * that may net something. For all that are left out stand as many as are allowed legs, each of which gains as much as the first of
 * them for the least gas.
 */
export function addResidual(found: Found, order: CertifiedOrder): void {
  addMultiple(found, order);
  const { earners, local, market } = found;
  const most = order.maxLegs > 0 ? order.maxLegs : Infinity;
  const cost = market.graph.leastGas * SINGLE;
  let count = 0;
  for (const one of local.residual) {
    const isLast = count >= MOST_LISTED || one.earned <= cost * market.perGas;
    if (count >= most && isLast) {
      for (let k = 0; k < most; k++) earners.push({ index: -1, earned: one.earned, cost });
      return;
    }
    if (!isLeft(found, one, order)) continue;
    count++;
    earners.push({ ...residualEarner(found, one), index: one.index });
  }
}

/** Whether the order may use a pool, and no token of it has moved: others were evaluated at the moved prices. */
function isLeft({ local, market }: Found, { index }: Residual, { to, allowed }: CertifiedOrder): boolean {
  const { near, tail, head, entries } = market.graph;
  const { firstEdge } = entries[index]!;
  const [one, other] = [tail[firstEdge]!, head[firstEdge]!];
  if (near.component[one] !== near.component[to] || !allowed(firstEdge)) return false;
  return local.isMoved[one] !== MOVED && local.isMoved[other] !== MOVED;
}

/** What a pool gains at base prices; computed again where that depends on the price of gas. */
function residualEarner({ market }: Found, known: Residual): Earner {
  const { boundaryGas, entries } = market.graph;
  if (market.perGas === 0 || boundaryGas[entries[known.index]!.firstEdge] === 0) return known;
  const earning = earningOf(market, known.index);
  return earning === undefined || "reason" in earning ? known : earning;
}

/**
 * Adds pools of three tokens or more and of shared state: their earnings at base prices if none of their tokens has moved. One that
 * earns nothing at base prices can earn only by a pair of a moved token, and those that may were evaluated above.
 */
function addMultiple(found: Found, { to, allowed }: Pick<CertifiedOrder, "to" | "allowed">): void {
  const { local, market } = found;
  const { near, tail, entries } = market.graph;
  for (const { index, earner } of local.multiple) {
    const { firstEdge } = entries[index]!;
    if (near.component[tail[firstEdge]!] !== near.component[to]) continue;
    if (earner === undefined || isTouched(found, index)) evaluate(found, index);
    else if (allowed(firstEdge)) found.earners.push({ ...earner, index });
  }
}

/** Whether a pool was evaluated already, or the price of one of its tokens has moved. */
function isTouched({ local, market: { graph } }: Found, index: number): boolean {
  const { tokens } = graph.entries[index]!.pool;
  return (
    local.evaluated[index] === local.round ||
    tokens.some((token) => local.isMoved[graph.nodeOf.get(token)!] === MOVED)
  );
}
