/**
 * `npm run bench:streams`: what followers of offers cost those who ask for prices. The same load is put on one service without and
 * with streams, by turns. Readers and clients run in processes of their own on the same cores.
 *
 *   -- --streams 1000 --pairs 50     streams, and the different requests that they follow
 *   -- --pools 2000                  size of the seeded market
 *   -- --changes 1000                pools that each block changes, one block a second
 *   -- --seconds 3                   how long each part is measured in each round
 *   -- --rounds 5                    rounds, whose medians are printed
 *   -- --workers 0,1                 numbers of search threads
 *   -- --page docs/benchmarks.md     writes the tables there too
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { createMarkets } from "../http/markets.ts";
import { writePage } from "../http/page.ts";
import { endAll, serveFiles } from "../http/processes.ts";
import { figure, table } from "../routing/report/table.ts";
import { type Figure, measure, type Wanted } from "./measure.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    streams: { ...text, default: "1000" },
    pairs: { ...text, default: "50" },
    pools: { ...text, default: "2000" },
    changes: { ...text, default: "1000" },
    seconds: { ...text, default: "3" },
    rounds: { ...text, default: "5" },
    workers: { ...text, default: "0,1" },
    page: text,
  },
});

function wholeNumber(name: Exclude<keyof typeof values, "page">, least: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name}: a whole number from ${least} on is wanted, not "${values[name]}"`);
}

const wanted: Wanted = {
  streams: wholeNumber("streams", 1),
  pairs: wholeNumber("pairs", 1),
  rounds: wholeNumber("rounds", 1),
  durationMs: 1_000 * wholeNumber("seconds", 2),
};
const changes = wholeNumber("changes", 1);
const counts = values.workers.split(",").map(Number);
if (counts.length === 0 || counts.some((count) => !(Number.isInteger(count) && count >= 0)))
  throw new Error(`--workers: numbers like 0,1 are wanted, not "${values.workers}"`);

const shown = (value: number, decimals: number) => (Number.isNaN(value) ? "" : figure(value, decimals));

function tableOf(threads: number, figures: readonly Figure[]): string {
  const head = [
    `${threads} ${threads === 1 ? "thread" : "threads"}`,
    "without streams",
    "with streams",
    "ratio",
  ];
  const rows = figures.map((one) => [
    one.name,
    shown(one.without, 1),
    shown(one.with, 1),
    one.without === 0 ? "" : shown(one.ratio, 2),
  ]);
  return table(head, rows);
}

const markets = createMarkets();
try {
  const { name, ...files } = markets.seeded(wholeNumber("pools", 1));
  const head =
    `${wanted.streams} streams over ${wanted.pairs} requests; ${name}, ${changes} of them changed a block, a block a second. ` +
    `Medians of ${wanted.rounds} rounds of ${values.seconds} s, by turns. ${cpus()[0]?.model ?? "unknown"}, ` +
    `${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} before, Node ${process.version}`;
  const tables: string[] = [];
  for (const threads of counts) {
    const service = await serveFiles({ name, ...files }, threads, changes);
    tables.push(tableOf(threads, await measure(service, wanted)));
    await service.end();
    console.log(`${tables.at(-1)}\n`);
  }
  console.log(head);
  if (values.page !== undefined) writePage(values.page, "streams", [head, ...tables].join("\n\n"));
} finally {
  endAll();
  markets.remove();
}
