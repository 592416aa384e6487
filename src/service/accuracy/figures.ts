/** Statistics over the newest numbers of a series. */
export type Series = {
  add(value: number): void;
  readonly count: () => number;
  /** The quantile at `share`, 0 … 1. @returns undefined where the series is empty */
  quantile(share: number): number | undefined;
  summary(): Summary | undefined;
};

export type Summary = {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
};

/**
 * An empty series. @param kept how many of the newest numbers the statistics cover; `count` counts all numbers ever
 * added
 */
export function createSeries(kept: number): Series {
  const values: number[] = [];
  let count = 0;
  const sorted = () => values.toSorted((a, b) => a - b);
  const at = (ordered: readonly number[], share: number) =>
    ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))];
  return {
    add(value) {
      values[count % kept] = value;
      count++;
    },
    count: () => count,
    quantile: (share) => at(sorted(), share),
    summary() {
      if (count === 0) return undefined;
      const ordered = sorted();
      return {
        mean: ordered.reduce((sum, value) => sum + value, 0) / ordered.length,
        p50: at(ordered, 0.5)!,
        p95: at(ordered, 0.95)!,
        p99: at(ordered, 0.99)!,
        most: ordered.at(-1)!,
      };
    },
  };
}
