import type { Engine } from "../../core/routing/types.ts";
import type { Address, Head, PoolId } from "../../core/types.ts";
import type { MarketPort, QuarantinedPool } from "../../service/ports.ts";
import type { Aside } from "./aside.ts";
import type { Book } from "./book.ts";

type Counted = ReturnType<MarketPort["counts"]>;
type Sources = { readonly book: Book; readonly aside: Aside; readonly engine: Engine };

/** Counts of the market, made once a block at most: health and metrics ask often, and walking every pool takes milliseconds. */
export function createCounts({ book, aside, engine }: Sources): (head: Head | undefined) => Counted {
  let counted: Omit<Counted, "quarantined"> & { readonly broken: number };
  let of: Head | undefined | "never" = "never";
  return (head) => {
    if (of !== head) counted = count(book);
    of = head;
    const { broken, ...rest } = counted;
    const inEngine = engine.quarantined();
    const elsewhere = [...inEngine.keys()].filter((id) => !aside.has(id)).length;
    return { ...rest, quarantined: broken + aside.size() + elsewhere };
  };
}

function count(book: Book): Omit<Counted, "quarantined"> & { readonly broken: number } {
  const refused: Record<string, number> = {};
  const tokens = new Set<Address>();
  let pools = 0;
  const byProtocol: Record<string, number> = {};
  let broken = 0;
  const slotsOf = (id: PoolId) => book.pools.get(id)?.stateIds.map((state) => book.slot(state)) ?? [];
  for (const [id, pool] of book.pools) {
    const slots = slotsOf(id);
    const refusal = slots.find((slot) => slot !== undefined && "refusal" in slot);
    if (refusal !== undefined && "refusal" in refusal) {
      refused[refusal.refusal] = (refused[refusal.refusal] ?? 0) + 1;
    } else if (slots.some((slot) => slot === undefined || "broken" in slot)) {
      broken++;
    } else {
      pools++;
      byProtocol[pool.protocol] = (byProtocol[pool.protocol] ?? 0) + 1;
      for (const token of pool.tokens) tokens.add(token);
    }
  }
  return { pools, byProtocol, tokens: tokens.size, refused, broken };
}

/** Every pool that counts as quarantined, each once. What its design threw stands in the log, not here. */
export function quarantinedPools({ book, aside, engine }: Sources): QuarantinedPool[] {
  const found = new Map<PoolId, Omit<QuarantinedPool, "id" | "protocol">>();
  for (const id of engine.quarantined().keys())
    found.set(id, { reason: "the engine threw on it", untilBlock: undefined });
  for (const [id, { reason, until }] of aside.entries()) found.set(id, { reason, untilBlock: until });
  for (const [id, pool] of book.pools) {
    const slots = pool.stateIds.map((state) => book.slot(state));
    const isRefused = slots.some((slot) => slot !== undefined && "refusal" in slot);
    const isBroken = slots.some((slot) => slot === undefined || "broken" in slot);
    if (isBroken && !isRefused)
      found.set(id, { reason: "its design threw on what the chain says of it", untilBlock: undefined });
  }
  return [...found].map(([id, facts]) => ({
    id,
    protocol: book.pools.get(id)?.protocol ?? "",
    ...facts,
  }));
}
