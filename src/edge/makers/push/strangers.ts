import type { Socket } from "node:net";
import { callerOf } from "../../../core/callers/caller.ts";
import { createRateLimit } from "../../../core/callers/rate-limit.ts";
import { forgetOldest } from "../../../core/forget-oldest.ts";

export type StrangerLimits = {
  /** Connections on which no maker has signed a push yet, in all and of one address. */
  readonly connections: number;
  readonly connectionsOfAddress: number;
  /** Refused requests of one address, before it is refused unread. */
  readonly refusalsAMinute: number;
};

/**
 * Connections whose other end has not proved to be a maker. Where they are too many the oldest is closed, never the newest: who
 * holds connections open keeps nobody out. A maker's own, once a push on it was signed, is none of them.
 */
export type Strangers = {
  enter(socket: Socket): void;
  /** A push that a maker signed has come on it. */
  leave(socket: Socket): void;
  /** Whether no maker has signed on it yet. */
  has(socket: Socket): boolean;
  /** Whether requests of the address are read: always on a connection that a maker has signed on. */
  isHeard(socket: Socket, address: string): boolean;
  /** Counts a refusal against the address, unless a maker has signed on the connection. */
  refused(socket: Socket, address: string): void;
};

export function createStrangers(limits: StrangerLimits, monotonicMs: () => number): Strangers {
  const all = new Set<Socket>();
  const byAddress = new Map<string, Set<Socket>>();
  const charge = createRateLimit(limits.refusalsAMinute, monotonicMs);
  const leave = (socket: Socket, address: string) => {
    all.delete(socket);
    const own = byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) byAddress.delete(address);
  };
  const addresses = new WeakMap<Socket, string>();
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
    leave: (socket) => leave(socket, addresses.get(socket) ?? ""),
    has: (socket) => all.has(socket),
    isHeard: (socket, address) => !all.has(socket) || charge(callerOf(address), 0).remaining > 0,
    refused(socket, address) {
      if (all.has(socket)) charge(callerOf(address));
    },
  };
}
