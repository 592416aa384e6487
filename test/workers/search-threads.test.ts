import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import type { Head } from "../../src/core/types.ts";
import { createInProcessBus } from "../../src/edge/workers/in-process-bus.ts";
import { openSearchThreads, type SearchThreads } from "../../src/edge/workers/search-threads.ts";
import type { Published } from "../../src/edge/workers/state-bus.ts";
import { FAULTS } from "./planted.ts";
import { ask, chain, changeOf, headOf } from "./pools.ts";

/** A search without an end is stopped soon; one that takes all memory has time to, however slow the machine is. */
const TIMEOUTS: ReadonlyMap<bigint, { readonly timeoutMs: number }> = new Map([
  [FAULTS.loops, { timeoutMs: 100 }],
  [FAULTS.hoards, { timeoutMs: 60_000 }],
]);

const open: SearchThreads[] = [];
afterEach(async () => {
  for (const threads of open.splice(0)) await threads.stop();
});

const POOLS = Array.from({ length: 12 }, (_, k) => k);
const VIEW = { get: () => undefined };
const REGISTRY_URL = new URL("./planted.ts", import.meta.url).href;

const LIMITS = {
  ...{ graceMs: 300, answerMs: 60_000, levelMs: 60_000 },
  ...{ spareMs: 0, restartMs: 1_000, oldMb: 128, youngMb: 16 },
};

type Given = {
  readonly count?: number;
  readonly graceMs?: number;
  readonly waitMs?: number;
  readonly mostWaiting?: number;
  readonly spareMs?: number;
};

