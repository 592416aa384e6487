import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Loaded before the service: tells the parent process each second how long its main thread was last held up, milliseconds. */

const RESOLUTION_MS = 5;

if (isMainThread && process.send !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const timer = setInterval(() => {
    process.send?.(Math.max(0, delays.max / 1e6 - RESOLUTION_MS));
    delays.reset();
  }, 1000);
  timer.unref();
  process.channel?.unref();
}
