import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { wrongIn } from "../../test/chain/exact.ts";
import { awakeRow } from "./awake.ts";
import { countedOut } from "./counted-out.ts";
import { followingRows } from "./following.ts";
import { headRows } from "./head.ts";
import {
  ARCHIVE,
  type Backfill,
  type Bench,
  backfilled,
  begin,
  end,
  firstRow,
  inFolder,
  megabytes,
  profileOf,
  type Row,
  type Running,
  seconds,
  topTokens,
  unknownToken,
} from "./rows.ts";

/** What is measured together, on one start of the service. */
export const suites: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  first: withPublicNode,
  slow: onSlowEndpoint,
  backfill: wholeBackfill,
  small: countedOut,
  window: shortStateWindow,
  restart: restarts,
  following: followingRows,
  head: headRows,
  awake: async () => [await awakeRow(20_000), await awakeRow(100_000)],
};

/** 25 items a second, 150 ms, batches of 100, 50 M gas. */
async function withPublicNode(bench: Bench): Promise<Row[]> {
  const running = await begin(bench, profileOf("public"));
  const rows = [firstRow("first exact WETH → USDC, 25/s, 150 ms", running, { s: 15, items: 100 })];
  rows.push(await unknownToken(bench, running));
  rows.push(await topTokens(bench, running));
  await end(running);
  return rows;
}

/** 5 items a second, batches of one, 300 ms, a burst of 10. */
async function onSlowEndpoint(bench: Bench): Promise<Row[]> {
  const running = await begin(bench, profileOf("slow"));
  const rows = [firstRow("first exact WETH → USDC, 5/s, batch 1, 300 ms", running, { s: 60 })];
  await end(running);
  return rows;
}

async function wholeBackfill(bench: Bench): Promise<Row[]> {
  return inFolder(async (dataDir) => {
    const first = await begin(bench, ARCHIVE, { dataDir });
    if (first.firstMs === undefined) {
      await end(first);
      return [{ name: "whole backfill", bar: BACKFILL_BAR, measured: "no first price", ok: false }];
    }
    // Killed in the middle, and started again on the same folder; later nobody answers for some time.
    await announcedShare(bench, first, 0.3);
    await first.service.kill("SIGKILL");
    const second = await begin(bench, ARCHIVE, { dataDir, lab: first.lab });
    await announcedShare(bench, second, 0.6);
    const killed = second.lab.counts().repeatedPages;
    await outage(second);
    const done = await backfilled(bench, second, 10 * bench.patienceS);
    const stallMs = await second.service.stallMs();
    const rss = second.service.rss();
    await settled(second);
    const { pools: awake } = await progressOf(second);
    const stall = Math.max(stallMs, await second.service.stallMs());
    const rows = backfillRows(done, { stallMs: stall, rss, awake, killed });
    await end(second);
    return rows;
  });
}

const BACKFILL_BAR = "≤ 1,600 requests, ≤ 500 MB";

async function announcedShare(bench: Bench, { lab }: Running, share: number): Promise<void> {
  const limit = performance.now() + bench.patienceS * 1000;
  const reached = () => lab.announced.reduce((sum, one) => sum + one, 0) > share * lab.announced.length;
  while (!reached() && performance.now() < limit) await wait(200);
}

/** Longer than any pause between two tries. */
const OUTAGE_MS = 60_000;

async function outage({ lab }: Running): Promise<void> {
  lab.node.fault = "reset";
  await wait(OUTAGE_MS);
  lab.node.fault = "none";
}

/** Some blocks more: what is O(pools) a block shows here. */
async function settled({ service }: Running): Promise<void> {
  void service;
  await wait(30_000);
}

function backfillRows(
  { ms, left, lab }: Backfill,
  { stallMs, rss, awake, killed }: { stallMs: number; rss: number; awake: number; killed: number },
): Row[] {
  const { logRequests, logBytes, repeatedPages } = lab.counts();
  const known = lab.announced.reduce((sum, one) => sum + one, 0);
  const isWhole = left === 0;
  const tail = isWhole ? "" : `, ${left} pools missing`;
  const pools = `${known.toLocaleString("en")} pools known, ${awake.toLocaleString("en")} in the market`;
  return [
    {
      name: "whole backfill, pages of 10,000 blocks",
      bar: BACKFILL_BAR,
      measured: `${logRequests} requests, ${megabytes(logBytes)}, ${seconds(ms)}${tail}`,
      ok: isWhole && logRequests <= 1600 && logBytes <= 500e6,
    },
    {
      name: "pages repeated after kill -9 in the middle",
      bar: "≤ 1",
      measured: `${killed}${tail}`,
      ok: isWhole && killed <= 1,
    },
    {
      name: "pages repeated after an outage in the middle",
      bar: "≤ 1",
      measured: `${repeatedPages - killed} after ${seconds(OUTAGE_MS)}${tail}`,
      ok: isWhole && repeatedPages - killed <= 1,
    },
    {
      name: "resident memory with all pools known",
      bar: "≤ 700 MB",
      measured: `${megabytes(rss)}, ${pools}`,
      ok: isWhole && rss <= 700e6,
    },
    {
      name: "longest stall of the main thread meanwhile",
      bar: "≤ 50 ms of CPU",
      measured: `${Math.round(stallMs)} ms of CPU, ${pools}`,
      ok: isWhole && stallMs <= 50,
    },
  ];
}

