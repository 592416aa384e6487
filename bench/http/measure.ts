import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { type Floor, floorOf } from "./floor/floor.ts";
import type { Heap } from "./heaps.ts";
import type { Seen } from "./load.ts";
import { QUIET, type Service, under, underAll } from "./processes.ts";
import { percentile, type Reading } from "./reading.ts";

/** Figures of one service by their names, in the order in which they are printed; NaN where there is none. */
export type Row = Readonly<Record<string, number>>;

/** What one number of search threads came to: the median of its rounds, and the median of the rounds' ratios to the first. */
export type Column = { readonly threads: number; readonly row: Row; readonly ratio: number };

const rounded = (value: number) => Number(value.toFixed(1));

type Measured = { readonly threads: number; readonly service: Service; readonly rows: Row[] };

/**
 * Services are asked by turns, each round by round, so that another load of the machine meets them alike. Blocks come to the one
 * that is asked.
 *
 * @param services by their number of search threads
 */
export async function measure(
  services: ReadonlyMap<number, Service>,
  { rounds, durationMs }: { readonly rounds: number; readonly durationMs: number },
): Promise<Column[]> {
  const made = [...services].map(([threads, service]): Measured => ({ threads, service, rows: [] }));
  for (const { service } of made) await service.inside?.rest();
  for (let round = 0; round < rounds; round++)
    for (const { threads, service, rows } of made) {
      await service.inside?.work();
      const { url, paths } = service;
      if (round === 0) await under({ url, paths, clients: 8, durationMs: durationMs * 2 });
      rows.push(await measureOnce(service, { threads, durationMs }));
      await service.inside?.rest();
    }
  const collected: Row[] = [];
  for (const { service, threads } of made)
    collected.push({ ...(await collectedOf(service)), ...(await takeoverOf(service, threads)) });
  const rates = made.map(({ rows }) => rows.map((row) => row[RATE]!));
  return made.map(({ threads, rows }, k) => ({
    threads,
    row: { ...medians(rows), ...collected[k]! },
    ratio: percentile(
      rates[k]!.map((rate, round) => rate / rates[0]![round]!),
      0.5,
    ),
  }));
}

const RATE = "prices/s, 8 clients";

type Part = { readonly threads: number; readonly durationMs: number };

/** Throughput at 8 clients, and what others wait while nobody and while 64 clients ask for prices. */
async function measureOnce(service: Service, part: Part): Promise<Row> {
  const { url, paths } = service;
  const { durationMs } = part;
  const quiet = { url, ...QUIET, durationMs };
  const [alone] = await underAll([{ ...quiet, paths: ["/livez"] }]);
  const eight = await atEight(service, part);
  const many = await atMany(service, durationMs);
  const same = await under({ url, clients: 8, durationMs: durationMs / 2, paths: paths.slice(0, 10) });
  return {
    ...eight,
    ...(await netOfGas(service, part)),
    "/livez p99 ms, no other client": alone!.p99Ms,
    ...many,
    "ten prices again and again, /s": same.perSecond,
    "one path, 3 hops: prices/s a thread": await onePath(service, part),
    ...(await memoryOf(service)),
    "load of the machine": loadavg()[0]!,
  };
}

async function atEight(service: Service, { threads, durationMs }: Part): Promise<Row> {
  const { url, paths } = service;
  const idle = await service.reading();
  await setTimeout(durationMs);
  const before = await service.reading();
  const eight = await under({ url, clients: 8, durationMs, paths });
  const after = await service.reading();
  // Blocks cost the main thread as much without requests, and as many seconds may hold one more.
  const blocks = before.blocks.length === 0 ? 1 : after.blocks.length / before.blocks.length;
  const blocksMs = blocks * (before.mainCpuMs - idle.mainCpuMs);
  const outsideMs = after.mainCpuMs - before.mainCpuMs - blocksMs;
  const answers = Math.max(1, eight.answers);
  const busyMs = (after.cpuMs - before.cpuMs - (after.mainCpuMs - before.mainCpuMs)) / answers;
  const isKnown = threads > 0 && !Number.isNaN(busyMs);
  const bytes = isKnown ? await bytesOf(`${url}${paths[0]}`) : 0;
  const floor = isKnown ? await floorOf({ threads, busyMs, bytes, durationMs }) : NO_FLOOR;
  return {
    [RATE]: eight.perSecond,
    "prices/s a thread, 8 clients": eight.perSecond / Math.max(1, threads),
    "p50 ms": eight.p50Ms,
    "p99 ms": eight.p99Ms,
    "not 200": eight.answers - eight.good,
    "CPU ms a request": (after.cpuMs - before.cpuMs) / answers,
    "CPU outside the search, us a request": threads === 0 ? Number.NaN : (1_000 * outsideMs) / answers,
    "the same of plain HTTP and empty threads, us": floor.mainUs,
    "/livez p99 ms, 64 clients of plain HTTP and empty threads": floor.livezMs,
    "event loop delay p99 ms": after.delayP99Ms,
    "event loop delay max ms": after.delayMaxMs,
  };
}

