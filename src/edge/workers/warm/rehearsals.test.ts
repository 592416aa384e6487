import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRehearsals, PAUSES, REHEARSE_MS } from "./rehearsals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Rehearsals of `costMs` CPU time each, in a thread that computes nothing else. */
function watched(costMs: number) {
  let usedMs = 0;
  let made = 0;
  const rehearse = () => {
    usedMs += costMs;
    made += 1;
  };
  return { ...createRehearsals({ rehearse, cpuMs: () => usedMs }), made: () => made };
}

test("a thread that nobody asks rehearses after a change, once for all that came in between, and not without one", () => {
  const { changed, made } = watched(1);
  for (let k = 0; k < 5; k++) changed();
  vi.advanceTimersByTime(REHEARSE_MS - 1);
  expect(made()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(made()).toBe(1);
  vi.advanceTimersByTime(100 * REHEARSE_MS);
  expect(made()).toBe(1);
});

test("a thread that is asked between a change and its rehearsal has none", () => {
  const { changed, asked, made } = watched(1);
  for (let k = 0; k < 100; k++) {
    changed();
    vi.advanceTimersByTime(REHEARSE_MS / 2);
    asked();
  }
  vi.advanceTimersByTime(REHEARSE_MS);
  expect(made()).toBe(0);
});

test("rehearsals take a twentieth of a thread's time, however much each costs and however many blocks there are", () => {
  const costMs = 500;
  const { changed, made } = watched(costMs);
  const blocks = 10_000;
  const blockMs = 250;
  for (let k = 0; k < blocks; k++) {
    changed();
    vi.advanceTimersByTime(blockMs);
  }
  // The first rehearsal is left out: its cost was not known when it was scheduled.
  const share = ((made() - 1) * costMs) / (blocks * blockMs);
  expect(share).toBeGreaterThan(1 / (PAUSES + 3));
  expect(share).toBeLessThanOrEqual(1 / PAUSES);
});
