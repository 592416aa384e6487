import type { EngineCounters } from "../../../src/core/routing/types.ts";
import type { OrderResult, Summary } from "../market/schema.ts";
import { proofOf, type Worth } from "./gaps.ts";
import { mean, quantile } from "./statistics.ts";

type Measured = Pick<Summary, "ignoredPools" | "buildMs" | "graphMb" | "patchMs" | "patchUs"> &
  EngineCounters & { readonly worth: Worth };

/** All results and what was measured beside them, as `--json` writes it. */
export function summarise(results: readonly OrderResult[], { worth, ...measured }: Measured): Summary {
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
    proof: proofOf(results, worth),
    ...measured,
  };
}
