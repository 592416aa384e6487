import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LEVEL_MS = 1_000;

/** A thread that computes during this share of the wall-clock time. */
function watched(share: number) {
  const ended: string[] = [];
  const begunMs = performance.now();
  const cpuMs = () => share * (performance.now() - begunMs);
  const progress = createProgress({
    levelMs: LEVEL_MS,
    cpuMs: async () => cpuMs(),
    end: (reason) => ended.push(reason),
  });
  return { progress, ended, cpuMs };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("a thread that computes without an end is ended after its time", async () => {
  const { progress, ended } = watched(1);
  progress.sent(true);
  await pass(LEVEL_MS - 1);
  expect(ended).toEqual([]);
  await pass(1);
  expect(ended).toEqual(["a change was not taken over within 1000 ms"]);
});

test("a thread that the machine lets wait has the same time to compute, up to ten times as long by the clock", async () => {
  const slow = watched(0.25);
  slow.progress.sent(true);
  await pass(4 * LEVEL_MS - 10);
  expect(slow.ended).toEqual([]);
  await pass(10);
  expect(slow.ended).toHaveLength(1);

  const stuck = watched(0);
  stuck.progress.sent(true);
  await pass(10 * LEVEL_MS - 1);
  expect(stuck.ended).toEqual([]);
  await pass(1);
  expect(stuck.ended).toHaveLength(1);
});

test("what a thread computed before a change does not count, and a change that is taken over is watched no longer", async () => {
  const { progress, ended, cpuMs } = watched(0.5);
  progress.sent(true);
  progress.heard(cpuMs());
  expect(progress.taken()).toBe(true);
  await pass(20 * LEVEL_MS);
  progress.heard(cpuMs());
  progress.sent(true);
  expect(progress.isLevel()).toBe(true);
  await pass(1.5 * LEVEL_MS);
  expect(progress.taken()).toBe(false);
  await pass(20 * LEVEL_MS);
  expect(ended).toEqual([]);
});

test("a thread that ended by itself is not ended once more", async () => {
  const { progress, ended } = watched(1);
  progress.sent(true);
  progress.end();
  await pass(20 * LEVEL_MS);
  expect(ended).toEqual([]);
});
