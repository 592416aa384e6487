/** What waits on behalf of a caller. */
export type Ticket = { readonly caller: string };

/** Tickets of many callers, who take turns: a caller's first waits for one of each other caller's, however many those have. */
export type FairQueue<T extends Ticket> = {
  size(): number;
  /** Tickets that would come before another one of this caller. */
  ahead(caller: string): number;
  /**
   * Puts a ticket at the end of its caller's own.
   *
   * @returns the ticket that has no place: the newest of whoever has the most, which may be the given one
   */
  push(ticket: T): T | undefined;
  next(): T | undefined;
  /** Takes a ticket out that waits no longer. */
  remove(ticket: T): void;
};

/** @param most tickets in all */
export function createFairQueue<T extends Ticket>(most: number): FairQueue<T> {
  /** In the order of turns. */
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
      // Among equals the one that came last gives way.
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
      // Whoever had a turn is last in the next round.
      if (line.length > 0) {
        lines.delete(caller);
        lines.set(caller, line);
      }
      return ticket;
    },
    remove: drop,
  };
}
