import type { Engine } from "../../core/routing/types.ts";
import type { Address, Head, PoolId } from "../../core/types.ts";
import type { MarketPort } from "../../service/ports.ts";
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
      for (const token of pool.tokens) tokens.add(token);
    }
  }
  return { pools, tokens: tokens.size, refused, broken };
}
