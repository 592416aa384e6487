import { Counter, Gauge, type Registry } from "prom-client";
import type { Deps } from "../../service/deps.ts";
import type { EndpointReport } from "../../service/ports/ports-endpoints.ts";
import { createLateHistogram } from "./late-histogram.ts";
import type { Observer } from "./observed.ts";

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Bucket bounds of the optimality gap, in basis points. */
const GAPS = [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 25, 100];

/** Metrics of the time per stage, and of the optimality gap of routes. */
export function searchMetrics(registers: Registry[]): Observer {
  const stages = createLateHistogram({
    name: "braid_stage_seconds",
    help: "Time of one stage of a request: wait, search (in doubles), settle (in integers), encode, simulate",
    labelNames: ["chain", "stage"],
    buckets: SECONDS,
    registers,
  });
  const gaps = createLateHistogram({
    name: "braid_optimality_gap_bps",
    help: "How far routes are below the proven bound, in basis points",
    labelNames: ["chain"],
    buckets: GAPS,
    registers,
  });
  const searches = new Counter({
    name: "braid_searches_total",
    help: "Searches by how they ended: complete, cut_short (the time ran out) or no_route",
    labelNames: ["chain", "end"],
    registers,
  });
  const unproven = new Counter({
    name: "braid_searches_unproven_total",
    help: "Routes found without a proven gap",
    labelNames: ["chain"],
    registers,
  });
  return {
    stage: (chainId, stage, ms) => stages.observe({ chain: String(chainId), stage }, ms / 1000),
    searched(chainId, result) {
      const chain = String(chainId);
      if (result.kind === "missing") return searches.inc({ chain, end: "no_route" });
      searches.inc({ chain, end: result.search.complete ? "complete" : "cut_short" });
      const gap = result.optimality.upperBound === null ? null : result.optimality.gapBps;
      if (gap === null) unproven.inc({ chain });
      else gaps.observe({ chain }, gap);
    },
  };
}

/** Metrics of node endpoints, labelled by their index in the configuration, because their URLs may contain keys. */
export function nodeMetrics(deps: Deps, registers: Registry[]): void {
  const each = (use: (labels: Record<string, string>, report: EndpointReport) => void) => {
    for (const [chainId, { endpoints }] of deps.chains)
      for (const [index, report] of (endpoints?.() ?? []).entries())
        use({ chain: String(chainId), endpoint: String(index) }, report);
  };
  new Counter({
    name: "braid_node_failures_total",
    help: "Requests to nodes that failed, by endpoint and kind",
    labelNames: ["chain", "endpoint", "kind"],
    registers,
    collect() {
      this.reset();
      each((labels, { failures }) => {
        for (const [kind, count] of Object.entries(failures)) this.inc({ ...labels, kind }, count);
      });
    },
  });
  new Gauge({
    name: "braid_node_latency_seconds",
    help: "Time that the last answers of an endpoint stayed under, by quantile",
    labelNames: ["chain", "endpoint", "quantile"],
    registers,
    collect() {
      this.reset();
      each((labels, { medianMs, p95Ms }) => {
        if (medianMs !== undefined) this.set({ ...labels, quantile: "0.5" }, medianMs / 1000);
        if (p95Ms !== undefined) this.set({ ...labels, quantile: "0.95" }, p95Ms / 1000);
      });
    },
  });
  new Gauge({
    name: "braid_node_behind_blocks",
    help: "Blocks that the endpoint's newest head is behind the newest one of all endpoints",
    labelNames: ["chain", "endpoint"],
    registers,
    collect() {
      this.reset();
      each((labels, { behindBlocks }) => {
        if (behindBlocks !== undefined) this.set(labels, behindBlocks);
      });
    },
  });
  new Gauge({
    name: "braid_node_usable",
    help: "1 = requests may go to the endpoint",
    labelNames: ["chain", "endpoint"],
    registers,
    collect() {
      each((labels, { usable }) => this.set(labels, usable ? 1 : 0));
    },
  });
}
