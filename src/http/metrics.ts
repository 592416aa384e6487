import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Deps } from "../service/deps.ts";
import { health } from "../service/health.ts";
import type { MakerHealth } from "../service/ports/ports-makers.ts";
import type { Scope } from "./access/allowances.ts";
import type { Gate } from "./guard/gate.ts";
import { accuracyMetrics } from "./observe/accuracy-metrics.ts";
import { createLateHistogram } from "./observe/late-histogram.ts";
import type { Observer } from "./observe/observed.ts";
import { nodeMetrics, searchMetrics } from "./observe/search-metrics.ts";

/** One answered request. `route` is the route's pattern, since the number of paths that callers send is unbounded. */
type Answered = {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
};

/** Metrics of the process, with their Prometheus exposition. */
export type Metrics = Observer & {
  answered(answer: Answered): void;
  /** Counts a quote whose simulation disagreed with it, so that another route was searched for. */
  rerouted(chainId: number): void;
  /** Counts a request that a rate limit refused. */
  limited(scope: Scope): void;
  readonly contentType: string;
  text(): Promise<string>;
  /** The samples of `text` as objects. */
  samples(): Promise<readonly Sample[]>;
};

/** One sample: a line of the Prometheus text format. */
export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createMetrics(deps: Deps, gate: Gate, processMetrics: boolean): Metrics {
  const register = new Registry();
  const registers = [register];
  if (processMetrics) collectDefaultMetrics({ register });
  const duration = createLateHistogram({
    name: "braid_http_request_seconds",
    help: "Time from a request's headers to its answer",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  const reroutes = new Counter({
    name: "braid_quote_reroutes_total",
    help: "Quotes whose own simulation disagreed with them",
    labelNames: ["chain"],
    registers,
  });
  const limited = new Counter({
    name: "braid_rate_limited_total",
    help: "Requests refused, by what ran out: address, key, key_address or quota",
    labelNames: ["scope"],
    registers,
  });
  new Gauge({
    name: "braid_searches_running",
    help: "Prices and quotes in work",
    registers,
    collect() {
      this.set(gate.running());
    },
  });
  chainGauges(deps, registers);
  nodeMetrics(deps, registers);
  accuracyMetrics(deps, registers);
  return {
    ...searchMetrics(registers),
    answered: ({ method, route, status, seconds }) =>
      duration.observe({ method, route, status: String(status) }, seconds),
    rerouted: (chainId) => reroutes.inc({ chain: String(chainId) }),
    limited: (scope) => limited.inc({ scope }),
    contentType: register.contentType,
    text: () => register.metrics(),
    samples: () => samplesOf(register),
  };
}

async function samplesOf(register: Registry): Promise<readonly Sample[]> {
  const families = await register.getMetricsAsJSON();
  return families.flatMap(({ name, values }) =>
    values.map((each) => ({
      name: "metricName" in each ? String(each.metricName) : name,
      labels: Object.fromEntries(Object.entries(each.labels).map(([key, label]) => [key, String(label)])),
      value: each.value,
    })),
  );
}

type Read = (chain: ReturnType<typeof health>[number]) => number | undefined;

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);

function chainGauges(deps: Deps, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: Read) =>
    new Gauge({
      name,
      help,
      labelNames: ["chain"],
      registers,
      collect() {
        // A chain whose state is built again has no block and no age; the last ones would stand still.
        this.reset();
        for (const chain of health(deps)) {
          const value = read(chain);
          if (value !== undefined) this.set({ chain: String(chain.chainId) }, value);
        }
      },
    });
  gauge("braid_chain_block", "Newest block in memory", (chain) => chain.head?.number);
  gauge("braid_chain_age_seconds", "Since the head was confirmed", ({ ageMs }) => seconds(ageMs));
  gauge("braid_chain_block_age_seconds", "Since the newest block came", ({ headAgeMs }) =>
    seconds(headAgeMs),
  );
  gauge("braid_chain_fit", "1 = the chain can be priced", (chain) => (chain.trouble === undefined ? 1 : 0));
  gauge("braid_chain_router", "1 = the router is there", (chain) =>
    chain.routerTrouble === undefined ? 1 : 0,
  );
  gauge("braid_chain_pools", "Pools in memory", (chain) => chain.counts.pools);
  gauge("braid_chain_tokens", "Tokens in memory", (chain) => chain.counts.tokens);
  gauge("braid_chain_quarantined", "Pools that are quarantined", (chain) => chain.counts.quarantined);
  shareGauge(deps, registers, {
    name: "braid_pools_by_design",
    help: "Pools in memory by the design of their exchange",
    label: "protocol",
    read: ({ counts }) => counts.byProtocol,
  });
  shareGauge(deps, registers, {
    name: "braid_pools_refused",
    help: "Pools that are not priced, by reason",
    label: "reason",
    read: ({ counts }) => counts.refused,
  });
  makerGauges(deps, registers);
  shareGauge(deps, registers, {
    name: "braid_pool_checks",
    help: "Checks of pools that simulations disagreed with, by outcome",
    label: "outcome",
    read: ({ checks }) => checks,
  });
}

type Shares = {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: (chain: ReturnType<typeof health>[number]) => Readonly<Record<string, number>>;
};

/** A gauge with one value per label value; label values that are no longer reported are dropped. */
function shareGauge(deps: Deps, registers: Registry[], { name, help, label, read }: Shares): void {
  new Gauge({
    name,
    help,
    labelNames: ["chain", label],
    registers,
    collect() {
      this.reset();
      for (const chain of health(deps))
        for (const [key, count] of Object.entries(read(chain)))
          this.set({ chain: String(chain.chainId), [label]: key }, count);
    },
  });
}

function makerGauges(deps: Deps, registers: Registry[]): void {
  new Gauge({
    name: "braid_maker_orders",
    help: "Orders that makers were asked for, by outcome",
    labelNames: ["chain", "maker", "outcome"],
    registers,
    collect() {
      for (const { chainId, makers } of health(deps))
        for (const { name, orders } of makers)
          for (const [outcome, count] of Object.entries(orders))
            this.set({ chain: String(chainId), maker: name, outcome }, count);
    },
  });
  const gauge = (name: string, help: string, read: (maker: MakerHealth) => number) =>
    new Gauge({
      ...{ name, help, registers },
      labelNames: ["chain", "maker"],
      collect() {
        for (const { chainId, makers } of health(deps))
          for (const maker of makers) this.set({ chain: String(chainId), maker: maker.name }, read(maker));
      },
    });
  gauge("braid_maker_fade_rate", "Smoothed share of orders not given", ({ fadeRate }) => fadeRate);
  gauge("braid_maker_live", "1 = its levels are in the market", ({ phase }) => (phase === "live" ? 1 : 0));
  gauge("braid_maker_blocked_seconds", "Until it is asked again", ({ blockedForMs }) => blockedForMs / 1000);
}
