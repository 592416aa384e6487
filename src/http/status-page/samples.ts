import type { Sample } from "../metrics.ts";
import { count, type Html, html } from "./html.ts";

type Labels = Readonly<Record<string, string>>;

/** The samples of /metrics, looked up by name and labels. */
export type Samples = {
  value(name: string, labels: Labels): number | undefined;
  /** All samples of a name that have these labels, and possibly others. */
  all(name: string, labels: Labels): readonly Sample[];
};

export function indexSamples(samples: readonly Sample[]): Samples {
  const byName = Map.groupBy(samples, ({ name }) => name);
  const all = (name: string, labels: Labels) =>
    (byName.get(name) ?? []).filter((sample) =>
      Object.entries(labels).every(([key, wanted]) => sample.labels[key] === wanted),
    );
  return { all, value: (name, labels) => all(name, labels)[0]?.value };
}

/** The series of a sample in Prometheus notation: `name{label="value"}`. */
export function seriesOf({ name, labels }: Pick<Sample, "name" | "labels">): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

/** A sample's value, with its series in a data attribute. @param text formats the value; default: `count` */
export function shown(sample: Sample | undefined, text: (value: number) => string = count): Html {
  if (sample === undefined) return html`<span class="soft">not known yet</span>`;
  return html`<data value="${String(sample.value)}" data-series="${seriesOf(sample)}">${text(sample.value)}</data>`;
}

/** Formats seconds with a suitable unit, from microseconds to minutes. */
export function duration(seconds: number): string {
  if (seconds < 0.001) return `${(seconds * 1_000_000).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1000).toFixed(seconds < 0.01 ? 1 : 0)} ms`;
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(0)} min`;
}
