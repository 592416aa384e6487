import type { Logger } from "pino";
import type { Coverage } from "../../service/ports/ports-discovery.ts";

/** Between two lines while something moves. */
const EVERY_MS = 5_000;

/** Logs how far the discovery is, while it is under way. @returns what ends it */
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
