import { loadavg } from "node:os";
import type { Seen } from "./load.ts";
import { type Service, under } from "./processes.ts";
import { percentile, type Reading } from "./reading.ts";

/** Figures of one service by their names, in the order in which they are printed. */
export type Row = Readonly<Record<string, number>>;

/** What one number of search threads came to: the median of its rounds, and the median of the rounds' ratios to the first. */
export type Column = { readonly threads: number; readonly row: Row; readonly ratio: number };

const rounded = (value: number) => Number(value.toFixed(1));

/**
 * Services are asked by turns, each round by round, so that another load of the machine meets them alike.
 *
 * @param services by their number of search threads
 */
export async function measure(
  services: ReadonlyMap<number, Service>,
  { rounds, durationMs }: { readonly rounds: number; readonly durationMs: number },
): Promise<Column[]> {
  for (const { url, paths } of services.values())
    await under({ url, clients: 8, durationMs: durationMs * 2, paths });
  const made = [...services].map(([threads, service]) => ({ threads, service, rows: [] as Row[] }));
  for (let round = 0; round < rounds; round++)
    for (const { service, rows } of made) rows.push(await measureOnce(service, durationMs));
  const rates = made.map(({ rows }) => rows.map((row) => row[RATE]!));
  return made.map(({ threads, rows }, k) => ({
    threads,
    row: medians(rows),
    ratio: percentile(
      rates[k]!.map((rate, round) => rate / rates[0]![round]!),
      0.5,
    ),
  }));
}

const RATE = "prices/s, 8 clients";

/** Throughput at 8 clients, and what others wait while nobody and while 64 clients ask for prices. */
async function measureOnce(service: Service, durationMs: number): Promise<Row> {
  const { url, paths, chainId } = service;
  const quiet = { url, clients: 1, durationMs, pauseMs: 20 };
  const alone = await under({ ...quiet, paths: ["/livez"] });
  const before = await service.reading();
  const eight = await under({ url, clients: 8, durationMs, paths });
  const after = await service.reading();
  const [many, livez, health, tokens] = await Promise.all([
    under({ url, clients: 64, durationMs, paths }),
    under({ ...quiet, paths: ["/livez"] }),
    under({ ...quiet, paths: ["/health"] }),
    under({ ...quiet, paths: [`/v1/${chainId}/tokens`] }),
  ]);
  const loaded = await service.reading();
  const same = await under({ url, clients: 8, durationMs: durationMs / 2, paths: paths.slice(0, 10) });
  return {
    ...atEight(eight, before, after),
    "/livez p99 ms, no other client": alone.p99Ms,
    "/livez p99 ms, 64 price clients": livez.p99Ms,
    "/health p99 ms, 64 price clients": health.p99Ms,
    "/tokens p99 ms, 64 price clients": tokens.p99Ms,
    "prices/s, 64 clients": many.perSecond,
    "told to come again, 64 clients": many.answers - many.good,
    "event loop delay max ms, 64 clients": loaded.delayMaxMs,
    "ten prices again and again, /s": same.perSecond,
    "RSS MB": loaded.rssMb,
    "load of the machine": loadavg()[0]!,
  };
}

function atEight(eight: Seen, before: Reading, after: Reading): Row {
  return {
    [RATE]: eight.perSecond,
    "p50 ms": eight.p50Ms,
    "p99 ms": eight.p99Ms,
    "not 200": eight.answers - eight.good,
    "CPU ms a request": (after.cpuMs - before.cpuMs) / Math.max(1, eight.answers),
    "event loop delay p99 ms": after.delayP99Ms,
  };
}

function medians(rows: readonly Row[]): Row {
  const names = Object.keys(rows[0]!);
  const medianOf = (name: string) =>
    rounded(
      percentile(
        rows.map((row) => row[name]!),
        0.5,
      ),
    );
  return Object.fromEntries(names.map((name) => [name, medianOf(name)]));
}
