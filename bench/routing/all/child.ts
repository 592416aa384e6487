import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Order, OrderResult } from "../market/schema.ts";

/** What the process of one engine is told; it answers each message with one. */
export type Message =
  | { readonly kind: "open"; readonly market: readonly string[]; readonly orders: readonly Order[] }
  | { readonly kind: "ask"; readonly order: Order; readonly gasGwei: number };

/** What a run keeps of an answer; `cpuMs` is what the process worked for it, whatever else the machine did meanwhile. */
export type Kept = Omit<OrderResult, "prices" | "route" | "ratio"> & { readonly cpuMs: number };
export type Opened = { readonly buildMs: number };

/** Legs of a route in all runs of the table. */
const MAX_LEGS = 16;
const BUDGET_MS = 1000;

const [root] = process.argv.slice(2);

/**
 * The bench's own reader and engine of the tree that the process is started for: another commit's has its own. Commits before
 * the bench had rooms hold it in the folder itself.
 */
async function moduleOf<T>(room: string, name: string): Promise<T> {
  const paths = [`${room}/${name}.ts`, `${name}.ts`].map((path) => `${root}/bench/routing/${path}`);
  const path = paths.find((one) => existsSync(one)) ?? paths[0]!;
  return import(pathToFileURL(path).href) as Promise<T>;
}

const { readMarket } = await moduleOf<typeof import("../market/market.ts")>("market", "market");
const { buildEngine, runOrder, warmUpOrders } = await moduleOf<typeof import("../orders/run.ts")>(
  "orders",
  "run",
);

let ask: ((order: Order, gasGwei: number) => Kept) | undefined;

function open({ market: files, orders }: Extract<Message, { kind: "open" }>): Opened {
  const market = readMarket(files);
  const { engine, buildMs } = buildEngine(market);
  ask = (order, gasGwei) => {
    const before = process.cpuUsage();
    const { prices, route, ratio, ...kept } = runOrder(engine, market, order, {
      gasGwei,
      maxLegs: MAX_LEGS,
      budgetMs: BUDGET_MS,
    });
    const { user, system } = process.cpuUsage(before);
    return { ...kept, cpuMs: (user + system) / 1000 };
  };
  for (const order of warmUpOrders(orders)) ask(order, 0);
  return { buildMs };
}

process.on("message", (message: Message) => {
  process.send?.(message.kind === "open" ? open(message) : ask?.(message.order, message.gasGwei));
});
process.on("disconnect", () => process.exit());