/** Three blocks of state: a load that outlives its block must not begin anew. */
async function shortStateWindow(bench: Bench): Promise<Row[]> {
  const running = await begin(bench, { ...profileOf("public"), name: "window", stateBlocks: 3 });
  const row = firstRow("first exact price, states kept for 3 blocks", running, { s: 60 });
  await end(running);
  return [row];
}

/** Of all pools, so many are known when the service is killed: some 400,000 of mainnet's. */
const RESTARTED_SHARE = 0.87;
/** States are written each half minute. */
const NOTED_MS = 35_000;

/** A service that knows most pools is killed, and started again at an endpoint like a provider's. */
async function restarts(bench: Bench): Promise<Row[]> {
  const name = "restart from the checkpoint";
  const bar = "first ≤ 3 s, fresh ≤ 10 s";
  return inFolder(async (dataDir) => {
    const first = await begin(bench, ARCHIVE, { dataDir });
    await announcedCount(bench, first, RESTARTED_SHARE * first.lab.announced.length);
    await wait(NOTED_MS);
    const known = await progressOf(first);
    await first.service.kill("SIGKILL");
    await first.lab.close();
    const second = await begin(bench, profileOf("public"), { dataDir });
    const cpuSeconds = second.service.cpuSeconds();
    const freshMs = await freshAfter(bench, second);
    const whole = await readAgainAfter(bench, second, known.pools);
    const again = await progressOf(second);
    const stallMs = await second.service.stallMs();
    const memory = await memoryRow(second, again);
    await end(second);
    const firstMs = second.firstMs ?? Infinity;
    const isWhole = known.pools_known > 100_000 && again.pools_known >= known.pools_known;
    const counts = [known, again].map(({ pools_known }) => pools_known.toLocaleString("en"));
    const told = `${counts[0]} pools known, then ${counts[1]}${second.wrong.length > 0 ? `, inexact: ${second.wrong[0]}` : ""}`;
    return [
      {
        name,
        bar,
        measured: `first ${secondsOr(second.firstMs)} (${cpuSeconds.toFixed(1)} s of CPU), ${second.firstItems} items, fresh ${secondsOr(freshMs)}, ${told}`,
        ok: firstMs <= 3000 && (freshMs ?? Infinity) <= 10_000 && isWhole && second.wrong.length === 0,
      },
      {
        name: "all that were in the market, read again",
        bar: "all, no stall > 50 ms of CPU",
        measured: `${whole.pools} of ${known.pools} after ${secondsOr(whole.ms)}, longest stall ${Math.round(stallMs)} ms of CPU`,
        ok: whole.pools >= known.pools && stallMs <= 50,
      },
      memory,
    ];
  });
}

/** Most of what is known, and the most in the market: what all threads have in memory, before and after the main one collected. */
async function memoryRow({ service }: Running, { pools, pools_known }: Progress): Promise<Row> {
  const rss = service.rss();
  const highest = service.highestRss();
  await service.collect();
  const counts = `${pools_known.toLocaleString("en")} pools known, ${pools.toLocaleString("en")} in the market`;
  return {
    name: "resident memory after the restart",
    bar: "≤ 700 MB",
    measured: `${megabytes(rss)}, ${megabytes(service.rss())} once collected, ${megabytes(highest)} at most; ${counts}`,
    ok: rss <= 700e6 && pools > 0,
  };
}

const secondsOr = (ms: number | undefined) => (ms === undefined ? "never" : seconds(ms));

async function announcedCount(bench: Bench, { lab }: Running, count: number): Promise<void> {
  const limit = performance.now() + 10 * bench.patienceS * 1000;
  const reached = () => lab.announced.reduce((sum, one) => sum + one, 0) > count;
  while (!reached() && performance.now() < limit) await wait(200);
}

type Progress = { readonly pools: number; readonly pools_known: number };

async function progressOf({ service }: Running): Promise<Progress> {
  const text = await service.page("/status");
  const none = { pools: 0, pools_known: 0 };
  return text === undefined ? none : ((JSON.parse(text) as { chains: Progress[] }).chains[0] ?? none);
}

/** Waits until as many pools are in the market as were before. */
async function readAgainAfter(bench: Bench, running: Running, wanted: number) {
  const limit = bench.patienceS * 1000;
  for (;;) {
    const { pools } = await progressOf(running);
    const ms = performance.now() - running.service.startedAt;
    if (pools >= wanted || ms > limit) return { pools, ms };
    await wait(200);
  }
}

/** Milliseconds until a price is exact at the newest block or the one before it. */
async function freshAfter(bench: Bench, { service, firstMs }: Running): Promise<number | undefined> {
  if (firstMs === undefined) return undefined;
  while (performance.now() - service.startedAt < 30_000) {
    const offer = await service.price({ from: WETH, to: USDC, amount: 10n ** 18n });
    const isNew = offer !== undefined && offer.block_number >= bench.chain.head().number - 1;
    if (isNew && wrongIn(bench.chain, offer) === undefined) return performance.now() - service.startedAt;
    await wait(100);
  }
  return undefined;
}

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
