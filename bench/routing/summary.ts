import type { EngineCounters } from "../../src/core/routing/types.ts";
import type { OrderResult, Summary } from "./schema.ts";

/** The element of a sorted list below which `share` of it lies; NaN of an empty one. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type Measured = Pick<Summary, "ignoredPools" | "buildMs" | "graphMb" | "patchMs" | "patchUs"> &
  EngineCounters;

/** All results and what was measured beside them, as `--json` writes it. */
export function summarise(results: readonly OrderResult[], measured: Measured): Summary {
  const ratios = results.flatMap(({ ratio }) => (ratio == null ? [] : [ratio])).sort((a, b) => a - b);
  const ms = results.map((result) => result.ms).sort((a, b) => a - b);
  return {
    ratio: {
      mean: mean(ratios),
      min: ratios[0] ?? Number.NaN,
      p5: quantile(ratios, 0.05),
      p50: quantile(ratios, 0.5),
    },
    ms: {
      p50: quantile(ms, 0.5),
      p95: quantile(ms, 0.95),
      p99: quantile(ms, 0.99),
      max: ms.at(-1) ?? Number.NaN,
    },
    failed: results.filter(({ error }) => error !== undefined).length,
    unproved: results.filter(({ bound }) => bound === null).length,
    ...measured,
  };
}
