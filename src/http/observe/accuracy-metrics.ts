import { Counter, Gauge, type Registry } from "prom-client";
import type { Deps } from "../../service/deps.ts";
import type { AccuracyReport } from "../../service/ports/ports-accuracy.ts";

/** How offers turn out, for every chain. */
export function accuracyMetrics({ chains, accuracy }: Deps, registers: Registry[]): void {
  if (accuracy === undefined) return;
  const each = (use: (chain: string, report: AccuracyReport) => void) => {
    for (const chainId of chains.keys()) use(String(chainId), accuracy.report(chainId));
  };
  new Counter({
    name: "braid_same_state_runs_total",
    help: "Calldata run on the block that it was quoted in, by source and outcome: exact, differs, reverted",
    labelNames: ["chain", "source", "outcome"],
    registers,
    collect() {
      this.reset();
      each((chain, { sameState }) => {
        for (const [source, { exact, differs, reverted }] of Object.entries(sameState))
          for (const [outcome, count] of Object.entries({ exact, differs, reverted }))
            this.inc({ chain, source, outcome }, count);
      });
    },
  });
  new Gauge({
    name: "braid_quote_loss_bps",
    help: "What offers lose when they are settled again one block (block) or ten seconds (10s) later, basis points",
    labelNames: ["chain", "source", "class", "horizon", "quantile"],
    registers,
    collect() {
      this.reset();
      each((chain, { replays }) => {
        for (const { source, pairClass, horizon, loss } of replays)
          for (const [quantile, bps] of Object.entries({ 0.5: loss.p50, 0.95: loss.p95, 0.99: loss.p99 }))
            this.set({ chain, source, class: pairClass, horizon, quantile }, bps);
      });
    },
  });
}
