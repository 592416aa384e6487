import { forgetOldest } from "../forget-oldest.ts";

/** The state of a caller's limit after a request. Seconds are whole, rounded up. */
export type Allowance = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the full limit is available again. */
  readonly resetSeconds: number;
  /** Seconds until the request would be allowed; 0 if it was allowed. */
  readonly retrySeconds: number;
};

const WINDOW_MS = 60_000;
/** Tolerance for rounding: a sum of fractions of a minute may slightly exceed the minute. */
const ROUNDING_MS = 1e-3;
/** Cap on callers remembered. Only an attack exceeds it; the oldest callers are then forgotten. */
const MOST_CALLERS = 100_000;

/**
 * A token bucket per caller: it holds `perMinute` requests and refills evenly. A request may count as several
 * (`weight`). It stores one number per caller, the time at which all of its requests so far are paid for.
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
