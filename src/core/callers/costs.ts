import { forgetOldest } from "../forget-oldest.ts";

/** What callers have been served, in milliseconds of a thread. */
export type Costs = {
  /** Time that a request of this caller is expected to take. */
  paceMs(caller: string): number;
  /** The caller's tag: the time that it has been served, not less than the tag of whoever was served last. */
  tag(caller: string): number;
  /**
   * Charges a request that is served now by its expected time.
   *
   * @returns to be called once, with the milliseconds that the request took: they replace what was charged
   */
  begin(caller: string): (ms: number) => void;
};

/** Weight of the newest request in a caller's moving average. */
const NEWEST = 0.25;
/** Least time that a request is expected to take, so that no number of requests is free. */
const LEAST_MS = 1;
/** Most callers kept; the one served longest ago is forgotten first, and then begins like a new one. */
const MOST_CALLERS = 1_000;

/** `paceMs` is undefined until the first request has been served. */
type Cost = { readonly paceMs: number | undefined; readonly tag: number };

export function createCosts(): Costs {
  const costs = new Map<string, Cost>();
  /** The tag of whoever was served last. */
  let now = 0;
  const paceMs = (caller: string) => costs.get(caller)?.paceMs ?? LEAST_MS;
  const tag = (caller: string) => Math.max(now, costs.get(caller)?.tag ?? 0);
  const keep = (caller: string, cost: Cost) => {
    costs.delete(caller);
    costs.set(caller, cost);
    forgetOldest(costs, MOST_CALLERS);
  };
  return {
    paceMs,
    tag,
    begin(caller) {
      now = tag(caller);
      const charged = paceMs(caller);
      keep(caller, { paceMs: costs.get(caller)?.paceMs, tag: now + charged });
      return (ms) => {
        const known = costs.get(caller);
        const took = Math.max(LEAST_MS, ms);
        const before = known?.paceMs ?? took;
        keep(caller, {
          paceMs: before + NEWEST * (took - before),
          tag: (known?.tag ?? now) + took - charged,
        });
      };
    },
  };
}