const NO_FLOOR: Floor = { mainUs: Number.NaN, livezMs: Number.NaN };

/** What the page asks for: routes chosen net of their gas. */
async function netOfGas(service: Service, { durationMs }: Part): Promise<Row> {
  const paths = service.paths.map((path) => `${path}&withGas=true`);
  const seen = await under({ url: service.url, clients: 8, durationMs, paths });
  return { "net of gas: prices/s, 8 clients": seen.perSecond, "net of gas: p99 ms": seen.p99Ms };
}

async function bytesOf(url: string): Promise<number> {
  return (await (await fetch(url)).text()).length;
}

/** Of one thread that is ended after all else: what then answers is the spare, or a thread that is started. */
async function takeoverOf({ inside, url, paths }: Service, threads: number): Promise<Row> {
  if (inside === undefined || threads === 0) return { [ALONE]: Number.NaN, [TAKEOVER]: Number.NaN };
  await inside.work();
  // A service that rested has to see a block before it prices again.
  await setTimeout(1_500);
  const begunMs = performance.now();
  await fetch(`${url}${paths.at(-1)}`);
  const aloneMs = performance.now() - begunMs;
  const ms = await inside.takeover(paths.at(-2)!);
  await inside.rest();
  return { [ALONE]: rounded(aloneMs), [TAKEOVER]: ms };
}

const ALONE = "a price with no other client, ms";
const TAKEOVER = "from the end of a thread to the next price, ms";

async function atMany(service: Service, durationMs: number): Promise<Row> {
  const { url, paths, chainId } = service;
  const quiet = { url, ...QUIET, durationMs };
  const [many, livez, health, tokens] = (await underAll([
    { url, clients: 64, durationMs, paths },
    { ...quiet, paths: ["/livez"] },
    { ...quiet, paths: ["/health"] },
    { ...quiet, paths: [`/v1/${chainId}/tokens`] },
  ])) as [Seen, Seen, Seen, Seen];
  const loaded: Reading = await service.reading();
  return {
    "/livez p99 ms, 64 price clients": livez.p99Ms,
    "/health p99 ms, 64 price clients": health.p99Ms,
    "/tokens p99 ms, 64 price clients": tokens.p99Ms,
    "prices/s, 64 clients": many.perSecond,
    "told to come again, 64 clients": many.answers - many.good,
    "event loop delay p99 ms, 64 clients": loaded.delayP99Ms,
    "event loop delay max ms, 64 clients": loaded.delayMaxMs,
  };
}

/** The rate at limits like those that others publish theirs for. */
async function onePath({ url, paths, inside }: Service, { threads, durationMs }: Part): Promise<number> {
  const ask = (): Promise<Seen> => under({ url, clients: 8, durationMs, paths });
  const seen = await inside?.onePath(ask);
  return (seen?.perSecond ?? Number.NaN) / Math.max(1, threads);
}

/** Of a process that is under load; `a search thread` is the mean of all of them, the spare one too. */
async function memoryOf({ inside, reading }: Service): Promise<Row> {
  if (inside === undefined) return { "RSS MB": (await reading()).rssMb };
  const { rssMb, main, threads } = await inside.memory();
  return { "RSS MB": rssMb, "main thread MB": takenBy([main]), "a search thread MB": takenBy(threads) };
}

async function collectedOf({ inside }: Service): Promise<Row> {
  if (inside === undefined) return {};
  const { rssMb, main, threads } = await inside.collected();
  const rows = {
    "RSS MB, garbage collected": rssMb,
    "main thread MB, garbage collected": takenBy([main]),
    "a search thread MB, garbage collected": takenBy(threads),
  };
  return Object.fromEntries(Object.entries(rows).map(([name, value]) => [name, rounded(value)]));
}

/** Memory that threads have taken from the machine for themselves, in MB a thread: their heaps, and their arrays outside of those. */
function takenBy(heaps: readonly Heap[]): number {
  return heaps.reduce((sum, { heldMb, arraysMb }) => sum + heldMb + arraysMb, 0) / heaps.length;
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
