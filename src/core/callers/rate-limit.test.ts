import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

describe("rate limit", () => {
  test("the whole limit at once, then one each part of the minute", () => {
    let now = 5_000;
    const ask = createRateLimit(4, () => now);
    expect([1, 2, 3, 4].map(() => ask("a").remaining)).toEqual([3, 2, 1, 0]);
    expect(ask("a")).toEqual({ allowed: false, limit: 4, remaining: 0, resetSeconds: 60, retrySeconds: 15 });
    expect(ask("b").allowed).toBe(true);
    now += 14_000;
    expect(ask("a")).toMatchObject({ allowed: false, retrySeconds: 1 });
    now += 1_000;
    expect(ask("a")).toMatchObject({ allowed: true, remaining: 0 });
    now += 60_000;
    expect(ask("a")).toMatchObject({ allowed: true, remaining: 3, resetSeconds: 15 });
  });

  test("a refused request costs nothing", () => {
    let now = 0;
    const ask = createRateLimit(1, () => now);
    ask("a");
    for (let i = 0; i < 50; i++) ask("a");
    now = 60_000;
    expect(ask("a").allowed).toBe(true);
  });

  test("no minute lets more than twice the limit through, and waiting as told is enough", () => {
    const waits = fc.array(fc.nat({ max: 4_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), waits, (perMinute, gaps) => {
        let now = 0;
        const passed: number[] = [];
        const ask = createRateLimit(perMinute, () => now);
        for (const gap of gaps) {
          now += gap;
          const { allowed, retrySeconds } = ask("a");
          if (allowed) passed.push(now);
          else {
            now += retrySeconds * 1000;
            expect(ask("a").allowed).toBe(true);
            passed.push(now);
          }
        }
        for (const from of passed) {
          expect(passed.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(
            2 * perMinute,
          );
        }
      }),
    );
  });

  test("remembers no more than a bounded number of callers", () => {
    const ask = createRateLimit(1, () => 0);
    ask("first");
    expect(ask("first").allowed).toBe(false);
    for (let i = 0; i < 100_000; i++) ask(`caller ${i}`);
    expect(ask("first").allowed).toBe(true);
  });
});
