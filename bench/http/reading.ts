import { quantile } from "../routing/report/statistics.ts";

/** What a served process says of itself since it was asked last; CPU since it began, of all its threads. */
export type Reading = {
  readonly cpuMs: number;
  /** The same of the main thread alone; NaN where it is not known. */
  readonly mainCpuMs: number;
  readonly rssMb: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  /** Blocks committed since, each with when it began to be, Unix milliseconds; none where that is not known. */
  readonly blocks: readonly (readonly [number: number, atMs: number])[];
};

/** Milliseconds of the timer by which the runtime samples delays in a service: each sample is the time from one end of the timer to the next. */
const SAMPLED_EACH_MS = 10;

/** How late a timer came, of samples that contain its own time. */
export const lateness = (sampleMs: number, timerMs: number) => Math.max(0, sampleMs - timerMs);

/** What a service says at `/metrics`, in Prometheus' text format. */
export function readingFrom(metrics: string): Reading {
  const value = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1] ?? Number.NaN);
  const late = (name: string) =>
    lateness(1_000 * value(`nodejs_eventloop_lag_${name}_seconds`), SAMPLED_EACH_MS);
  return {
    cpuMs: 1_000 * value("process_cpu_seconds_total"),
    mainCpuMs: Number.NaN,
    rssMb: value("process_resident_memory_bytes") / 2 ** 20,
    delayP99Ms: late("p99"),
    delayMaxMs: late("max"),
    blocks: [],
  };
}

/** The value below which so large a part of the samples lies; NaN without samples. */
export function percentile(samples: readonly number[], part: number): number {
  return quantile(
    [...samples].sort((a, b) => a - b),
    part,
  );
}

/**
 * What a served process is asked by its parent: "rest" = no blocks until "work", "one path" = the limits below until "all paths",
 * "end a thread" = the search thread that was started first, at once.
 */
export type Asked =
  | "reading"
  | "memory"
  | "collected"
  | "rest"
  | "work"
  | "one path"
  | "all paths"
  | "end a thread";

/** Limits of a search for one path of three pools at most, as others publish their rates for. */
export const ONE_PATH = { maxHops: 3, maxLegs: 3 };
