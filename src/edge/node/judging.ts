import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { Endpoint } from "./endpoint.ts";
import { disbelieve, distrust, doubtOf, noteDoubt } from "./health.ts";

/** Records endpoints whose answers cannot be true, and writes each new reason to the log once. */
export function doubting(endpoints: readonly Endpoint[], log: Logger) {
  return (labels: readonly string[], why: string) => {
    for (const { label, health } of endpoints.filter((one) => labels.includes(one.label))) {
      const now = performance.now();
      if (doubtOf(health, now) !== why) log.warn({ endpoint: label, why }, "a node is not believed");
      noteDoubt(health, why, now);
    }
  };
}

/** What the follower of the heads can say against endpoints. */
export function judging(endpoints: readonly Endpoint[], onDoubt: ReturnType<typeof doubting>) {
  return {
    distrust() {
      for (const { health } of endpoints) distrust(health);
    },
    disbelieve(label: string, why: string) {
      onDoubt([label], why);
      for (const one of endpoints) if (one.label === label) disbelieve(one.health, why, performance.now());
    },
  };
}
