import type { Pool } from "../../core/types.ts";
import type { Market } from "../market/market.ts";
import { fillOf } from "../node/logs/bloom.ts";
import type { BlockRecord } from "./draft.ts";
import type { Suspects } from "./suspects.ts";

/** Largest share of set bits of a useful bloom: fuller ones match too many pools that the block does not touch. */
const MOST_FILL = 0.3;

type Seen = { readonly market: Pick<Market, "book">; readonly suspects: Suspects };

/** A random sample of the pools that a block with unproven logs may have changed, as `Indexer.unproven` says. */
export function unprovenOf(
  { market, suspects }: Seen,
  newest: BlockRecord | undefined,
  count: number,
): Pool[] {
  if (newest?.trust !== "told") return [];
  const { header, touched } = newest;
  const known = [...touched].map((id) => market.book.pools.get(id)).filter((pool) => pool !== undefined);
  const isTelling = header.isSealed && fillOf(header.logsBloom) < MOST_FILL;
  const silent = isTelling
    ? suspects(header, market.book.pools.values()).filter(({ id }) => !touched.has(id))
    : [];
  return [...sample(known, count), ...sample(silent, Math.ceil(count / 2))];
}

function sample<T>(list: readonly T[], count: number): T[] {
  const rest = [...list];
  const taken: T[] = [];
  while (taken.length < count && rest.length > 0)
    taken.push(...rest.splice(Math.floor(Math.random() * rest.length), 1));
  return taken;
}
