import { type Allowance, createRateLimit } from "../../core/callers/rate-limit.ts";
import type { AccessKey, KeyPort } from "../../service/ports/ports-access.ts";

/**
 * The limit that decided: that of an IP address, of a key, of an IP address with a key, or the daily quota of a key.
 */
export type Scope = "address" | "key" | "key_address" | "quota";

export type Verdict = Allowance & { readonly scope: Scope };

type Limit = ReturnType<typeof createRateLimit>;

/** One charge against the limits. */
export type Charged = {
  readonly key: AccessKey | undefined;
  readonly caller: string;
  readonly weight: number;
  /**
   * Weight that the same request was charged before. A request heavier than a whole limit is charged the whole limit.
   */
  readonly counted: number;
};

type Terms = {
  /** Requests a minute of an IP address without a key; 0 = no limit. */
  readonly perMinute: number;
  readonly keys: KeyPort;
  readonly monotonicMs: () => number;
  readonly unixSeconds: () => number;
};

/** Most IP addresses whose usage is stored for one key; beyond it the oldest is forgotten. */
const MOST_CALLERS_OF_KEY = 10_000;
const DAY_SECONDS = 86_400;

/**
 * Rate limits of all callers. A request without a key is charged to its IP address, and one with a key to the limits of
 * that key, so that no caller can use up the limit of another.
 *
 * @returns a function that charges a request and returns the verdict of the tightest limit; undefined where none
 * applies
 */
export function createAllowances({ perMinute, keys, monotonicMs, unixSeconds }: Terms) {
  const anonymous = perMinute === 0 ? undefined : createRateLimit(perMinute, monotonicMs);
  const limits = new Map<string, Limit>();
  /** The limit's value is part of the name, so that a limit that an operator changed starts unused. */
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
  /** The limit per address comes first, so that a request that it refuses is not charged to the key. */
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

/** The first refusal, else the verdict with the least remaining. Limits after a refusal are not charged. */
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
