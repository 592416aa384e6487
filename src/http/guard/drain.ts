import { Server as NetServer } from "node:net";
import { promisify } from "node:util";
import type { App } from "../app-types.ts";
import type { Gate } from "./gate.ts";

const CHECK_MS = 25;
/** Longest wait for searches in work before the port is closed, and how long requests are held at the least. */
const MOST_HELD_MS = 2_000;
const LEAST_HELD_MS = 100;
/** Turns without a new connection after which nobody waits to be accepted, and how long they are waited for at most. */
const QUIET_TURNS = 3;
const MOST_ACCEPTING_MS = 1_000;

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
 * answered.
 */
export function createDrain(app: App, gate: Gate): Drain {
  const { server } = app;
  const connections = promisify(server.getConnections.bind(server));
  let isBegun = false;
  let held: Promise<void> | undefined;
  app.addHook("onRequest", (_request, _reply, done) => {
    if (held === undefined) done();
    else void held.then(() => done());
  });
  const until = async (isOver: () => boolean | Promise<boolean>, limitMs: number) => {
    const end = performance.now() + limitMs;
    while (performance.now() < end && !(await isOver())) await pause(CHECK_MS);
  };
  let accepted = 0;
  server.on("connection", () => accepted++);
  /** Resolves in a turn of the loop that had nobody left to accept: a turn accepts one connection (libuv from 1.46 on). */
  const allAccepted = async (limitMs: number) => {
    const end = performance.now() + limitMs;
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < end; ) {
      const before = accepted;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = accepted === before ? quiet + 1 : 0;
    }
  };
  const isAlone = async () => (await connections()) === 0;
  return {
    begun: () => isBegun,
    async run(delayMs, graceMs) {
      isBegun = true;
      if (!server.listening) return;
      await until(isAlone, delayMs);
      let release: () => void = () => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      await pause(delayMs === 0 ? 0 : LEAST_HELD_MS);
      await until(() => gate.running() === 0, MOST_HELD_MS);
      await allAccepted(MOST_ACCEPTING_MS);
      NetServer.prototype.close.call(server);
      release();
      await until(() => {
        server.closeIdleConnections();
        return isAlone();
      }, graceMs);
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
