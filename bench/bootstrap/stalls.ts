import { isMainThread } from "node:worker_threads";

/**
 * Loaded before the service: tells the parent process each second how long its main thread was held up at most, in
 * milliseconds of its own processor time, which other processes on the machine do not lengthen.
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
  probe.unref();
  timer.unref();
  process.channel?.unref();
}
