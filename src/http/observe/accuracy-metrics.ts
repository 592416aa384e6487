import { Counter, Gauge, type Registry } from "prom-client";
import type { Deps } from "../../service/deps.ts";
import type { AccuracyReport } from "../../service/ports/ports-accuracy.ts";

/** Registers the accuracy metrics of every chain: simulated, replayed and executed quotes. */
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
  executionMetrics(each, registers);
}

/** Metrics of quotes whose transactions were found on the chain. */
function executionMetrics(
  each: (use: (chain: string, report: AccuracyReport) => void) => void,
  registers: Registry[],
): void {
  new Counter({
    name: "braid_executed_quotes_total",
    help: "Quotes found on the chain, by outcome: succeeded, reverted",
    labelNames: ["chain", "outcome"],
    registers,
    collect() {
      this.reset();
      each((chain, { executed: { succeeded, reverted } }) => {
        this.inc({ chain, outcome: "succeeded" }, succeeded);
        this.inc({ chain, outcome: "reverted" }, reverted);
      });
    },
  });
  new Gauge({
    name: "braid_executed_loss_bps",
    help: "What executed quotes paid less than was quoted: all, and those in the very next block (block), basis points",
    labelNames: ["chain", "horizon", "quantile"],
    registers,
    collect() {
      this.reset();
      each((chain, { executed: { loss, nextBlockLoss } }) => {
        for (const [horizon, summary] of Object.entries({ all: loss, block: nextBlockLoss }))
          for (const [quantile, bps] of Object.entries(
            summary ? { 0.5: summary.p50, 0.95: summary.p95 } : {},
          ))
            this.set({ chain, horizon, quantile }, bps);
      });
    },
  });
  new Counter({
    name: "braid_block_bodies_total",
    help: "Blocks whose transactions were read, and those that were skipped because too many waited",
    labelNames: ["chain", "outcome"],
    registers,
    collect() {
      this.reset();
      each((chain, { blocks: { read, skipped } }) => {
        for (const [outcome, count] of Object.entries({ read, skipped })) this.inc({ chain, outcome }, count);
      });
    },
  });
}
