import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import type { MakersPort } from "../../service/ports/ports-makers.ts";
import type { MakerSettings } from "./makers-file.ts";
import type { Pusher } from "./push/pusher.ts";
import { createSeat, type Seat, type SeatParts, STALE_MS } from "./seat.ts";

/** Pause between an answer to `levels` and the next request for them, milliseconds. */
const POLL_MS = 500;

export type MakerDesk = MakersPort & {
  /** The makers that push their levels. */
  readonly pushers: readonly Pusher[];
  start(): void;
  stop(): Promise<void>;
};

type DeskRequest = SeatParts & { readonly makers: readonly MakerSettings[] };

/** The makers of one chain: commits their levels to the market while they are fresh, and requests orders from them. */
export function createMakerDesk({ makers, ...parts }: DeskRequest): MakerDesk {
  const seats = new Map(makers.map((maker) => [maker.id, createSeat(maker, parts)]));
  const over = new AbortController();
  let running: readonly Promise<void>[] = [];
  return {
    firm: async (wanted, timeoutMs) => seats.get(wanted.pool.deployment)?.firm(wanted, timeoutMs),
    broke: ({ maker, nonce }) => {
      const own = [...seats.values()].filter((seat) => seat.maker.address === maker);
      // Several entries may have one account, such as one for each protocol. After a restart none knows its orders.
      const givers = own.filter((seat) => seat.gave(nonce));
      for (const seat of givers.length > 0 ? givers : own) seat.broke(nonce);
    },
    prices: (token) => [...seats.values()].some((seat) => seat.tokens().has(token)),
    pushers: [...seats.values()].flatMap(({ pusher }) => pusher ?? []),
    health: () => [...seats.values()].map((seat) => seat.health()),
    start() {
      running = [...seats.values()].map((seat) => follow(seat, over.signal, parts.log));
    },
    async stop() {
      over.abort();
      for (const seat of seats.values()) seat.close();
      await Promise.all(running);
    },
  };
}

/** Polls a maker for its levels, unless it pushes them, and removes expired ones, until the signal aborts. */
async function follow(seat: Seat, signal: AbortSignal, log: Logger): Promise<void> {
  const expiry = setInterval(() => seat.expire(), STALE_MS / 20);
  const poll = seat.pusher === undefined ? seat.poll : async () => undefined;
  try {
    while (!signal.aborted) {
      await poll().catch((error: unknown) => log.error({ err: error }, "a maker's levels failed"));
      await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(expiry);
  }
}
