import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readMarket, readOrders } from "./market.ts";
import { buildEngine, type OrderResult, quantile, runOrder } from "./run.ts";

/** Routes orders over market files, and prints how near to the bound and how fast. */
function main(): void {
  const { values } = parseArgs({
    options: {
      market: { type: "string", multiple: true },
      orders: { type: "string" },
      "gas-gwei": { type: "string", default: "0" },
      "max-legs": { type: "string", default: "16" },
      budget: { type: "string", default: "1000" },
      json: { type: "string" },
    },
  });
  if (values.market === undefined || values.orders === undefined)
    throw new Error("--market FILE and --orders FILE are missing");
  const market = readMarket(values.market);
  const orders = readOrders(values.orders);
  const { engine, buildMs } = buildEngine(market);
  const options = {
    gasGwei: Number(values["gas-gwei"]),
    maxLegs: Number(values["max-legs"]),
    budgetMs: Number(values.budget),
  };
  for (const order of orders.slice(-50)) runOrder(engine, market, order, options);
  const results = orders.map((order) => runOrder(engine, market, order, options));
  const summary = summarise(results);
  console.log(
    JSON.stringify({ buildMs, graphMb: engine.graphBytes() / 1e6, ...summary, ...engine.counters() }),
  );
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ summary, orders: results }));
}

function summarise(results: readonly OrderResult[]) {
  const ratios = results.flatMap(({ ratio }) => (ratio == null ? [] : [ratio])).sort((a, b) => a - b);
  const ms = results.map((result) => result.ms).sort((a, b) => a - b);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  return {
    ratio: { mean, min: ratios[0], p5: quantile(ratios, 0.05), p50: quantile(ratios, 0.5) },
    ms: { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99), max: ms.at(-1) },
    failed: results.filter(({ error }) => error !== undefined).length,
    unproved: results.filter(({ bound }) => bound === null).length,
  };
}

main();
