import type { Registry } from "../../core/protocol.ts";
import type { Address, At, Pool } from "../../core/types.ts";
import { type Book, stateOf } from "./book.ts";

/** Amounts that are quoted to see whether a pool pays anything, smallest units of tokens with 0 to 27 decimals. */
const SIZES = [1e3, 1e6, 1e12, 1e18, 1e24];

type Market = { readonly book: Book; readonly registry: Registry; readonly at: At };

/** Whether no pool of this token pays any amount of another token for it, at any of SIZES. */
export function isEmptyOf(token: Address, market: Market): boolean {
  for (const id of market.book.poolsOf(token)) {
    const pool = market.book.pools.get(id);
    if (pool !== undefined && pays(pool, token, market)) return false;
  }
  return true;
}

function pays(pool: Pool, token: Address, { book, registry, at }: Market): boolean {
  const protocol = registry.get(pool.protocol);
  const state = stateOf(book.slot(pool.stateIds[0]));
  if (protocol === undefined || state === undefined) return false;
  const own = pool.tokens.indexOf(token);
  try {
    const mirror = protocol.mirror(state, pool, at, { get: (id) => stateOf(book.slot(id)) });
    const others = [...pool.tokens.keys()].filter((k) => k !== own);
    return others.some((k) => SIZES.some((x) => protocol.quoteFloat(mirror, own, k, x) > 0));
  } catch {
    // The protocol threw, which is a bug. The engine meets it as well when it builds its mirror, and counts it there.
    return false;
  }
}
