import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { Chain } from "../../test/chain/blocks/chain.ts";
import { wrongIn } from "../../test/chain/exact.ts";
import { mix } from "../../test/chain/model/hash.ts";
import { type Profile, profileOf } from "../../test/chain/node/profiles.ts";
import { type Lab, openLab } from "./lab.ts";
import { type Ask, type Service, startService } from "./service.ts";

/** One line of the table. */
export type Row = {
  readonly name: string;
  readonly bar: string;
  readonly measured: string;
  readonly ok: boolean;
};

export type Bench = {
  readonly chain: Chain;
  /** What chooses tokens and moments. */
  readonly seed: number;
  /** Seconds that a row may take before it counts as missed. */
  readonly patienceS: number;
  readonly say: (line: string) => void;
};

const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const ONE: Ask = { from: WETH, to: USDC, amount: 10n ** 18n };

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Pages of 10,000 blocks without a limit on their number, so that minutes suffice for the whole of it. */
export const ARCHIVE: Profile = { ...profileOf("public"), name: "archive", perSecond: 0, latencyMs: 10 };

export type Running = {
  readonly lab: Lab;
  readonly service: Service;
  /** Milliseconds from the start of the process to the first exact price; undefined: it never came. */
  readonly firstMs: number | undefined;
  readonly firstItems: number;
  /** What was wrong with prices that were not exact. */
  readonly wrong: readonly string[];
};

type StartOptions = {
  readonly dataDir?: string | undefined;
  readonly lab?: Lab;
  readonly patienceS?: number;
};

/** Starts a service on a node with this profile and waits for its first exact price. */
export async function begin(bench: Bench, profile: Profile, options: StartOptions = {}): Promise<Running> {
  const lab = options.lab ?? (await openLab(bench.chain, profile));
  const before = lab.counts().items;
  const service = await startService({ urls: [lab.node.farUrl], dataDir: options.dataDir });
  const wrong: string[] = [];
  const limitMs = (options.patienceS ?? bench.patienceS) * 1000;
  let firstMs: number | undefined;
  while (firstMs === undefined && performance.now() - service.startedAt < limitMs) {
    const offer = await service.price(ONE);
    const fault = offer === undefined ? "" : wrongIn(bench.chain, offer);
    if (fault === undefined) firstMs = performance.now() - service.startedAt;
    else if (fault !== "") wrong.push(fault);
    if (firstMs === undefined) await wait(50);
  }
  // What loading the program holds up is in the time to the first price; stalls are those of a service that serves.
  await service.stallMs();
  return { lab, service, firstMs, firstItems: lab.counts().items - before, wrong };
}

export async function end({ lab, service }: Pick<Running, "lab" | "service">): Promise<void> {
  await service.kill("SIGTERM");
  await lab.close();
}

export function firstRow(
  name: string,
  { firstMs, firstItems, wrong }: Running,
  bars: { s: number; items?: number },
): Row {
  const bar = `≤ ${bars.s} s${bars.items === undefined ? "" : `, ≤ ${bars.items} items`}`;
  const inexact = wrong.length > 0 ? `, ${wrong.length} inexact: ${wrong[0]}` : "";
  if (firstMs === undefined) return { name, bar, measured: `none, ${firstItems} items${inexact}`, ok: false };
  const ok = firstMs <= bars.s * 1000 && firstItems <= (bars.items ?? Infinity) && wrong.length === 0;
  return { name, bar, measured: `${seconds(firstMs)}, ${firstItems} items${inexact}`, ok };
}

/** A price of a token that nobody asked for yet: of the long tail, with a pool of some depth. */
export async function unknownToken(bench: Bench, { lab, service, firstMs }: Running): Promise<Row> {
  const name = "unknown token priced";
  const bar = "≤ 1.5 s, ≤ 6 requests";
  if (firstMs === undefined) return { name, bar, measured: "no first price", ok: false };
  const { universe } = bench.chain;
  const times: number[] = [];
  const counts: number[] = [];
  const wrong: string[] = [];
  for (let k = 0; times.length < 5 && k < 2000; k++) {
    const pool = mix(bench.seed, k, 41) % universe.count;
    const found = tailToken(bench.chain, pool);
    if (found === undefined || lab.read[pool] === 1) continue;
    const counted = lab.record();
    const start = performance.now();
    const ask = { from: WETH, to: found.token, amount: 10n ** 15n };
    let offer = await service.price(ask);
    while (offer === undefined && performance.now() - start < 15_000) {
      await wait(100);
      offer = await service.price(ask);
    }
    times.push(performance.now() - start);
    counts.push(counted([found.token.slice(2), universe.key(pool).slice(2)]));
    const fault = offer === undefined ? "no price" : wrongIn(bench.chain, offer);
    if (fault !== undefined) wrong.push(fault);
  }
  const slowest = Math.max(...times);
  const most = Math.max(...counts);
  const faults = wrong.length > 0 ? `, ${wrong.length} of ${times.length} wrong: ${wrong[0]}` : "";
  const ok = slowest <= 1500 && most <= 6 && wrong.length === 0;
  return {
    name,
    bar,
    measured: `${seconds(slowest)}, ${most} requests (worst of ${times.length})${faults}`,
    ok,
  };
}

