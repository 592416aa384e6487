import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pollGapMs } from "./pace.ts";
import { createTokenBucket, type TokenBucket, type Urgency } from "./token-bucket.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An endpoint that accepts `perSecond` items a second, and up to `burst` at once. */
function endpoint(perSecond: number, burst: number) {
  let level = burst;
  let at = Date.now();
  return (items: number): boolean => {
    level = Math.min(burst, level + ((Date.now() - at) / 1000) * perSecond);
    at = Date.now();
    if (level < items) return false;
    level -= items;
    return true;
  };
}

type Tally = { sent: number; refused: number };

/** Sends requests of `terms.items` items through the bucket as fast as it lets them, for `terms.forMs`. */
async function flood(bucket: TokenBucket, takes: (items: number) => boolean, terms: Terms): Promise<Tally> {
  const tally = { sent: 0, refused: 0 };
  const end = Date.now() + terms.forMs;
  while (Date.now() < end) {
    if (!(await bucket.take(terms.items, terms.urgency))) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (takes(terms.items)) {
      tally.sent += terms.items;
      bucket.accepted(terms.items);
    } else {
      tally.refused += terms.items;
      bucket.refused(200);
    }
  }
  return tally;
}
type Terms = { readonly items: number; readonly urgency: Urgency; readonly forMs: number };

const now = () => Date.now();

test("nothing is held back before the first refusal", async () => {
  const bucket = createTokenBucket(now);
  const taken = Promise.all(Array.from({ length: 500 }, () => bucket.take(100, "normal")));
  expect((await taken).every(Boolean)).toBe(true);
  expect(bucket.rate()).toBeUndefined();
});

test.each(["normal", "background"] as const)(
  "what was sent before the first refusal is no debt: after the pause a %s request goes at once",
  async (urgency) => {
    const bucket = createTokenBucket(now);
    for (let k = 0; k < 1000; k++) {
      await bucket.take(100, urgency);
      bucket.accepted(100);
      await vi.advanceTimersByTimeAsync(1000);
    }
    bucket.refused(500);
    let isSent = false;
    void bucket.take(1, urgency).then(() => {
      isSent = true;
    });
    await vi.advanceTimersByTimeAsync(600);
    expect(isSent).toBe(true);
  },
);

test.each([
  [5, 10, 1],
  [25, 50, 1],
  [25, 50, 10],
])(
  "over half of the rate of an endpoint of %i items a second, %i at once, is used by requests of %i items",
  async (perSecond, burst, items) => {
    const bucket = createTokenBucket(now);
    const takes = endpoint(perSecond, burst);
    const work = Promise.all(
      [1, 2, 3].map(() => flood(bucket, takes, { items, urgency: "normal", forMs: 60_000 })),
    );
    await vi.advanceTimersByTimeAsync(70_000);
    const tallies = await work;
    const sent = tallies.reduce((sum, tally) => sum + tally.sent, 0);
    const refused = tallies.reduce((sum, tally) => sum + tally.refused, 0);
    expect(sent).toBeGreaterThan(perSecond * 60 * 0.55);
    expect(refused).toBeLessThan(sent * 0.25);
  },
);

test("a rate that is not used does not grow, and falls at the next refusal", async () => {
  const bucket = createTokenBucket(now);
  bucket.accepted(50);
  bucket.refused(500);
  await vi.advanceTimersByTimeAsync(500);
  const learnt = bucket.rate() as number;
  for (let k = 0; k < 3_600; k++) {
    const taken = bucket.take(2, "head");
    await vi.advanceTimersByTimeAsync(1_000);
    await taken;
  }
  expect(bucket.rate()).toBeLessThan(2 * learnt);
  bucket.refused(500);
  expect(bucket.rate()).toBeLessThan(learnt);
});

test("background requests get about a fifth of the rate beside normal ones", async () => {
  const bucket = createTokenBucket(now);
  bucket.accepted(20);
  bucket.refused(100);
  const takes = () => true;
  const background = flood(bucket, takes, { items: 1, urgency: "background", forMs: 20_000 });
  const normal = Promise.all(
    [1, 2, 3].map(() => flood(bucket, takes, { items: 1, urgency: "normal", forMs: 20_000 })),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  const share = (await background).sent / ((await normal).reduce((sum, { sent }) => sum + sent, 0) || 1);
  expect(share).toBeLessThan(0.3);
  expect((await background).sent).toBeGreaterThan(0);
});

test("a wait ends with its signal", async () => {
  const bucket = createTokenBucket(now);
  bucket.refused(60_000);
  const over = new AbortController();
  const waits = bucket.take(1, "head", over.signal);
  over.abort();
  expect(await waits).toBe(false);
  expect(bucket.waitMs()).toBeGreaterThan(50_000);
});

test("a pause that the endpoint asked for is kept", async () => {
  const bucket = createTokenBucket(now);
  bucket.refused(30_000);
  let isTaken = false;
  void bucket.take(1, "head").then((mayGo) => {
    isTaken = mayGo;
  });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(isTaken).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(isTaken).toBe(true);
});

test("reads are sent beside the polls of an endpoint that accepts two items a second", async () => {
  const bucket = createTokenBucket(now);
  bucket.refused(20);
  const over = new AbortController();
  const polls = async () => {
    while (!over.signal.aborted) {
      const start = now();
      await bucket.take(1, "head", over.signal);
      const pauseMs = Math.max(10, pollGapMs(bucket.rate())) - (now() - start);
      await new Promise((resolve) => setTimeout(resolve, Math.max(5, pauseMs)));
    }
  };
  const polling = polls();
  const reads = Promise.all([1, 2, 3, 4].map(() => bucket.take(1, "normal", over.signal)));
  await vi.advanceTimersByTimeAsync(10_000);
  over.abort();
  await vi.advanceTimersByTimeAsync(5_000);
  await polling;
  expect(await reads).toEqual([true, true, true, true]);
});
