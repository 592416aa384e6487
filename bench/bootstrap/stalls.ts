import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { COLLECT, STALL } from "./asked.ts";

/**
 * Loaded before the service: tells the parent process, when it asks, how long the main thread was held up at most since it asked last,
 * in milliseconds of the thread's own processor time, which other processes on the machine do not lengthen. Asked to, it collects what
 * the main thread no longer holds.
 */

/** A turn of the event loop that is longer than this is seen whole; what is told is too long by this at most. */
const RESOLUTION_MS = 5;

if (isMainThread && process.send !== undefined) {
  let before = process.threadCpuUsage();
  let worstMs = 0;
  const endTurn = () => {
    const now = process.threadCpuUsage();
    worstMs = Math.max(worstMs, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
  };
  const tellStall = () => {
    // A turn that ended just now is of the time before the question.
    endTurn();
    process.send?.({ [STALL]: Math.max(0, worstMs - RESOLUTION_MS) });
    worstMs = 0;
  };
  const collect = () => {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
    process.send?.({ [COLLECT]: true });
  };
  process.on("message", (message) => {
    if (message === STALL) tellStall();
    if (message === COLLECT) collect();
  });
  setInterval(endTurn, RESOLUTION_MS).unref();
  process.channel?.unref();
}
