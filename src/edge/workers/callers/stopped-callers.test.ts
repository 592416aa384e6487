import { expect, test } from "vitest";
import { createStoppedCallers } from "./stopped-callers.ts";

test("a caller whose searches are stopped again and again waits twice as long each time, up to five minutes", () => {
  let now = 0;
  const stopped = createStoppedCallers(() => now);
  expect(stopped.waitMs("a")).toBe(0);
  const waits = Array.from({ length: 10 }, () => {
    stopped.add("a");
    return stopped.waitMs("a");
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map((seconds) => seconds * 1_000));
  now += 299_999;
  expect([stopped.waitMs("a"), stopped.waitMs("b")]).toEqual([1, 0]);
  now += 1;
  expect(stopped.waitMs("a")).toBe(0);
});

test("ten minutes without one that was stopped, and it counts from the beginning", () => {
  let now = 0;
  const stopped = createStoppedCallers(() => now);
  expect([stopped.add("a"), stopped.add("a")]).toEqual([1, 2]);
  now += 600_000;
  expect(stopped.add("a")).toBe(1);
});

test("of more callers than are remembered, the one stopped longest ago is forgotten", () => {
  const stopped = createStoppedCallers(() => 0);
  for (let k = 0; k < 1_001; k++) stopped.add(`caller ${k}`);
  expect([stopped.waitMs("caller 0"), stopped.waitMs("caller 1")]).toEqual([0, 1_000]);
});
