import { performance } from "node:perf_hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { counterChain } from "../../../test/faults/counter.ts";
import { createFakeChain } from "../../../test/faults/fake-chain.ts";
import { silent } from "../../../test/faults/follow.ts";
import type { Address, Hex } from "../../core/types.ts";
import type { Endpoint } from "../node/endpoint.ts";
import { newHealth, noteAnswer, noteFailure } from "../node/health.ts";
import { logsBackwards } from "../node/logs/range-logs.ts";
import { startProbe } from "../node/probe.ts";
import { createSeals } from "../node/sealed/seal.ts";
import { NodeFailure } from "../node/transport/failure.ts";
import { createRpc } from "../node/transport/rpc.ts";
import { defaultEdgeSettings, nodeSettings } from "../settings.ts";
import { backfill, type Cursor, newCursor } from "./backfill.ts";
import { noteOf, resumeAt } from "./restart/note.ts";
import type { DiscoveryContext } from "./types.ts";

/** What an interruption of the backfill costs, on a simulated clock. */

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.spyOn(performance, "now").mockImplementation(() => Date.now());
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const word = (k: number) => `0x${k.toString(16).padStart(64, "0")}` as const;
const HEAD = 300_000;
const WIDTH = 10_000;
const LATENCY_MS = 100;
const OUTAGE_MS = 300_000;
/** Sum of the longest pauses of the circuit breaker and of the discovery, and the time of a request. */
const LONGEST_PAUSE_MS = 15_000 + 5_000 + 1_000;

const TOKEN = word(7).slice(0, 42) as Address;
const poolOf = (block: number) => `0x${block.toString(16).padStart(40, "0")}` as Address;
/** A creation log in a block, of a pool whose address is the block's number. */
const creationIn = (block: number) => ({
  ...{ address: "0x00000000000000000000000000000000000000fa", topics: [word(0xc0)], data: "0x" },
  ...{ blockNumber: `0x${block.toString(16)}`, blockHash: word(block), logIndex: "0x0", removed: false },
});

type Page = { readonly first: number; readonly last: number };

/** An endpoint that serves logs of up to 10,000 blocks at once, and is down while `isDown`. */
function provider(isDown: () => boolean) {
  const answered: (Page & { readonly atMs: number })[] = [];
  const triesMs: number[] = [];
  // Prevents the inquiry of abilities, which has nothing to do with the history.
  const health = { ...newHealth(), inquiries: Number.POSITIVE_INFINITY };
  const chain = createFakeChain();
  const send: Endpoint["send"] = async ([request]) => {
    triesMs.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
    if (isDown()) {
      const failure = new NodeFailure("transport", "connection refused");
      noteFailure(health, failure, performance.now());
      throw failure;
    }
    noteAnswer(health, LATENCY_MS);
    if (request!.method !== "eth_getLogs")
      return [{ ok: true, result: chain.answer(request!.method, request!.params) }];
    const [{ fromBlock, toBlock }] = request!.params as [{ fromBlock: string; toBlock: string }];
    const page = { first: Number(fromBlock), last: Number(toBlock) };
    if (page.last - page.first >= WIDTH)
      return [{ ok: false, failure: new NodeFailure("range", "limited to a 10,000 blocks range") }];
    answered.push({ ...page, atMs: performance.now() });
    return [{ ok: true, result: [creationIn(page.first)] }];
  };
  const endpoint: Endpoint = {
    ...{ label: "provider", pushes: false, isLocal: false, isWaking: () => false, health, send },
    ...{ waitMs: () => 0, rate: () => undefined, total: () => 0, batchSize: () => 1, close: () => undefined },
  };
  return { endpoint, answered, triesMs };
}

/** Follows the endpoint's head, so that the endpoint becomes usable again once it has proven its chain. */
function probing(endpoint: Endpoint, signal: AbortSignal): void {
  startProbe(endpoint, {
    ...nodeSettings(counterChain(), defaultEdgeSettings),
    identity: { chainId: counterChain().id, genesis: undefined },
    ...{ seals: createSeals(), signal, log: silent, onHead: () => undefined, onAsked: () => undefined },
    onTrouble: () => undefined,
    routerWatch: { seen: async () => undefined, trouble: () => undefined },
  });
}

/** The parts of a context that reading the history needs; `save` is called after each page. */
function contextOf(
  endpoint: Endpoint,
  signal: AbortSignal,
  save: () => void,
  more: object = {},
): DiscoveryContext {
  const settings = nodeSettings(counterChain(), defaultEdgeSettings);
  const rpc = createRpc([endpoint], settings, signal);
  const head = { number: HEAD, hash: "0x00", parentHash: "0x00", timestamp: 0 };
  const factories = [{ address: "0xfa", fromBlock: 0 }];
  const context = {
    chain: { hubs: [] },
    listed: [],
    dispatch: { factories, creations: ["0xc0"], discover: () => [], pairSources: [] },
    reader: {
      logsBefore: (range: Parameters<typeof logsBackwards>[1]) => logsBackwards(rpc, range, settings),
    },
    market: { head: () => head, port: { nativePer: () => undefined } },
    quietLens: { isUsable: () => false },
    awake: { get: () => undefined, count: () => 0, keep: () => undefined },
    known: { add: () => true },
    progress: { phase: "discovering", step: "", done: 0, total: 0 },
    save: async () => save(),
    ...{ signal, log: silent },
    ...more,
  };
  return context as unknown as DiscoveryContext;
}

