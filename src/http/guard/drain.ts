import { Server as NetServer } from "node:net";
import { promisify } from "node:util";
import { BraidError } from "../../core/errors.ts";
import type { App } from "../app-types.ts";
import type { Gate } from "./gate.ts";

const CHECK_MS = 25;
/** Longest wait for searches in work before the port is closed, and how long requests are held at the least. */
const MOST_HELD_MS = 2_000;
const LEAST_HELD_MS = 100;
/** Looks at the connections that find none, one after the other, after which those who were connected have left. */
const ALONE_LOOKS = 40;
/** Turns without a new connection after which nobody waits to be accepted, and how long they are waited for at most. */
const QUIET_TURNS = 3;
const MOST_ACCEPTING_MS = 5_000;

/** How a server ends without cutting anybody off. */
export type Drain = {
  /** Whether the end has begun. */
  begun(): boolean;
  /**
   * Answers on for `delayMs`, less where nobody is connected any more; then closes the port, and resolves once all that was
   * asked by then is answered.
   *
   * @param graceMs longest wait for those answers
   */
  run(delayMs: number, graceMs: number): Promise<void>;
};

/**
 * A closed port resets the connections that nobody has accepted yet. So before that, new requests are held: whoever waits
 * for an answer opens no other connection, and every one that was opened is accepted. Then the port is closed, and they are
 * answered: by a refusal where even the searches that were in work have not ended, as the time for an end is short.
 */
export function createDrain(app: App, gate: Gate): Drain {
  const { server } = app;
  const callers = createCallers(server);
  let isBegun = false;
  let held: Promise<Error | undefined> | undefined;
  app.addHook("onRequest", (_request, _reply, done) => {
    if (held === undefined) done();
    else void held.then(done);
  });
  return {
    begun: () => isBegun,
    async run(delayMs, graceMs) {
      isBegun = true;
      if (!server.listening) return;
      await callers.allLeft(delayMs);
      let release: (refusal: Error | undefined) => void = () => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      await pause(delayMs === 0 ? 0 : LEAST_HELD_MS);
      await until(() => gate.running() === 0, MOST_HELD_MS);
      await callers.allAccepted(MOST_ACCEPTING_MS);
      NetServer.prototype.close.call(server);
      release(gate.running() === 0 ? undefined : tooBusy());
      await until(() => {
        server.closeIdleConnections();
        return callers.isAlone();
      }, graceMs);
    },
  };
}

/** Who keeps the service so busy that searches do not end in time would only be cut off if as many more were begun. */
function tooBusy(): BraidError {
  return new BraidError("OVERLOADED", "The service is ending, and busy: ask again.", {
    retryAfterSeconds: 1,
  });
}

/** Who is connected to a server. */
function createCallers(server: App["server"]) {
  const connections = promisify(server.getConnections.bind(server));
  const isAlone = async () => (await connections()) === 0;
  let accepted = 0;
  server.on("connection", () => accepted++);
  return {
    isAlone,
    /**
     * Resolves at once where nobody is connected; where somebody was, later: between two connections of busy clients there
     * may be none. Looks are counted and not time, as whoever waits to be accepted is seen by one of them, however late
     * they are.
     */
    async allLeft(limitMs: number): Promise<void> {
      if (await isAlone()) return;
      let [seen, alone] = [accepted, 0];
      await until(async () => {
        const isQuiet = (await isAlone()) && accepted === seen;
        seen = accepted;
        alone = isQuiet ? alone + 1 : 0;
        return alone >= ALONE_LOOKS;
      }, limitMs);
    },
    /** Resolves in a turn of the loop that had nobody left to accept: a turn accepts one connection (libuv from 1.46 on). */
    async allAccepted(limitMs: number): Promise<void> {
      const end = performance.now() + limitMs;
      for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < end; ) {
        const before = accepted;
        await new Promise((resolve) => setImmediate(resolve));
        quiet = accepted === before ? quiet + 1 : 0;
      }
    },
  };
}

async function until(isOver: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  while (performance.now() < end && !(await isOver())) await pause(CHECK_MS);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
