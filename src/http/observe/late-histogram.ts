import { Histogram, type Registry } from "prom-client";

/**
 * A histogram that buffers its samples, and adds them to its buckets when the buffer is full or the metrics are read.
 * Adding each sample at once would delay the response that is being measured.
 */
export type LateHistogram<T extends string> = {
  /** @param labels stored by reference, so that reusing one object for equal labels saves memory */
  observe(labels: Readonly<Record<T, string>>, value: number): void;
};

type Options<T extends string> = {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly T[];
  /** Upper bounds, in the unit of the samples. */
  readonly buckets: readonly number[];
  readonly registers: Registry[];
};

/** Size of the buffer in samples. Adding a full buffer to the buckets takes about a millisecond. */
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