/**
 * Reads the history from a cursor until it is complete or `mostPages` more pages were saved.
 *
 * @returns the cursor as saved last
 */
async function read(
  one: ReturnType<typeof provider>,
  cursor: Cursor,
  mostPages: number,
  more?: object,
): Promise<Cursor> {
  const over = new AbortController();
  let kept = structuredClone(cursor);
  let pages = 0;
  const save = () => {
    kept = structuredClone(cursor);
    if (++pages >= mostPages || cursor.isDone) over.abort();
  };
  probing(one.endpoint, over.signal);
  const context = contextOf(one.endpoint, over.signal, save, more);
  const sources = { checkHints: async () => undefined, takeFresh: () => [] };
  const work = backfill(context, cursor, sources);
  for (let turns = 0; !over.signal.aborted && turns < 2_000; turns++) await vi.advanceTimersByTimeAsync(250);
  const isOver = over.signal.aborted;
  over.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await work;
  expect(isOver).toBe(true);
  return kept;
}

/** Number of pages that repeat blocks, number of gaps between pages, and the last block. */
function coverage(pages: readonly Page[]) {
  const ascending = pages.toSorted((a, b) => a.first - b.first);
  const repeated = ascending.filter((page, k) => k > 0 && page.first <= ascending[k - 1]!.last).length;
  const missing = ascending.filter((page, k) => page.first > (ascending[k - 1]?.last ?? -1) + 1).length;
  return { repeated, missing, last: ascending.at(-1)?.last };
}

const WHOLE = { missing: 0, last: HEAD };

test.each([350, 1_000, 2_480])(
  "an outage of five minutes from %i ms on repeats no page, and reading resumes within the longest pause after it",
  async (fromMs) => {
    const start = performance.now() + fromMs;
    const isDown = () => performance.now() >= start && performance.now() < start + OUTAGE_MS;
    const one = provider(isDown);
    const cursor = await read(one, newCursor(), Number.POSITIVE_INFINITY);
    expect(cursor.isDone).toBe(true);
    expect(coverage(one.answered)).toEqual({ ...WHOLE, repeated: 0 });
    const end = start + OUTAGE_MS;
    expect(one.answered.filter(({ atMs }) => atMs < start).length).toBeGreaterThan(0);
    const back = one.answered.find(({ atMs }) => atMs >= end)!;
    expect(back.atMs - end).toBeLessThan(LONGEST_PAUSE_MS);
    // Requests go on during the outage: the pauses between them grow up to a bound.
    const during = one.triesMs.filter((at) => at >= start && at < end);
    const pauses = during.slice(1).map((at, k) => at - during[k]!);
    const longest = Math.max(...pauses);
    expect(longest).toBeGreaterThan(10_000);
    expect(longest).toBeLessThan(LONGEST_PAUSE_MS);
  },
);

test("a process that is killed after any page repeats at most one page", async () => {
  for (let pages = 1; pages < 30; pages += 4) {
    const one = provider(() => false);
    const kept = await read(one, newCursor(), pages);
    const killed = one.answered.length;
    // A page that was answered but not saved yet is lost with the process.
    expect(killed).toBeGreaterThanOrEqual(pages);
    const again = newCursor();
    resumeAt(again, noteOf(kept, HEAD, {}), {});
    expect((await read(one, again, Number.POSITIVE_INFINITY)).isDone).toBe(true);
    const { repeated, ...rest } = coverage(one.answered);
    expect(rest).toEqual(WHOLE);
    expect(repeated).toBeLessThanOrEqual(1);
    // With narrower pages, several pages would repeat what one page had answered before.
    const width = ({ first, last }: Page) => last - first + 1;
    const [before, after] = [one.answered[pages - 1]!, one.answered[killed]!];
    expect(width(after)).toBeGreaterThanOrEqual(width(before));
  }
});

test("pools found while balances cannot be read are checked once they can, and no page is read again", async () => {
  const one = provider(() => false);
  const known = new Set<string>();
  const looked: Address[] = [];
  let failures = 3;
  const balances = async (calls: readonly { readonly data: Hex }[]) => {
    const isLate = one.answered.length > 4 && failures > 0;
    if (isLate && failures-- > 0) throw new NodeFailure("transport", "connection reset");
    looked.push(...calls.map(({ data }) => `0x${data.slice(-40)}` as Address));
    return calls.map(() => word(0));
  };
  const context = {
    dispatch: {
      ...{ factories: [{ address: "0xfa", fromBlock: 0 }], creations: [word(0xc0)], pairSources: [] },
      discover: ({ blockNumber }: { readonly blockNumber: number }) => {
        const address = poolOf(blockNumber);
        return [{ id: address, address, tokens: [TOKEN] }];
      },
    },
    known: { add: ({ id }: { readonly id: string }) => known.size < known.add(id).size },
    market: {
      head: () => ({ number: HEAD, hash: "0x00", parentHash: "0x00", timestamp: 0 }),
      port: { nativePer: () => 1 },
    },
    quietLens: { isUsable: () => true, read: balances },
    wakeDepth: 1,
  };
  const cursor = await read(one, newCursor(), Number.POSITIVE_INFINITY, context);
  expect(cursor.isDone).toBe(true);
  expect(failures).toBe(0);
  expect(coverage(one.answered)).toEqual({ ...WHOLE, repeated: 0 });
  expect(looked.toSorted()).toEqual(one.answered.map(({ first }) => poolOf(first)).toSorted());
});
