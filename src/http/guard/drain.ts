import { Server as NetServer } from "node:net";
import { promisify } from "node:util";
import { BraidError } from "../../core/errors.ts";
import type { App } from "../app-types.ts";
import type { Gate } from "./gate.ts";

/** Interval at which shutdown conditions are checked. */
const CHECK_MS = 25;
/** Longest wait for running searches before the port is closed, and shortest time that new requests are held. */
const MOST_HELD_MS = 2_000;
const LEAST_HELD_MS = 100;
/** Event loop turns without a new connection after which the accept queue counts as empty, and the longest wait. */
const QUIET_TURNS = 3;
const MOST_ACCEPTING_MS = 5_000;

/** Graceful shutdown of the server. */
export type Drain = {
  /** Whether shutdown has begun. */
  begun(): boolean;
  /**
   * Keeps answering for `delayMs`, or until no client has been connected for that long; then closes the port, and
   * resolves once all requests received by then are answered.
   *
   * @param graceMs longest wait for these answers
   */
  run(delayMs: number, graceMs: number): Promise<void>;
};

/**
 * Creates the graceful shutdown. Closing a listening socket resets the connections in its accept queue. Therefore new
 * requests are held before the port is closed: their clients open no further connections while they wait, and the
 * accept queue empties. After the port is closed the held requests run, or are refused where searches from before still
 * run.
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

/**
 * Refusal of held requests where earlier searches did not end in time: new ones would be cut off by the grace period.
 */
function tooBusy(): BraidError {
  return new BraidError("OVERLOADED", "The service is ending, and busy: ask again.", {
    retryAfterSeconds: 1,
  });
}

/** Tracks the connections of a server. */
function createCallers(server: App["server"]) {
  const connections = promisify(server.getConnections.bind(server));
  const isAlone = async () => (await connections()) === 0;
  let accepted = 0;
  let leftAt = Number.NEGATIVE_INFINITY;
  server.on("connection", (socket) => {
    accepted++;
    socket.once("close", () => {
      leftAt = performance.now();
    });
  });
  return {
    isAlone,
    /**
     * Resolves once no client has been connected for `limitMs`, which may be at once, and after `limitMs` in any case: a
     * load balancer may open a connection for each request, so that often none is open.
     */
    allLeft: (limitMs: number): Promise<void> =>
      until(async () => performance.now() - leftAt >= limitMs && (await isAlone()), limitMs),
    /** Resolves once the accept queue is empty. An event loop turn accepts one connection (libuv 1.46 and later). */
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
