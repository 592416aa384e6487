import type { Sample } from "../metrics.ts";
import { bar, count, type Html, html, table } from "./html.ts";
import { duration, type Samples } from "./samples.ts";

type Labels = Readonly<Record<string, string>>;

/** A histogram bucket: the number of observations above the previous bound and up to this one. */
type Bucket = { readonly bound: number; readonly count: number };

/**
 * Buckets of a histogram with counts of their own; Prometheus buckets are cumulative.
 *
 * @param name of the histogram
 * @param labels selects the series; the counts of several series are added up
 */
export function bucketsOf(samples: Samples, name: string, labels: Labels): readonly Bucket[] {
  const sums = new Map<number, number>();
  for (const { labels: own, value } of samples.all(`${name}_bucket`, labels)) {
    const bound = own.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(own.le);
    sums.set(bound, (sums.get(bound) ?? 0) + value);
  }
  const sorted = [...sums].sort(([a], [b]) => a - b);
  return sorted.map(([bound, total], k) => ({ bound, count: total - (sorted[k - 1]?.[1] ?? 0) }));
}

/** Upper bound of the bucket with a quantile; undefined where there are no observations. @param share 0 … 1 */
export function quantileBound(buckets: readonly Bucket[], share: number): number | undefined {
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  let seen = 0;
  for (const { bound, count } of buckets) {
    seen += count;
    if (total > 0 && seen >= share * total) return bound;
  }
  return undefined;
}

type HistogramTable = {
  readonly caption: string;
  /** Heading of the column of bounds. */
  readonly head: string;
  readonly name: string;
  readonly labels: Labels;
  readonly unit: (bound: number) => string;
  readonly none: string;
};

/** A histogram as a table, from its first to its last bucket that is not empty. */
export function histogram(
  samples: Samples,
  { caption, head, name, labels, unit, none }: HistogramTable,
): Html {
  const all = bucketsOf(samples, name, labels);
  const first = all.findIndex((bucket) => bucket.count > 0);
  const used = first < 0 ? [] : all.slice(first, all.findLastIndex((bucket) => bucket.count > 0) + 1);
  const most = Math.max(1, ...used.map((bucket) => bucket.count));
  const rows = used.map((bucket) => [
    bucket.bound === Number.POSITIVE_INFINITY ? "more" : `up to ${unit(bucket.bound)}`,
    count(bucket.count),
    bar(bucket.count / most),
  ]);
  return table({ caption, heads: [head, "Count", "Share"], rows, none });
}

type Timed = {
  readonly caption: string;
  readonly name: string;
  readonly labels: Labels;
  readonly by: string;
};

/** A table of durations by one label: the count, and upper bounds of the 50th, 95th and 99th percentile. */
export function times(samples: Samples, { caption, name, labels, by }: Timed): Html {
  const keys = new Set(samples.all(`${name}_count`, labels).map((sample) => sample.labels[by] ?? ""));
  const rows = [...keys].map((key) => {
    const own = { ...labels, [by]: key };
    const buckets = bucketsOf(samples, name, own);
    return [
      key,
      count(sum(samples.all(`${name}_count`, own))),
      ...[0.5, 0.95, 0.99].map((share) => under(buckets, share)),
    ];
  });
  const heads = [by === "route" ? "Path" : "Stage", "Count", "Half", "95 of 100", "99 of 100"];
  return table({ caption, heads, rows, none: "Nothing was asked yet." });
}

const sum = (samples: readonly Sample[]): number => samples.reduce((total, { value }) => total + value, 0);

function under(buckets: readonly Bucket[], share: number): Html {
  const bound = quantileBound(buckets, share);
  if (bound === undefined) return html`–`;
  const last = buckets.at(-2)?.bound ?? 0;
  return bound === Number.POSITIVE_INFINITY ? html`over ${duration(last)}` : html`≤ ${duration(bound)}`;
}
