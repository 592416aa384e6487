import { type Costs, createCosts } from "../../../core/callers/costs.ts";

/** A waiting request of a caller. */
export type Ticket = { readonly caller: string };

/**
 * A queue in which each caller gets the same share of the threads' time, however long its own requests take.
 *
 * Start-time fair queueing: a ticket's tag is the time that its caller will have been served by then, counted from the
 * tag of whoever is served now, and the least tag is next. So a caller of short requests is served before the second
 * long request of another. Callers of equal tags take turns. In: tickets, and how long each took. Out: the next one.
 *
 * Goyal, Vin and Cheng, "Start-time Fair Queueing" (1996), section 2.
 */
export type FairQueue<T extends Ticket> = {
  size(): number;
  /** The time that all tickets take that would be served before a new one of this caller, milliseconds. */
  aheadMs(caller: string): number;
  /**
   * Appends a ticket to its caller's tickets.
   *
   * @returns where the queue is full, the ticket that is dropped: the newest of the caller with the most tickets, which
   *          may be the given one
   */
  push(ticket: T): T | undefined;
  next(): T | undefined;
  /** Removes a ticket that no longer waits. */
  remove(ticket: T): void;
  /** Records how long a ticket from `next` took, in milliseconds. */
  served(ticket: T, ms: number): void;
};

/** @param most capacity, in tickets of all callers */
export function createFairQueue<T extends Ticket>(most: number): FairQueue<T> {
  /** Tickets by caller; of callers with equal tags the first is served first. */
  const lines = new Map<string, T[]>();
  const costs = createCosts();
  /** By ticket that is being served, what records its time. */
  const begun = new Map<T, (ms: number) => void>();
  let size = 0;
  const lineOf = (caller: string) => lines.get(caller) ?? [];
  const drop = (ticket: T) => {
    const line = lineOf(ticket.caller);
    const index = line.indexOf(ticket);
    if (index < 0) return;
    line.splice(index, 1);
    size -= 1;
    if (line.length === 0) lines.delete(ticket.caller);
  };
  return {
    size: () => size,
    aheadMs: (caller) => aheadMs(lines, costs, caller),
    push(ticket) {
      lines.set(ticket.caller, [...lineOf(ticket.caller), ticket]);
      size += 1;
      if (size <= most) return undefined;
      const refused = longestOf(lines, ticket.caller).at(-1)!;
      drop(refused);
      return refused;
    },
    next() {
      const caller = leastTagged(lines, costs);
      if (caller === undefined) return undefined;
      const line = lineOf(caller);
      const ticket = line[0]!;
      drop(ticket);
      begun.set(ticket, costs.begin(caller));
      // Of callers with equal tags, the one that was served comes last.
      if (line.length > 0) {
        lines.delete(caller);
        lines.set(caller, line);
      }
      return ticket;
    },
    remove: drop,
    served(ticket, ms) {
      begun.get(ticket)?.(ms);
      begun.delete(ticket);
    },
  };
}

type Lines<T> = ReadonlyMap<string, readonly T[]>;

/** The time of all tickets that would be served before a new one of this caller. */
function aheadMs<T>(lines: Lines<T>, costs: Costs, caller: string): number {
  const own = (lines.get(caller)?.length ?? 0) * costs.paceMs(caller);
  const tag = costs.tag(caller) + own;
  let ms = own;
  for (const [other, { length }] of lines) {
    // The first ticket of another caller has that caller's tag, and each further one a tag that is later by its pace.
    const first = costs.tag(other);
    if (other === caller || first > tag) continue;
    const paceMs = costs.paceMs(other);
    ms += Math.min(length, Math.floor((tag - first) / paceMs) + 1) * paceMs;
  }
  return ms;
}

/** The waiting caller with the least tag; of several the first. */
function leastTagged<T>(lines: Lines<T>, costs: Costs): string | undefined {
  let least: string | undefined;
  for (const caller of lines.keys())
    if (least === undefined || costs.tag(caller) < costs.tag(least)) least = caller;
  return least;
}

/** The tickets of the caller with the most; of several callers with as many, those of `caller` if it is one of them. */
function longestOf<T>(lines: Lines<T>, caller: string): readonly T[] {
  const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a));
  const own = lines.get(caller) ?? [];
  return own.length >= longest.length ? own : longest;
}