/** Threads over a market of twelve pools at block 100, whose designs have faults. */
async function started({
  count = 1,
  graceMs = 300,
  waitMs = 60_000,
  mostWaiting = 100,
  spareMs = 0,
}: Given = {}) {
  const bus = createInProcessBus(chain.id, 1);
  let begun = 0;
  const follow: typeof bus.follow = (follower) => {
    begun += 1;
    return bus.follow(follower);
  };
  const lines: { msg: string; reason?: string; caller?: string; stopped?: number }[] = [];
  const threads = openSearchThreads({
    ...{ count, bus: { ...bus, follow }, waitMs, mostWaiting },
    data: { chain, registryUrl: REGISTRY_URL, listed: [] },
    limits: {
      graceMs,
      answerMs: 60_000,
      levelMs: 60_000,
      spareMs,
      restartMs: 1_000,
      oldMb: 128,
      youngMb: 16,
    },
    log: pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  open.push(threads);
  let head: Head = headOf(100);
  const publish = (change: Published) => {
    head = change.head;
    bus.publish(change);
  };
  publish(changeOf(100, POOLS));
  await threads.level;
  const block = () => ({
    head,
    at: { blockNumber: head.number + 1, timestamp: head.timestamp + 12 },
    view: VIEW,
    isPreconfirmed: false,
  });
  const paid = (caller: string, amount: bigint) =>
    threads.session(caller, block, async (session) => {
      const result = await session.find(ask(amount, TIMEOUTS.get(amount) ?? {}));
      return {
        block: session.head.number,
        out: result.kind === "found" ? result.route.amountOut : undefined,
      };
    });
  return { threads, publish, paid, block, lines, begun: () => begun };
}

const E18 = 10n ** 18n;
const LEVEL = "a search thread is level";

test("answers carry their own block: a change waits until the session ends, and no longer", async () => {
  const { threads, publish, paid, block } = await started();
  const before = await paid("a", E18);
  const during = await threads.session("a", block, async ({ find, head }) => {
    const first = await find(ask(E18));
    publish(changeOf(101, POOLS));
    publish(changeOf(102, POOLS));
    const second = await find(ask(E18));
    return {
      block: head.number,
      amounts: [first, second].map((r) => r.kind === "found" && r.route.amountOut),
    };
  });
  expect(during).toEqual({ block: 100, amounts: [before.out, before.out] });
  const after = await paid("a", E18);
  expect(after.block).toBe(102);
  expect(after.out).not.toBe(before.out);
});

test("a thread that is many blocks behind answers for the newest", async () => {
  const { publish, paid } = await started({ count: 2 });
  for (let block = 101; block <= 160; block++) publish(changeOf(block, POOLS));
  const answers = await Promise.all(["a", "b", "c"].map((caller) => paid(caller, E18)));
  expect(new Set(answers.map((answer) => answer.block))).toEqual(new Set([160]));
  expect(new Set(answers.map((answer) => answer.out)).size).toBe(1);
});

test.each([
  ["a search without an end", FAULTS.loops, /computed for more than \d+ ms/],
  ["a design that takes all memory", FAULTS.hoards, /memory/],
])("%s costs its own caller the answer, and others nothing", async (_name, amount, reason) => {
  const { paid, lines } = await started();
  const usual = await paid("victim", E18);
  await expect(paid("attacker", amount)).rejects.toMatchObject({ reason: "OVERLOADED" });
  expect(await paid("victim", E18)).toEqual(usual);
  while (lines.filter(({ msg }) => msg === LEVEL).length < 3) await setTimeout(10);
  expect(lines.find((line) => line.reason !== undefined)?.reason).toMatch(reason);
  expect(await paid("victim", E18)).toEqual(usual);
});

test("a spare thread leaves the processor to the first answers: it is started later", async () => {
  const { paid, begun } = await started({ spareMs: 60_000 });
  const usual = await paid("victim", E18);
  expect(begun()).toBe(1);
  await paid("attacker", FAULTS.loops).catch(() => undefined);
  expect(await paid("victim", E18)).toEqual(usual);
  expect(begun()).toBe(2);
});

test("where another thread takes over, the one that is started anew leaves the processor to who waits", async () => {
  const { paid, begun, lines } = await started();
  while (lines.filter(({ msg }) => msg === LEVEL).length < 2) await setTimeout(10);
  const usual = await paid("victim", E18);
  await paid("attacker", FAULTS.loops).catch(() => undefined);
  expect(await paid("victim", E18)).toEqual(usual);
  expect(begun()).toBe(2);
  while (lines.filter(({ msg }) => msg === LEVEL).length < 3) await setTimeout(10);
  expect(begun()).toBe(3);
});

test.runIf(process.platform === "linux")(
  "search threads stand back behind all others of the process",
  async () => {
    const before = nicenessOfThreads();
    const { lines } = await started({ count: 2 });
    while (lines.filter(({ msg }) => msg === LEVEL).length < 3) await setTimeout(10);
    const own = Math.max(...before.values());
    const lower = [...nicenessOfThreads()].filter(([id, niceness]) => !before.has(id) && niceness > own);
    expect(lower).toHaveLength(3);
    expect(getPriority()).toBe(own);
  },
);

/** By the number of each thread of this process. */
function nicenessOfThreads(): Map<number, number> {
  const nicenesses = new Map<number, number>();
  for (const id of readdirSync("/proc/self/task").map(Number)) {
    try {
      nicenesses.set(id, getPriority(id));
    } catch {
      // It ended after it was listed.
    }
  }
  return nicenesses;
}

test("a caller whose search had to be stopped has no other begun for a while, and others have", async () => {
  const { paid, lines } = await started();
  const usual = await paid("victim", E18);
  await expect(paid("attacker", FAULTS.loops)).rejects.toMatchObject({ reason: "OVERLOADED" });
  await expect(paid("attacker", E18)).rejects.toThrow("did not end and was stopped");
  expect(await paid("victim", E18)).toEqual(usual);
  expect(lines.filter(({ caller }) => caller !== undefined)).toMatchObject([
    { caller: "attacker", stopped: 1 },
  ]);
});

test("a thread in which something throws beside its searches is replaced, and no caller pays for it", async () => {
  const { paid, lines } = await started();
  const usual = await paid("a", E18);
  // The search may be answered before its thread ends, and is stopped otherwise.
  await paid("a", FAULTS.throws).catch(() => undefined);
  while (lines.filter(({ msg }) => msg === LEVEL).length < 3) await setTimeout(10);
  expect(lines.find((line) => line.reason !== undefined)?.reason).toContain("a fault outside every search");
  expect(await paid("a", E18)).toEqual(usual);
});

test("a caller with 64 searches in flight delays the first of another by one at most", async () => {
  const { paid } = await started();
  const order: string[] = [];
  const all = Array.from({ length: 64 }, (_, k) =>
    paid("greedy", 2n * E18 + 1000n + BigInt(k)).then(() => order.push("greedy")),
  );
  all.push(paid("modest", E18).then(() => order.push("modest")));
  await Promise.all(all);
  expect(order.indexOf("modest")).toBeLessThanOrEqual(2);
  expect(order).toHaveLength(65);
});

test("what would have to wait too long, or has no place, is refused at once and told when to come again", async () => {
  const { paid } = await started({ mostWaiting: 4 });
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => paid("greedy", E18)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason);
  expect(refused).toHaveLength(7);
  for (const error of refused) expect([error.reason, error.retryAfterSeconds]).toEqual(["OVERLOADED", 1]);
});

test("sessions of two threads run side by side", async () => {
  const { threads, block } = await started({ count: 2 });
  expect(threads.parallel).toBe(2);
  let running = 0;
  let most = 0;
  const session = () =>
    threads.session("a", block, async ({ find }) => {
      running += 1;
      most = Math.max(most, running);
      await find(ask(E18));
      running -= 1;
    });
  await Promise.all([session(), session(), session(), session()]);
  expect(most).toBe(2);
});

test("threads that cannot start are tried again ever more rarely, the log ends with what to do, and it is known", async () => {
  const lines: { level: number; msg: string }[] = [];
  const threads = openSearchThreads({
    ...{ count: 1, bus: createInProcessBus(chain.id, 1), waitMs: 60_000, mostWaiting: 100 },
    data: { chain, registryUrl: new URL("./not-there.ts", import.meta.url).href, listed: [] },
    limits: { ...LIMITS, restartMs: 1 },
    log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  open.push(threads);
  expect(threads.trouble()).toBeUndefined();
  while (threads.trouble() === undefined) await setTimeout(10);
  expect(threads.trouble()).toContain("do not start");
  const before = lines.length;
  expect(before).toBe(5);
  expect(lines.at(-1)).toMatchObject({ level: 50, msg: expect.stringContaining("ROUTE_WORKERS=0") });
});

test("a process that may have no more threads goes on, and searches once it may", async () => {
  const lines: { reason?: string }[] = [];
  const bus = createInProcessBus(chain.id, 1);
  let asked = 0;
  // Where the system gives no thread, the constructor of a worker throws: here while it copies the data.
  const data = {
    ...{ registryUrl: REGISTRY_URL, listed: [] },
    get chain() {
      asked += 1;
      if (asked < 3) throw new Error("the system gives no thread");
      return chain;
    },
  };
  const threads = openSearchThreads({
    ...{ count: 1, bus, data, waitMs: 60_000, mostWaiting: 100 },
    limits: { ...LIMITS, restartMs: 1 },
    log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  });
  open.push(threads);
  bus.publish(changeOf(100, POOLS));
  await threads.level;
  expect(lines.map(({ reason }) => reason)).toEqual(
    Array(2).fill("it was not created: the system gives no thread"),
  );
});
