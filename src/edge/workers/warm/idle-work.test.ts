import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { COMPLETIONS, createIdleWork, type Pace, REHEARSALS } from "./idle-work.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work of `costMs` CPU time each, in a thread that computes nothing else. */
function watched(pace: Pace, costMs: number) {
  let usedMs = 0;
  let made = 0;
  const work = () => {
    usedMs += costMs;
    made += 1;
  };
  return { ...createIdleWork({ ...pace, work, cpuMs: () => usedMs }), made: () => made };
}

describe.each([
  ["completions", COMPLETIONS],
  ["rehearsals", REHEARSALS],
] as const)("%s", (_, pace) => {
  test("come after a change in a thread that nobody asks, once for all that came in between, and not without one", () => {
    const { changed, made } = watched(pace, 1);
    for (let k = 0; k < 5; k++) changed();
    vi.advanceTimersByTime(pace.leastMs - 1);
    expect(made()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(made()).toBe(1);
    vi.advanceTimersByTime(100 * pace.leastMs);
    expect(made()).toBe(1);
  });

  test("do not come where a search is asked for between a change and them", () => {
    const { changed, asked, made } = watched(pace, 1);
    for (let k = 0; k < 100; k++) {
      changed();
      vi.advanceTimersByTime(Math.floor(pace.leastMs / 2));
      asked();
    }
    vi.advanceTimersByTime(pace.leastMs);
    expect(made()).toBe(0);
  });

  test("take their share of a thread's time, however much each costs and however many blocks there are", () => {
    const costMs = 500;
    const { changed, made } = watched(pace, costMs);
    const blocks = 10_000;
    const blockMs = 250;
    for (let k = 0; k < blocks; k++) {
      changed();
      vi.advanceTimersByTime(blockMs);
    }
    // The first is left out: its cost was not known when it was scheduled.
    const share = ((made() - 1) * costMs) / (blocks * blockMs);
    expect(share).toBeGreaterThan(1 / (pace.pauses + 3));
    expect(share).toBeLessThanOrEqual(1 / pace.pauses);
  });
});
