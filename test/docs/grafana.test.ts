import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stages } from "../../src/service/deps.ts";
import { get, post } from "../api/ask.ts";
import { createWorld, LONELY, USDC, WETH } from "../api/world.ts";

/** The dashboard against what /metrics answers, by name, label and kind. */

type Panel = { title: string; description: string; targets: { expr: string; legendFormat: string }[] };
const dashboard = JSON.parse(readFileSync(new URL("../../docs/grafana.json", import.meta.url), "utf8")) as {
  panels: Panel[];
};
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

let kinds: Map<string, string>;
let samples: string[];
let api: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  api = await createWorld({ http: { rateLimitPerMinute: 3 } });
  const maker = { name: "M", phase: "live", pairs: 1, orders: { given: 1 }, fadeRate: 0.05, blockedForMs: 0 };
  Object.assign(api.deps.chains.get(1)!, { makers: { health: () => [maker] } });
  const pair = { fromTokenAddress: WETH, toTokenAddress: USDC, amount: "1000000000000000000" };
  await get(api, "/v1/1/quote", { ...pair, slippage: "10" });
  await get(api, "/v1/1/price", { ...pair, toTokenAddress: LONELY });
  await get(api, "/v1/1/price", pair);
  await post(api, "/v2/tokens/list", "{}");
  const lines = (await get(api, "/metrics")).text.split("\n");
  samples = lines.filter((line) => line.startsWith("braid_"));
  kinds = new Map(
    lines
      .filter((line) => line.startsWith("# TYPE braid_"))
      .map((line) => line.split(" ").slice(2) as [string, string]),
  );
});
afterAll(() => api.app.close());

const seriesIn = (expr: string): string[] => expr.match(/braid_[a-z_]+/g) ?? [];
const familyOf = (series: string): string => series.replace(/_(bucket|count|sum)$/, "");

test("every metric of the service is on the dashboard, and nothing else is", () => {
  const shown = new Set(
    expressions.flatMap(seriesIn).map((series) => (kinds.has(series) ? series : familyOf(series))),
  );
  expect([...shown].toSorted()).toEqual([...kinds.keys()].toSorted());
  expect(kinds.size).toBeGreaterThan(15);
});

test("every stage of a request is counted, and named where the stages are shown", async () => {
  const counted = new Set(
    samples.flatMap((line) => /^braid_stage_seconds_count\{.*stage="(\w+)"/.exec(line)?.[1] ?? []),
  );
  expect([...counted].toSorted()).toEqual([...stages].toSorted());
  const panel = dashboard.panels.find(({ targets }) => targets[0]!.expr.includes("braid_stage_seconds"))!;
  const help = (await get(api, "/metrics")).text
    .split("\n")
    .find((line) => line.startsWith("# HELP braid_stage"))!;
  const { text: status } = await get(api, "/status", {}, { accept: "text/html" });
  for (const stage of stages) {
    expect(panel.description).toMatch(new RegExp(`\\b${stage}\\b`));
    expect(help).toMatch(new RegExp(`\\b${stage}\\b`));
    expect(status).toContain(`>${stage}<`);
  }
});

test("counters and histograms are shown as rates, gauges as they are", () => {
  for (const expr of expressions)
    for (const series of seriesIn(expr)) {
      const isGauge = kinds.get(series) === "gauge";
      expect([expr, expr.includes(`rate(${series}`)]).toEqual([expr, !isGauge]);
    }
});

test("labels by which the dashboard sums, filters and names are labels of these metrics", () => {
  const rare: Record<string, string[]> = {
    braid_executed_loss_bps: ["chain", "horizon", "quantile"],
    braid_node_failures_total: ["chain", "endpoint", "kind"],
    braid_node_usable: ["chain", "endpoint"],
    braid_node_behind_blocks: ["chain", "endpoint"],
    braid_node_latency_seconds: ["chain", "endpoint", "quantile"],
    braid_pools_refused: ["chain", "reason"],
    braid_quote_loss_bps: ["chain", "source", "class", "horizon", "quantile"],
    braid_quote_reroutes_total: ["chain"],
    braid_searches_unproven_total: ["chain"],
  };
  for (const { targets } of dashboard.panels)
    for (const { expr, legendFormat } of targets)
      for (const series of seriesIn(expr)) {
        const sample = samples.find((line) => line.startsWith(`${series}{`)) ?? "";
        const known = rare[series] ?? [...sample.matchAll(/([a-z_]+)="/g)].map(([, label]) => label!);
        const used = [
          ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(", ")),
          ...[...expr.matchAll(/[{,]([a-z_]+)=~?"/g)].map(([, label]) => label!),
          ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
        ];
        expect([expr, used.filter((label) => !known.includes(label))]).toEqual([expr, []]);
      }
});
