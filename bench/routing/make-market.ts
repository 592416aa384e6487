import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { MarketFile, Order } from "./schema.ts";
import { seededMarket } from "./seeded.ts";

/** Writes a seeded, arbitrage-free market and orders on it. */
function main(): void {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      seed: { ...text, default: "1" },
      tokens: { ...text, default: "500" },
      pools: { ...text, default: "2000" },
      count: { ...text, default: "500" },
      orders: text,
      out: text,
    },
  });
  if (values.out === undefined) throw new Error("--out FILE is missing");
  const size = { tokens: Number(values.tokens), pools: Number(values.pools), orders: Number(values.count) };
  const { file, orders } = seededMarket(Number(values.seed), size);
  writeMarket(values.out, file);
  const ordersFile = values.orders ?? values.out.replace(/(\.json)?$/, ".orders.json");
  writeOrders(ordersFile, orders);
  const market = `${values.out}: ${file.tokens.length} tokens, ${file.pools.length} pools`;
  console.log(`${market}; ${ordersFile}: ${orders.length} orders`);
}

/** A pool a line. */
function writeMarket(path: string, { pools, ...head }: MarketFile): void {
  const rows = pools.map((pool) => JSON.stringify(pool)).join(",\n");
  writeFileSync(path, `${JSON.stringify(head).slice(0, -1)},"pools":[\n${rows}\n]}\n`);
}

function writeOrders(path: string, orders: readonly Order[]): void {
  writeFileSync(path, `[\n${orders.map((order) => JSON.stringify(order)).join(",\n")}\n]\n`);
}

main();
