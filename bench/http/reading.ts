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
