import { expect, test } from "vitest";
import { seeded } from "../../../../test/support/random.ts";
import { createCadence } from "./cadence.ts";

const BLOCK_MS = 12_000;
const POLL_MS = 1_500;

type Followed = { readonly asks: number; readonly delayMs: number };

/**
 * Polls as the follower does. `delay` gives the milliseconds from a block's timestamp until the endpoint has it,
 * undefined for a slot without a block.
 *
 * @returns requests per block, and the mean milliseconds from the arrival of a block until it is seen
 */
function follow(
  delay: (number: number) => number | undefined,
  blocks: number,
  skewAt: (number: number) => number = () => 86_400_000,
): Followed {
  const cadence = createCadence(BLOCK_MS, POLL_MS);
  const times = Array.from({ length: blocks }, (_, number) => {
    const late = delay(number);
    return late === undefined ? undefined : { number, at: number * BLOCK_MS + late };
  }).filter((block) => block !== undefined);
  let [asks, delayMs, seen] = [0, 0, -1];
  for (let now = 0; seen < times.length - 1; ) {
    asks++;
    const newest = times.findLastIndex(({ at }) => at <= now);
    for (let k = seen + 1; k <= newest; k++) delayMs += now - times[k]!.at;
    seen = Math.max(seen, newest);
    const block = times[seen];
    const skewMs = skewAt(seen);
    if (block !== undefined) {
      const head = { number: seen, hash: `0x${seen}`, parentHash: "0x0" } as const;
      cadence.note({ ...head, timestamp: (block.number * BLOCK_MS) / 1000 }, now + skewMs);
    }
    now += Math.max(POLL_MS, cadence.untilNext(now + skewMs));
  }
  return { asks: asks / times.length, delayMs: delayMs / times.length };
}

const seeds = [1, 2, 3, Math.floor(Math.random() * 2 ** 31)];

test.each(seeds)("blocks with irregular delays take fewer than 1.5 requests each, seed %i", (seed) => {
  const random = seeded(seed);
  const { asks, delayMs } = follow(() => 800 + 2_000 * random() * random(), 600);
  expect(asks).toBeLessThan(1.5);
  // Polling each 1.5 s without a cadence would see a block 0.75 s late on average, at eight requests a block.
  expect(delayMs).toBeLessThan(1_000);
});

test("blocks with a constant delay take hardly more than one request each and are seen soon", () => {
  const { asks, delayMs } = follow(() => 900, 600);
  expect(asks).toBeLessThan(1.35);
  expect(delayMs).toBeLessThan(450);
});

test("an endpoint that becomes slower by three seconds is followed again", () => {
  const early = follow((number) => (number < 100 ? 500 : 3_500), 700);
  expect(early.asks).toBeLessThan(1.6);
});

test("slots without a block do not delay later requests", () => {
  const { delayMs } = follow((number) => (number % 10 === 9 ? undefined : 900), 600);
  expect(delayMs).toBeLessThan(600);
});

test("blocks whose delay grows by 0.3 s each are followed", () => {
  const { asks } = follow((number) => 500 + 300 * Math.min(number, 60), 120);
  expect(asks).toBeLessThan(2);
});

test("a clock that stood still for two hours delays no later request", () => {
  const { asks, delayMs } = follow(
    (number) => (number < 100 ? 6_900 : 900),
    600,
    (number) => (number < 100 ? 0 : -7_200_000),
  );
  expect(asks).toBeLessThan(1.6);
  expect(delayMs).toBeLessThan(600);
});
