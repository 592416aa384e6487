import type { Engine } from "../../core/routing/types.ts";
import type { Address, PoolId } from "../../core/types.ts";
import type { MarketPort, QuarantinedPool } from "../../service/ports/ports.ts";
import type { Aside } from "./aside.ts";
import type { Book } from "./book.ts";

type Counted = ReturnType<MarketPort["counts"]>;
type Sources = { readonly book: Book; readonly aside: Aside; readonly engine: Engine };

/** Counts of the market, updated incrementally: the cost of a commit is in proportion to the pools that it changes. */
export type Counts = {
  /** Counts these pools again, after the book has changed. */
  update(pools: Iterable<PoolId>): void;
  read(): Counted;
  /**
   * Every pool that counts as quarantined, once each. The text of an error that a protocol threw is only in the log.
   */
  quarantined(): QuarantinedPool[];
};

/** The category in which a pool is counted. */
type Standing =
  | { readonly kind: "priced"; readonly protocol: string; readonly tokens: readonly Address[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "broken" };

const BROKEN: Standing = { kind: "broken" };

export function createCounts({ book, aside, engine }: Sources): Counts {
  const standings = new Map<PoolId, Standing>();
  const priced = new Map<string, number>();
  const refused = new Map<string, number>();
  const tokens = new Map<Address, number>();
  const broken = new Set<PoolId>();
  let pricedPools = 0;
  const count = (id: PoolId, standing: Standing, change: 1 | -1) => {
    if (standing.kind === "refused") return add(refused, standing.reason, change);
    if (standing.kind === "broken") return void (change === 1 ? broken.add(id) : broken.delete(id));
    pricedPools += change;
    add(priced, standing.protocol, change);
    for (const token of standing.tokens) add(tokens, token, change);
  };
  return {
    update(pools) {
      for (const id of pools) {
        const [before, now] = [standings.get(id), standingOf(book, id)];
        if (isSame(before, now)) continue;
        if (before !== undefined) count(id, before, -1);
        if (now === undefined) standings.delete(id);
        else {
          standings.set(id, now);
          count(id, now, 1);
        }
      }
    },
    read() {
      const elsewhere = [...engine.quarantined().keys()].filter((id) => !aside.has(id)).length;
      return {
        pools: pricedPools,
        byProtocol: Object.fromEntries(priced),
        tokens: tokens.size,
        refused: Object.fromEntries(refused),
        quarantined: broken.size + aside.size() + elsewhere,
      };
    },
    quarantined: () => quarantinedPools({ book, aside, engine }, broken),
  };
}

function add<K>(counts: Map<K, number>, key: K, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** @returns undefined where the pool is not in the book */
function standingOf(book: Book, id: PoolId): Standing | undefined {
  const pool = book.pools.get(id);
  if (pool === undefined) return undefined;
  const slots = pool.stateIds.map((state) => book.slot(state));
  const refusal = slots.find((slot) => slot !== undefined && "refusal" in slot);
  if (refusal !== undefined && "refusal" in refusal) return { kind: "refused", reason: refusal.refusal };
  if (slots.some((slot) => slot === undefined || "broken" in slot)) return BROKEN;
  return { kind: "priced", protocol: pool.protocol, tokens: pool.tokens };
}

/** Whether two standings count alike. A pool with the same id may have been replaced by one with other tokens. */
function isSame(a: Standing | undefined, b: Standing | undefined): boolean {
  if (a?.kind === "priced" && b?.kind === "priced") return a.tokens === b.tokens && a.protocol === b.protocol;
  if (a?.kind === "refused" && b?.kind === "refused") return a.reason === b.reason;
  return a?.kind === b?.kind;
}

function quarantinedPools({ book, aside, engine }: Sources, broken: ReadonlySet<PoolId>): QuarantinedPool[] {
  const found = new Map<PoolId, Omit<QuarantinedPool, "id" | "protocol">>();
  for (const id of engine.quarantined().keys())
    found.set(id, { reason: "the engine threw on it", untilBlock: undefined });
  for (const [id, { reason, until }] of aside.entries()) found.set(id, { reason, untilBlock: until });
  for (const id of broken)
    found.set(id, { reason: "its design threw on what the chain says of it", untilBlock: undefined });
  return [...found].map(([id, facts]) => ({
    id,
    protocol: book.pools.get(id)?.protocol ?? "",
    ...facts,
  }));
}
