import { Histogram, type Registry } from "prom-client";

/** A histogram whose samples are counted by the thousand, and when they are asked for: one by one they cost an answer more than its metrics say. */
export type LateHistogram<T extends string> = {
  /** @param labels kept as they are: the same object for the same labels costs least */
  observe(labels: Readonly<Record<T, string>>, value: number): void;
};

type Options<T extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly T[];
  /** Upper ends, in the unit of the samples. */
  readonly buckets: readonly number[];
  readonly registers: Registry[];
};

/** Samples kept before they are counted; a thousand take about a millisecond. */
const MOST_KEPT = 1_000;

export function createLateHistogram<T extends string>(options: Options<T>): LateHistogram<T> {
  let labels: Readonly<Record<T, string>>[] = [];
  let values: number[] = [];
  const count = () => {
    for (const [k, value] of values.entries()) histogram.observe(labels[k]!, value);
    labels = [];
    values = [];
  };
  const histogram = new Histogram<T>({
    ...options,
    labelNames: [...options.labelNames],
    buckets: [...options.buckets],
    collect: count,
  });
  return {
    observe(of, value) {
      labels.push(of);
      values.push(value);
      if (values.length >= MOST_KEPT) count();
    },
  };
}
