import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Address, NATIVE } from "../../src/core/types.ts";
import { plainRequest } from "../../src/service/pricing/price.ts";
import { createFeed, type FeedEvent } from "../../src/service/streams/feed.ts";
import { createWorld, LONELY, USDC } from "./world.ts";

/** Offers of streams come after everybody's. */

let api: Awaited<ReturnType<typeof createWorld>>;
let now = 0;
let stops: (() => void)[] = [];
beforeEach(async () => {
  api = await createWorld();
  now = 0;
});
afterEach(async () => {
  for (const stop of stops) stop();
  stops = [];
  api.world.nextBlock();
  await api.app.close();
});

function open(idle: (mostMs: number) => Promise<void>) {
  const told: string[] = [];
  const order: string[] = [];
  const deps = { ...api.deps, monotonicMs: () => now };
  const onBug = (error: unknown) => void told.push(`${error}`);
  const feed = createFeed(deps, { idle, onBug });
  return {
    told,
    feed,
    /** Callers in the order in which their offers were made. */
    order,
    follow(ether: number, caller = "a", tokenOut: Address = USDC) {
      const amount = BigInt(ether) * 10n ** 18n;
      const request = plainRequest({ chainId: 1, tokenIn: NATIVE, tokenOut, amount });
      const tell = ({ kind }: FeedEvent) => {
        told.push(kind);
        order.push(caller);
      };
      stops.push(feed.follow(request, caller, tell));
    },
  };
}

test("one is searched for at a time, however many begin at once", async () => {
  let begun = 0;
  let next: () => void = () => undefined;
  Object.defineProperty(api.world, "hold", {
    get: () => {
      begun += 1;
      return new Promise<void>((resolve) => {
        next = resolve;
      });
    },
  });
  const { follow, told } = open(async () => undefined);
  for (const ether of [1, 2, 3]) follow(ether);
  await expect.poll(() => begun).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const count of [1, 2, 3]) {
    expect([begun, told.length]).toEqual([count, count - 1]);
    next();
    await expect.poll(() => [begun, told.length]).toEqual([Math.min(3, count + 1), count]);
  }
});

test("none is made before nobody else waits, and a load that never ends leaves them a twentieth of the time", async () => {
  const asked: { mostMs: number; resolve: () => void }[] = [];
  const { follow, told } = open((mostMs) => new Promise((resolve) => asked.push({ mostMs, resolve })));
  api.world.onSearch = () => {
    now += 100;
  };
  follow(1);
  await expect.poll(() => asked.length).toBe(1);
  expect([told, now]).toEqual([[], 0]);
  asked[0]!.resolve();
  await expect.poll(() => told).toEqual(["offer"]);
  for (let k = 1; k < 30; k++) {
    api.world.nextBlock();
    await expect.poll(() => asked.length, { interval: 1 }).toBe(k + 1);
    asked[k]!.resolve();
    await expect.poll(() => told.length, { interval: 1 }).toBe(k + 1);
  }
  // The first offers are made sooner, until it is known how long one takes.
  expect(asked.map(({ mostMs }) => Math.round(mostMs)).slice(0, 3)).toEqual([0, 380, 684]);
  expect(asked.at(-1)!.mostMs).toBeCloseTo(19 * 100, -1);
});

test("callers take turns by the time that their offers took, however many requests one of them follows", async () => {
  const { follow, order } = open(async () => undefined);
  api.world.onSearch = () => {
    now += 1_000;
  };
  for (let ether = 1; ether <= 5; ether++) follow(ether, "many");
  follow(6, "one");
  await expect.poll(() => order.length).toBe(6);
  expect(order).toEqual(["many", "one", "many", "many", "many", "many"]);
  for (let k = 2; k < 5; k++) {
    api.world.nextBlock();
    await expect.poll(() => order.length).toBe(6 * k);
    expect(order.slice(-6)).toEqual(["one", "many", "many", "many", "many", "many"]);
  }
});

test("a search is on the account of the caller whose turn it is, and not on one that all streams share", async () => {
  const session = vi.spyOn(api.deps.chains.get(1)!.market, "session");
  const { follow, told } = open(async () => undefined);
  follow(1, "one");
  follow(2, "other");
  await expect.poll(() => told.length).toBe(2);
  expect(session.mock.calls.map(([caller]) => caller)).toEqual(["streams of one", "streams of other"]);
});

test("an offer of a block that another one of its height replaced is made again", async () => {
  const { follow, told } = open(async () => undefined);
  follow(1);
  await expect.poll(() => told.length).toBe(1);
  const { status } = api.world;
  if (status.phase === "live") api.world.status = { ...status, head: { ...status.head, hash: "0xf0" } };
  await expect.poll(() => told.length, { timeout: 5_000 }).toBe(2);
});

test("a request that fails again and again is tried in every eighth block", async () => {
  const { follow, order, told } = open(async () => undefined);
  follow(1, "failing", LONELY);
  await expect.poll(() => told).toEqual(["failed"]);
  follow(1, "sound");
  const count = (caller: string) => order.filter((one) => one === caller).length;
  await expect.poll(() => count("sound")).toBe(1);
  for (let k = 2; k <= 40; k++) {
    api.world.nextBlock();
    await expect.poll(() => count("sound"), { interval: 1 }).toBe(k);
  }
  // After 1, 2 and 4 blocks, and then four times after 8.
  expect(count("failing")).toBeGreaterThanOrEqual(7);
  expect(count("failing")).toBeLessThanOrEqual(8);
});

test("a request that failed in an outage is tried in the first block after it", async () => {
  const { follow, told } = open(async () => undefined);
  const setAge = (ageMs: number) => {
    const { status } = api.world;
    if (status.phase === "live") api.world.status = { ...status, ageMs };
  };
  follow(1);
  await expect.poll(() => told).toEqual(["offer"]);
  setAge(1e6);
  for (let k = 1; k <= 6; k++) {
    api.world.nextBlock();
    await expect.poll(() => told).toEqual(["offer", ...Array(k).fill("failed")]);
  }
  setAge(0);
  api.world.nextBlock();
  await expect.poll(() => told).toEqual(["offer", ...Array(6).fill("failed"), "offer"]);
});

test("a bug in telling one listener is reported, and the others are told", async () => {
  const { follow, told, feed } = open(async () => undefined);
  const amount = 10n ** 18n;
  const request = plainRequest({ chainId: 1, tokenIn: NATIVE, tokenOut: USDC, amount });
  stops.push(
    feed.follow(request, "a", () => {
      throw new Error("cannot be told");
    }),
  );
  follow(1, "b");
  await expect.poll(() => told).toEqual(["Error: cannot be told", "offer"]);
});
