import { writeFileSync } from "node:fs";
import { parseFlags, runCommand, whole, writable } from "./flags.ts";
import { BadInput } from "./market/fields.ts";
import { readMarket } from "./market/market.ts";
import { makeBoard } from "./orders/board.ts";
import { makeOrders } from "./orders/orders.ts";

const USAGE = `bench:orders -- --market FILE... --out FILE
  --market FILE   market/1, pools-univ2/1 or pools-weighted/1; several are read as one market
  --out FILE      the orders: [{"tokenIn", "tokenOut", "amountIn"}]
  --seed S        default 1
  --count N       default 500`;

const MOST_SEED = 2 ** 32 - 1;

/** Writes seeded orders over any market files. */
function main(): number {
  const text = { type: "string" } as const;
  const { values, positionals } = parseFlags({
    allowPositionals: true,
    options: {
      market: { ...text, multiple: true },
      seed: { ...text, default: "1" },
      count: { ...text, default: "500" },
      out: text,
    },
  });
  const files = [...(values.market ?? []), ...positionals];
  if (files.length === 0) throw new BadInput("--market FILE is missing");
  const out = writable("out", values.out);
  const [count, seed] = [whole("count", values.count, 1), whole("seed", values.seed, 0, MOST_SEED)];
  const board = makeBoard(readMarket(files));
  const orders = makeOrders(board, { count, seed });
  writeFileSync(out, `[\n${orders.map((order) => JSON.stringify(order)).join(",\n")}\n]\n`);
  console.log(`${out}: ${orders.length} orders over ${board.market.pools.length} pools`);
  return 0;
}

await runCommand(USAGE, main);
