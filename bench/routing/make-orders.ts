import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeBoard } from "./board.ts";
import { readMarket } from "./market.ts";
import { makeOrders } from "./orders.ts";

/** Writes seeded orders over any market files. */
function main(): void {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      market: { ...text, multiple: true },
      seed: { ...text, default: "1" },
      count: { ...text, default: "500" },
      out: text,
    },
  });
  const files = [...(values.market ?? []), ...positionals];
  if (files.length === 0 || values.out === undefined)
    throw new Error("--market FILE... --out FILE are missing");
  const board = makeBoard(readMarket(files));
  const orders = makeOrders(board, { count: Number(values.count), seed: Number(values.seed) });
  writeFileSync(values.out, `[\n${orders.map((order) => JSON.stringify(order)).join(",\n")}\n]\n`);
  console.log(`${values.out}: ${orders.length} orders over ${board.market.pools.length} pools`);
}

main();