/** The long tail's token of a v2 pair that holds some depth. */
function tailToken({ universe, state, head }: Chain, pool: number) {
  if (universe.rangeOf(pool).kind !== "v2" || universe.rank(pool) !== 2) return undefined;
  if (depthOf({ universe, state, head }, pool) < SOME_DEPTH) return undefined;
  const [a, b] = universe.pair(pool);
  return { token: universe.tokens.address(a === 0 ? b : a) };
}

/** Wei of the wrapped coin from which on a pair is worth being read. */
const SOME_DEPTH = 10n ** 17n;

/** What a v2 pair holds of the wrapped coin, wei; 0 where it has none, or was not made yet. */
function depthOf(
  { universe, state, head }: Pick<Chain, "universe" | "state" | "head">,
  pool: number,
): bigint {
  const place = universe.pair(pool).indexOf(0);
  const now = state(pool, head());
  return now !== undefined && "reserves" in now ? (now.reserves[place] ?? 0n) : 0n;
}

/** The v2 pairs with WETH of listed tokens, those of them that hold some depth: when have their states been read? */
export async function topTokens(bench: Bench, { lab, service, firstMs }: Running): Promise<Row> {
  const name = "pools of the listed tokens read";
  const bar = "≤ 60 s";
  if (firstMs === undefined) return { name, bar, measured: "no first price", ok: false };
  const { universe } = bench.chain;
  const [pairs] = universe.ranges;
  const wanted: number[] = [];
  for (let pool = pairs!.first; pool < pairs!.first + pairs!.count; pool++) {
    if (universe.rank(pool) === 1 && depthOf(bench.chain, pool) >= SOME_DEPTH) wanted.push(pool);
  }
  const missing = () => wanted.filter((pool) => lab.read[pool] === 0).length;
  const limitMs = Math.min(bench.patienceS, 120) * 1000;
  while (missing() > 0 && performance.now() - service.startedAt < limitMs) await wait(500);
  const ms = performance.now() - service.startedAt;
  const left = missing();
  const measured =
    left === 0
      ? `${seconds(ms)}, ${wanted.length} pairs`
      : `${wanted.length - left} of ${wanted.length} after ${seconds(ms)}`;
  return { name, bar, measured, ok: left === 0 && ms <= 60_000 };
}

export type Backfill = { readonly ms: number; readonly left: number; readonly lab: Lab };

/** Items a second above which more than the head is asked for. */
const IDLE_ITEMS = 10;

/** Waits until every pool of the history is announced. */
export async function backfilled(
  bench: Bench,
  { lab, service }: Running,
  patienceS: number,
): Promise<Backfill> {
  const { universe, history } = bench.chain;
  const wanted: number[] = [];
  for (let pool = 0; pool < universe.count; pool++)
    if (history.createdIn(pool) !== undefined) wanted.push(pool);
  const left = () => wanted.filter((pool) => lab.announced[pool] === 0).length;
  const start = performance.now();
  let [last, lastAt, items] = [left(), start, lab.counts().items];
  while (last > 0 && performance.now() - start < patienceS * 1000) {
    await wait(1000);
    const now = left();
    const asked = lab.counts().items;
    if (now !== last || asked > items + IDLE_ITEMS) [last, lastAt] = [now, performance.now()];
    items = asked;
    // Nothing has been asked for a minute but for the head: nothing will come.
    if (performance.now() - lastAt > 60_000) break;
  }
  void service;
  return { ms: performance.now() - start, left: last, lab };
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "braid-bootstrap-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export { profileOf };
