import { type Allowance, createRateLimit } from "../../core/callers/rate-limit.ts";
import type { AccessKey, KeyPort } from "../../service/ports/ports-access.ts";

/** What ran out: the limit of an address, of a key, of an address with a key, or the day's quota of a key. */
export type Scope = "address" | "key" | "key_address" | "quota";

export type Verdict = Allowance & { readonly scope: Scope };

type Limit = ReturnType<typeof createRateLimit>;

/** What one charge is for. */
export type Charged = {
  readonly key: AccessKey | undefined;
  readonly caller: string;
  readonly weight: number;
  /** What the same request was charged before. A request that weighs more than a limit allows costs all of it. */
  readonly counted: number;
};

type Terms = {
  /** Requests a minute of an address without a key; 0 = no limit. */
  readonly perMinute: number;
  readonly keys: KeyPort;
  readonly monotonicMs: () => number;
  readonly unixSeconds: () => number;
};

/** Addresses remembered for one key. */
const MOST_CALLERS_OF_KEY = 10_000;
const DAY_SECONDS = 86_400;

/**
 * The limits of every caller. Each key has its own, apart from those of addresses, so that nobody uses up what is another's:
 * a request without a key costs its address, one with a key that key.
 *
 * @returns a charge: what the tightest limit says, or undefined where there is none
 */
export function createAllowances({ perMinute, keys, monotonicMs, unixSeconds }: Terms) {
  const anonymous = perMinute === 0 ? undefined : createRateLimit(perMinute, monotonicMs);
  const limits = new Map<string, Limit>();
  /** The limit is part of the name: one that an operator changed begins anew. */
  const limitOf = (key: AccessKey, scope: Scope, most: number): Limit => {
    const name = `${key.id} ${scope} ${most}`;
    const known = limits.get(name);
    if (known !== undefined) return known;
    const made = createRateLimit(most, monotonicMs, scope === "key" ? 1 : MOST_CALLERS_OF_KEY);
    limits.set(name, made);
    return made;
  };
  const ask = (limit: Limit, most: number, scope: Scope, charged: Charged): Verdict => ({
    ...limit(charged.caller, clamped(charged, most)),
    scope,
  });
  /** The address first: what one visitor of a public page is refused costs the key nothing. */
  function* checks(key: AccessKey, charged: Charged): Generator<Verdict> {
    const { perAddressPerMinute: perAddress } = key;
    if (perAddress > 0)
      yield ask(limitOf(key, "key_address", perAddress), perAddress, "key_address", charged);
    if (key.perDay > 0) yield quota(key.perDay, keys.usedToday(key.id), charged, unixSeconds());
    if (key.perMinute > 0)
      yield ask(limitOf(key, "key", key.perMinute), key.perMinute, "key", { ...charged, caller: key.id });
  }
  return (charged: Charged): Verdict | undefined => {
    const { key, weight } = charged;
    if (key === undefined)
      return anonymous === undefined ? undefined : ask(anonymous, perMinute, "address", charged);
    const verdict = tightestOf(checks(key, charged));
    if (verdict?.allowed === false) return verdict;
    keys.count(key.id, weight);
    return verdict;
  };
}

/** The first that refuses, else the one that leaves the least. What follows a refusal is not asked, and costs nothing. */
function tightestOf(verdicts: Iterable<Verdict>): Verdict | undefined {
  let tightest: Verdict | undefined;
  for (const verdict of verdicts) {
    if (!verdict.allowed) return verdict;
    if (tightest === undefined || verdict.remaining < tightest.remaining) tightest = verdict;
  }
  return tightest;
}

const clamped = ({ weight, counted }: Charged, most: number): number =>
  Math.max(0, Math.min(weight, most - counted));

function quota(perDay: number, used: number, charged: Charged, unixSeconds: number): Verdict {
  const resetSeconds = DAY_SECONDS - (Math.floor(unixSeconds) % DAY_SECONDS);
  const weight = clamped(charged, perDay);
  const allowed = used + weight <= perDay;
  return {
    scope: "quota",
    allowed,
    limit: perDay,
    remaining: Math.max(0, perDay - used - (allowed ? weight : 0)),
    resetSeconds,
    retrySeconds: allowed ? 0 : resetSeconds,
  };
}
