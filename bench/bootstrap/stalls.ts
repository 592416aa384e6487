import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";
import { COLLECT } from "./collect.ts";

/**
 * Loaded before the service: tells the parent process each second how long its main thread was held up at most, in
 * milliseconds of its own processor time, which other processes on the machine do not lengthen. Asked to, it collects
 * what the main thread no longer holds.
 */

/** A turn of the event loop that is longer than this is seen whole; what is told is too long by this at most. */
const RESOLUTION_MS = 5;

if (isMainThread && process.send !== undefined) {
  let before = process.threadCpuUsage();
  let worstMs = 0;
  const probe = setInterval(() => {
    const now = process.threadCpuUsage();
    worstMs = Math.max(worstMs, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
  }, RESOLUTION_MS);
  const timer = setInterval(() => {
    process.send?.(Math.max(0, worstMs - RESOLUTION_MS));
    worstMs = 0;
  }, 1000);
  process.on("message", (message) => {
    if (message !== COLLECT) return;
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
    process.send?.(COLLECT);
  });
  probe.unref();
  timer.unref();
  process.channel?.unref();
}
