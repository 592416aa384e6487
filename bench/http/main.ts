/**
 * `npm run bench:http`: the service under load, over real sockets. Market, search threads, use cases and HTTP are the
 * service's; a node there is none, so only prices are asked. Clients run in processes of their own on the same cores.
 *
 *   -- --market FILE --orders FILE   the market to serve; a seeded one of 2,000 pools unless given
 *   -- --seconds 5                   how long each part is measured
 *   -- --workers 0,1,2               numbers of search threads that are compared
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readOrders } from "../routing/market/market.ts";
import { seededFiles } from "./files.ts";
import type { Seen } from "./load.ts";
import type { Order } from "./load-process.ts";
import type { Reading } from "./reading.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    market: text,
    orders: text,
    seconds: { ...text, default: "5" },
    workers: { ...text, default: "0,1,2" },
    changes: { ...text, default: "1000" },
  },
});
const durationMs = 1000 * Number(values.seconds);
if (!(durationMs > 0)) throw new Error(`--seconds: a number above 0 is wanted, not "${values.seconds}"`);
const counts = values.workers.split(",").map(Number);
if (counts.length === 0 || counts.some((count) => !(Number.isInteger(count) && count >= 0)))
  throw new Error(`--workers: numbers like 0,1,2 are wanted, not "${values.workers}"`);
if ((values.market === undefined) !== (values.orders === undefined))
  throw new Error("--market and --orders go together");
const files = values.market === undefined ? seededFiles() : { market: values.market, orders: values.orders! };

const children = new Set<ChildProcess>();
function start(script: string, ...args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: ["--max-semi-space-size=64"],
  });
  children.add(child);
  return child;
}

async function message<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`a process ended: ${code}`)));
  const [value] = await Promise.race([once(child, "message"), ended]);
  return value as T;
}

async function under(order: Order): Promise<Seen> {
  const clients = start("load-process.ts");
  const seen = message<Seen>(clients);
  clients.send(order);
  const result = await seen;
  end(clients);
  return result;
}

function end(child: ChildProcess): void {
  children.delete(child);
  child.disconnect();
}

async function readingOf(service: ChildProcess): Promise<Reading> {
  const reading = message<Reading>(service);
  service.send("reading");
  return reading;
}

/** Different requests, so that a kept answer serves none of them within a block. */
function pathsOf(file: string): string[] {
  const orders = readOrders(file);
  return Array.from({ length: 20 * orders.length }, (_, k) => {
    const { tokenIn, tokenOut, amountIn } = orders[k % orders.length]!;
    const amount = BigInt(amountIn) + BigInt(k);
    return `/v1/1/price?fromTokenAddress=${tokenIn}&toTokenAddress=${tokenOut}&amount=${amount}`;
  });
}

type Row = Record<string, string | number>;
const ms = (value: number) => Number(value.toFixed(1));

/** One number of search threads: throughput at 8 clients, and what others wait while 64 clients ask for prices. */
async function measure(count: number, paths: readonly string[]): Promise<Row> {
  const service = start("serve.ts", files.market, `${count}`, values.changes);
  const { url, pools } = await message<{ url: string; pools: number }>(service);
  await under({ url, clients: 8, durationMs: durationMs / 2, paths });
  const before = await readingOf(service);
  const eight = await under({ url, clients: 8, durationMs, paths });
  const after = await readingOf(service);
  const quiet = { url, clients: 1, durationMs, pauseMs: 20 };
  const [many, livez, health, tokens] = await Promise.all([
    under({ url, clients: 64, durationMs, paths }),
    under({ ...quiet, paths: ["/livez"] }),
    under({ ...quiet, paths: ["/health"] }),
    under({ ...quiet, paths: ["/v1/1/tokens"] }),
  ]);
  const loaded = await readingOf(service);
  const same = await under({ url, clients: 8, durationMs, paths: paths.slice(0, 10) });
  end(service);
  return {
    threads: count,
    pools,
    "price/s, 8 clients": ms(eight.perSecond),
    "p50 ms": ms(eight.p50Ms),
    "p99 ms": ms(eight.p99Ms),
    "not 200": eight.answers - eight.good,
    "CPU ms a request": ms((after.cpuMs - before.cpuMs) / Math.max(1, eight.answers)),
    "loop delay p99 ms": ms(after.delayP99Ms),
    "at 64: price/s": ms(many.perSecond),
    refused: many.answers - many.good,
    "/livez p99 ms": ms(livez.p99Ms),
    "/health p99 ms": ms(health.p99Ms),
    "/tokens p99 ms": ms(tokens.p99Ms),
    "loop delay max ms": ms(loaded.delayMaxMs),
    "RSS MB": Math.round(loaded.rssMb),
    "ten requests again and again, /s": ms(same.perSecond),
  };
}

try {
  const paths = pathsOf(files.orders);
  const rows: Row[] = [];
  for (const count of counts) rows.push(await measure(count, paths));
  console.log(
    `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, Node ${process.version}, ${files.market}`,
  );
  for (const name of Object.keys(rows[0]!))
    console.log(`${name.padEnd(36)}${rows.map((row) => String(row[name]).padStart(10)).join("")}`);
  const [first] = rows;
  const rate = "price/s, 8 clients";
  const ratios = rows.map((row) => (Number(row[rate]) / Number(first![rate])).toFixed(2).padStart(10));
  console.log(`${"throughput, ratio to the first".padEnd(36)}${ratios.join("")}`);
} finally {
  for (const child of children) if (child.connected) child.disconnect();
}
