import { end, message, type Service, start, under } from "../http/processes.ts";
import { percentile, type Reading } from "../http/reading.ts";
import type { Heard } from "./readers.ts";
import type { ReadersOrder } from "./readers-process.ts";

export type Wanted = {
  readonly streams: number;
  /** Different requests that the streams follow. */
  readonly pairs: number;
  readonly rounds: number;
  readonly durationMs: number;
};

/** The same load without and with streams; a ratio is the median of the rounds' own. */
export type Figure = {
  readonly name: string;
  /** NaN where it says nothing. */
  readonly without: number;
  readonly with: number;
  readonly ratio: number;
};

type Row = Readonly<Record<string, number>>;
type Streams = { heard(): Promise<Heard>; close(): Promise<void> };

/** A load that leaves the service time: about a third of what it can answer in a market of 2,000 pools. */
const PACED = { clients: 4, pauseMs: 40 };
const ASKING_ON = { clients: 8, pauseMs: 0 };

/**
 * Asks one service for the same prices with and without streams, by turns, beginning with each every other time.
 *
 * @throws Error where a stream ends before it is closed
 */
export async function measure(service: Service, wanted: Wanted): Promise<Figure[]> {
  const { url, paths } = service;
  await under({ url, clients: 8, durationMs: wanted.durationMs, paths });
  const without: Row[] = [];
  const withStreams: Row[] = [];
  const bare = async () => void without.push(await underLoad(service, wanted));
  const followed = async () => void withStreams.push(await followedLoad(service, wanted));
  for (let round = 0; round < wanted.rounds; round++)
    for (const half of round % 2 === 0 ? [bare, followed] : [followed, bare]) await half();
  return Object.keys(withStreams[0]!).map((name) => figureOf(name, without, withStreams));
}

function figureOf(name: string, without: readonly Row[], withStreams: readonly Row[]): Figure {
  const median = (values: readonly (number | undefined)[]) =>
    percentile(values.filter((value) => value !== undefined && Number.isFinite(value)).map(Number), 0.5);
  const ratios = withStreams.map((row, round) => row[name]! / (without[round]?.[name] ?? Number.NaN));
  return {
    name,
    without: median(without.map((row) => row[name])),
    with: median(withStreams.map((row) => row[name])),
    ratio: median(ratios),
  };
}

async function underLoad(service: Service, { durationMs }: Wanted): Promise<Row> {
  const { url, paths } = service;
  const before = await service.reading();
  const paced = await under({ url, durationMs, paths, ...PACED });
  const between = await service.reading();
  const on = await under({ url, durationMs, paths, ...ASKING_ON });
  const after = await service.reading();
  return {
    "prices/s, 4 clients that pause 40 ms": paced.perSecond,
    "p50 ms": paced.p50Ms,
    "p99 ms": paced.p99Ms,
    "prices/s, 8 clients that ask on": on.perSecond,
    "CPU ms a price": (between.cpuMs - before.cpuMs) / Math.max(1, paced.answers),
    "p50 ms, 8 clients": on.p50Ms,
    "p99 ms, 8 clients": on.p99Ms,
    "CPU ms a price, 8 clients": (after.cpuMs - between.cpuMs) / Math.max(1, on.answers),
    "not 200": paced.answers - paced.good + on.answers - on.good,
  };
}

async function followedLoad(service: Service, wanted: Wanted): Promise<Row> {
  const streams = await openStreams(service, wanted);
  const alone = await aloneFor(service, streams, wanted.durationMs);
  const loaded = await underLoad(service, wanted);
  const { offers, open } = await streams.heard();
  if (open !== wanted.streams) throw new Error(`${wanted.streams - open} streams ended by themselves`);
  await streams.close();
  return { ...loaded, ...alone, "offers told/s under these loads": (500 * offers) / wanted.durationMs };
}

/** What the streams come to while nobody asks for prices. */
async function aloneFor(service: Service, streams: Streams, durationMs: number): Promise<Row> {
  await Promise.all([streams.heard(), service.reading()]);
  const before = await searchesOf(service);
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  const [heard, after, reading] = await Promise.all([
    streams.heard(),
    searchesOf(service),
    service.reading(),
  ]);
  const blocks = Math.max(1, reading.blocks.length);
  const lagsMs = lagsOf(heard, reading);
  return {
    "searches a block, streams alone": (after - before) / blocks,
    "streams told a block": sum(Object.values(heard.told)) / blocks,
    "ms from a block to the last reader": percentile(lagsMs, 0.5),
    "failures and last words told": heard.others,
  };
}

/** The first and the last block are cut off by the measurement. */
function lagsOf({ lastMs }: Heard, { blocks }: Reading): number[] {
  return blocks
    .slice(0, -1)
    .flatMap(([block, atMs]) => (lastMs[block] === undefined ? [] : lastMs[block] - atMs));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

async function searchesOf({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return sum([...text.matchAll(/^braid_searches_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count)));
}

async function openStreams({ url, paths }: Service, { streams, pairs }: Wanted): Promise<Streams> {
  const child = start("../streams/readers-process.ts");
  const ask = async (order: ReadersOrder) => {
    const heard = message<Heard>(child);
    child.send(order);
    return heard;
  };
  const followed = paths.slice(0, pairs).map((path) => path.replace("/price?", "/price/stream?"));
  await ask({ url, paths: followed, count: streams });
  return { heard: () => ask("heard"), close: () => end(child) };
}
