/** A waiting request of a caller. */
export type Ticket = { readonly caller: string };

/** A round-robin queue over callers: each caller's tickets are served in order, one in each round. */
export type FairQueue<T extends Ticket> = {
  size(): number;
  /** Number of tickets that would be served before a new one of this caller. */
  ahead(caller: string): number;
  /**
   * Appends a ticket to its caller's tickets.
   *
   * @returns where the queue is full, the ticket that is dropped: the newest of the caller with the most tickets, which
   * may
   *          be the given one
   */
  push(ticket: T): T | undefined;
  next(): T | undefined;
  /** Removes a ticket that no longer waits. */
  remove(ticket: T): void;
};

/** @param most capacity, in tickets of all callers */
export function createFairQueue<T extends Ticket>(most: number): FairQueue<T> {
  /** Tickets by caller, in the order in which the callers are served. */
  const lines = new Map<string, T[]>();
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
    ahead: (caller) => {
      const own = lineOf(caller).length;
      let count = own;
      for (const [other, line] of lines) if (other !== caller) count += Math.min(line.length, own + 1);
      return count;
    },
    push(ticket) {
      lines.set(ticket.caller, [...lineOf(ticket.caller), ticket]);
      size += 1;
      if (size <= most) return undefined;
      const longest = [...lines.values()].reduce((a, b) => (b.length > a.length ? b : a));
      // Of several callers with the most tickets, the one of the new ticket loses it.
      const line = lineOf(ticket.caller).length >= longest.length ? lineOf(ticket.caller) : longest;
      const refused = line.at(-1)!;
      drop(refused);
      return refused;
    },
    next() {
      const [first] = lines;
      if (first === undefined) return undefined;
      const [caller, line] = first;
      const ticket = line[0]!;
      drop(ticket);
      // The caller that was served moves to the end of the order.
      if (line.length > 0) {
        lines.delete(caller);
        lines.set(caller, line);
      }
      return ticket;
    },
    remove: drop,
  };
}
