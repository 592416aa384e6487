import { forgetOldest } from "../forget-oldest.ts";

/** What a caller may still do. Seconds are whole, rounded up. */
export type Allowance = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Until the whole limit is there again. */
  readonly resetSeconds: number;
  /** Until the next request is allowed; 0 where one is. */
  readonly retrySeconds: number;
};

const WINDOW_MS = 60_000;
/** A sum of parts of a minute may end a hair above the minute. */
const ROUNDING_MS = 1e-3;
/** Callers remembered at one time: more only from an attacker, who gets the oldest forgotten. */
const MOST_CALLERS = 100_000;

/**
 * A limit per caller that refills evenly: the whole limit at once, then one request each time a part of the minute has
 * passed. A request may weigh as many, `weight`. Remembers one number a caller: when all of its requests so far will have been paid for.
 *
 * @param perMinute 1 or more
 * @param nowMs a monotonic clock
 */
export function createRateLimit(
  perMinute: number,
  nowMs: () => number,
  mostCallers = MOST_CALLERS,
): (caller: string, weight?: number) => Allowance {
  const unitMs = WINDOW_MS / perMinute;
  const paidAt = new Map<string, number>();
  return (caller, weight = 1) => {
    const costMs = unitMs * weight;
    const now = nowMs();
    const before = Math.max(paidAt.get(caller) ?? now, now);
    const after = before + costMs;
    const allowed = after - now <= WINDOW_MS + ROUNDING_MS;
    const debt = allowed ? after : before;
    paidAt.delete(caller);
    paidAt.set(caller, debt);
    forgetOldest(paidAt, mostCallers);
    return {
      allowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor((WINDOW_MS - (debt - now) + ROUNDING_MS) / unitMs)),
      resetSeconds: Math.ceil((debt - now) / 1000),
      retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((after - now - WINDOW_MS) / 1000)),
    };
  };
}
