import type { Logger } from "pino";
import type { Coverage } from "../../service/ports/ports-discovery.ts";

/** Milliseconds between two log lines. */
const EVERY_MS = 5_000;

/**
 * Logs the progress of the discovery at intervals; once it is complete, only what changed.
 *
 * @returns a function that ends the logging
 */
export function reportProgress(coverage: () => Coverage, log: Logger): () => void {
  let last = "";
  const timer = setInterval(() => {
    const { phase, step, done, total, pools, requests, perSecond } = coverage();
    const line = JSON.stringify([phase, step, done, pools]);
    if (line === last && phase === "complete") return;
    last = line;
    const percent = total === 0 ? undefined : Math.floor((100 * done) / total);
    log.info({ phase, step, percent, pools, requests, perSecond }, "discovery");
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
