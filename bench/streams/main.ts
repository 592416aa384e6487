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
import { readFlags, wholeNumber } from "../../scripts/command-line.ts";
import { createMarkets } from "../http/markets.ts";
import { writePage } from "../http/page.ts";
import { endAll, serveFiles } from "../http/processes.ts";
import { figure, table } from "../routing/report/table.ts";
import { type Figure, measure, type Wanted } from "./measure.ts";

const text = { type: "string" } as const;
const { values } = readFlags({
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

const wanted: Wanted = {
  streams: wholeNumber("streams", values.streams, 1),
  pairs: wholeNumber("pairs", values.pairs, 1),
  rounds: wholeNumber("rounds", values.rounds, 1),
  durationMs: 1_000 * wholeNumber("seconds", values.seconds, 2),
};
const changes = wholeNumber("changes", values.changes, 1);
const counts = values.workers.split(",").map((count) => wholeNumber("workers", count, 0));

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
  const { name, ...files } = markets.seeded(wholeNumber("pools", values.pools, 1));
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
