import { expect, test } from "vitest";
import { createElapsed } from "./elapsed.ts";

function clocks() {
  const time = { monotonic: 500, wall: 1_800_000_000_000 };
  const elapsed = createElapsed({ monotonicMs: () => time.monotonic, wallMs: () => time.wall });
  const pass = (ms: number) => {
    time.monotonic += ms;
    time.wall += ms;
  };
  return { time, elapsed, pass };
}

test("a machine that slept for two hours counts them, although its monotonic clock stood still", () => {
  const { time, elapsed, pass } = clocks();
  pass(1_000);
  const before = elapsed();
  time.wall += 7_200_000;
  expect(elapsed() - before).toBe(7_200_000);
  pass(250);
  expect(elapsed() - before).toBe(7_200_250);
});

test("a wall clock that is set back changes nothing, then or when it is set right again", () => {
  const { time, elapsed, pass } = clocks();
  const before = elapsed();
  time.wall -= 3_600_000;
  pass(100);
  expect(elapsed() - before).toBe(100);
  time.wall += 20;
  pass(100);
  expect(elapsed() - before).toBe(200);
});
