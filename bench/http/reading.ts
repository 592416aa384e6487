import { quantile } from "../routing/report/statistics.ts";

/** What a served process says of itself since it was asked last; CPU since it began, of all its threads. */
export type Reading = {
  readonly cpuMs: number;
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
