import type { Socket } from "node:net";
import { callerOf } from "../../../core/callers/caller.ts";
import { createRateLimit } from "../../../core/callers/rate-limit.ts";
import { forgetOldest } from "../../../core/forget-oldest.ts";

export type StrangerLimits = {
  /** Most connections on which no maker has signed a push yet. */
  readonly connections: number;
  /** Most such connections from one address. */
  readonly connectionsOfAddress: number;
  /** Most connections on which one maker has signed a push. */
  readonly connectionsOfMaker: number;
  /** Refused requests of one address in a minute, beyond which its requests are refused unread. */
  readonly refusalsAMinute: number;
};

/**
 * Tracks the connections on which no push with a maker's signature has arrived yet. Above a limit the oldest of them is
 * closed, never the newest, so that holding connections open does not keep a maker from connecting. Once a maker has
 * signed a push on a connection, it counts among those of this maker alone. A proxy sends requests of several callers over
 * one connection, so the limit on refusals is lifted there only for the addresses from which a push was signed.
 */
export type Strangers = {
  /** Starts to track a new connection, and closes the oldest ones above the limits. */
  enter(socket: Socket): void;
  /**
   * Stops tracking a connection because a push with this maker's signature has arrived on it, from this address; closes
   * its oldest ones above the limit.
   */
  leave(socket: Socket, maker: string, address: string): void;
  /** Whether the connection is tracked, that is, no maker has signed a push on it yet. */
  has(socket: Socket): boolean;
  /** Whether requests of the address are read; always true where a maker has signed a push from it on the connection. */
  isHeard(socket: Socket, address: string): boolean;
  /** Counts a refusal against the address, unless a maker has signed a push from it on the connection. */
  refused(socket: Socket, address: string): void;
};

export function createStrangers(limits: StrangerLimits, monotonicMs: () => number): Strangers {
  const all = new Set<Socket>();
  const byAddress = new Map<string, Set<Socket>>();
  const byMaker = new Map<string, Set<Socket>>();
  const charge = createRateLimit(limits.refusalsAMinute, monotonicMs);
  const leave = (socket: Socket, address: string) => {
    all.delete(socket);
    const own = byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) byAddress.delete(address);
  };
  const addresses = new WeakMap<Socket, string>();
  /** The addresses from which a push was signed, by connection: several where it is a proxy's. */
  const signers = new WeakMap<Socket, Set<string>>();
  const hasSigned = (socket: Socket, address: string) => signers.get(socket)?.has(callerOf(address)) === true;
  return {
    enter(socket) {
      const address = callerOf(socket.remoteAddress ?? "");
      addresses.set(socket, address);
      const own = byAddress.get(address) ?? new Set();
      byAddress.set(address, own.add(socket));
      all.add(socket);
      socket.once("close", () => leave(socket, address));
      const gone = [
        ...forgetOldest(own, limits.connectionsOfAddress),
        ...forgetOldest(all, limits.connections),
      ];
      for (const old of gone) old.destroy();
    },
    leave(socket, maker, address) {
      leave(socket, addresses.get(socket) ?? "");
      signers.set(socket, (signers.get(socket) ?? new Set()).add(callerOf(address)));
      const own = byMaker.get(maker) ?? new Set();
      byMaker.set(maker, own);
      if (own.has(socket)) return;
      own.add(socket);
      socket.once("close", () => own.delete(socket));
      for (const old of forgetOldest(own, limits.connectionsOfMaker)) old.destroy();
    },
    has: (socket) => all.has(socket),
    isHeard: (socket, address) => hasSigned(socket, address) || charge(callerOf(address), 0).remaining > 0,
    refused(socket, address) {
      if (!hasSigned(socket, address)) charge(callerOf(address));
    },
  };
}
