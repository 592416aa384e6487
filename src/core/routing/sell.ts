import { searchedSale } from "./exact-in.ts";
import { provedSale } from "./proved-path.ts";
import type { Query } from "./request.ts";
import type { Sale } from "./sale.ts";

/** Searches of one sale, at most, where none before found a route: each leaves out the edges that could not be filled in those. */
const MOST_SEARCHES = 4;

/**
 * The best route that sells `amount`. Where every route that was settled needs an edge that cannot be filled, such as a pool of the best
 * price that takes no small amounts, it is searched for without these edges. Bounds still count them, as another amount may fill them.
 */
export function sell(query: Query, amount: bigint): Sale | undefined {
  const { refused } = query;
  refused.clear();
  const sale = sellOver(query, amount);
  if (sale !== undefined) return sale;
  for (
    let search = 2, known = 0;
    search <= MOST_SEARCHES && refused.size > known && !query.late();
    search++
  ) {
    known = refused.size;
    const avoided = new Set(refused);
    const allowed = (edge: number) => !avoided.has(edge) && query.allowed(edge);
    const other = sellOver({ ...query, allowed }, amount);
    if (other !== undefined) return unproved(other);
  }
  return undefined;
}

function sellOver(query: Query, amount: bigint): Sale | undefined {
  return provedSale(query, amount) ?? searchedSale(query, amount);
}

/** A sale without bounds that were computed over a part of the allowed edges. */
function unproved({ proved: _, ...sale }: Sale): Sale {
  return sale;
}
