import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { progressLine, showProgress } from "./progress-bar.ts";
import type { ServedChain } from "./service/ports/ports.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const chain = (phase: "starting" | "live", done: number) =>
  ({
    chain: { name: "Ethereum" },
    market: { status: () => ({ phase, reason: "", head: {}, ageMs: 0 }) },
    discovery: {
      coverage: () => ({ step: "reading 200 pools", done, total: 200, requests: 61, perSecond: 24.96 }),
    },
  }) as unknown as ServedChain;

test("a line says what is read, how far that is, how long it lasts and how many requests it took", () => {
  const line = progressLine(chain("starting", 50), 6_000);
  expect(line).toContain("Ethereum");
  expect(line).toContain("25 %  6 s, 18 s left: reading 200 pools, 61 requests, 25.0/s");
  expect(progressLine(chain("starting", 0), 6_000)).not.toContain("left");
  expect(progressLine(chain("live", 200), 6_000)).toBe("");
});

test("the lines are replaced in place on a terminal, end when every chain is ready, and are absent elsewhere", () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  let phase: "starting" | "live" = "starting";
  const served = [{ ...chain("starting", 1), market: { status: () => ({ phase, reason: "" }) } }] as never;
  showProgress(served, { isTTY: true, columns: 60, write });
  vi.advanceTimersByTime(1_100);
  expect(written.filter((text) => text.startsWith("Ethereum"))).toHaveLength(2);
  for (const text of written) expect(text.length).toBeLessThanOrEqual(60);
  phase = "live";
  vi.advanceTimersByTime(600);
  const count = written.length;
  vi.advanceTimersByTime(5_000);
  expect(written).toHaveLength(count);
  showProgress(served, { write: () => expect.unreachable() });
  vi.advanceTimersByTime(5_000);
});
