import { writeFileSync } from "node:fs";
import { parseFlags, runCommand, whole, writable } from "./flags.ts";
import type { MarketFile, Order } from "./market/schema.ts";
import { FEWEST_TOKENS, seededMarket } from "./market/seeded.ts";

const USAGE = `bench:market -- --out FILE
  --out FILE      the market (market/1)
  --seed S        default 1; the same seed gives the same market on every machine
  --tokens T      default 500
  --pools P       default 2000; none is mispriced by more than its fee, so no cycle of pools pays
  --dust N        default 0; N more pools of 0.01 to 100 USD a side, mispriced by 1 to 50 %, of every design; the other pools and
                  the orders are those of the market without dust
  --curve N       default 0; N more Curve pools, priced within their fees: base pools with metapools over them, and dynamic fees;
                  the other pools and the orders are those of the market without; --verify has no formulas for them
  --count N       orders, default 500
  --orders FILE   where they go; default: beside the market, .orders.json`;

const MOST_SEED = 2 ** 32 - 1;

/** Writes a seeded market and orders on it. */
function main(): number {
  const text = { type: "string" } as const;
  const { values } = parseFlags({
    options: {
      seed: { ...text, default: "1" },
      tokens: { ...text, default: "500" },
      pools: { ...text, default: "2000" },
      dust: { ...text, default: "0" },
      curve: { ...text, default: "0" },
      count: { ...text, default: "500" },
      orders: text,
      out: text,
    },
  });
  const out = writable("out", values.out);
  const ordersFile = writable("orders", values.orders ?? out.replace(/(\.json)?$/, ".orders.json"));
  const dust = whole("dust", values.dust);
  const curve = whole("curve", values.curve);
  const { file, orders } = seededMarket(whole("seed", values.seed, 0, MOST_SEED), {
    tokens: whole("tokens", values.tokens, FEWEST_TOKENS),
    pools: whole("pools", values.pools, 1),
    orders: whole("count", values.count, 1),
    dust,
    curve,
  });
  writeMarket(out, file);
  writeOrders(ordersFile, orders);
  const dusty = dust > 0 ? `, ${dust} of them dust` : "";
  const curves = curve > 0 ? `, ${curve} of Curve on top` : "";
  const market = `${out}: ${file.tokens.length} tokens, ${file.pools.length} pools${dusty}${curves}`;
  console.log(`${market}; ${ordersFile}: ${orders.length} orders`);
  return 0;
}

/** A pool a line. */
function writeMarket(path: string, { pools, ...head }: MarketFile): void {
  const rows = pools.map((pool) => JSON.stringify(pool)).join(",\n");
  writeFileSync(path, `${JSON.stringify(head).slice(0, -1)},"pools":[\n${rows}\n]}\n`);
}

function writeOrders(path: string, orders: readonly Order[]): void {
  writeFileSync(path, `[\n${orders.map((order) => JSON.stringify(order)).join(",\n")}\n]\n`);
}

await runCommand(USAGE, main);
