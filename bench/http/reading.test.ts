import { setTimeout } from "node:timers/promises";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { readingFrom } from "./reading.ts";

test("the delays of a service are those of its event loop, without the time of the timer that samples them", () => {
  const reading = readingFrom(`nodejs_eventloop_lag_p99_seconds 0.0125
nodejs_eventloop_lag_max_seconds 0.03
nodejs_eventloop_lag_min_seconds 0.009
process_cpu_seconds_total 1.5
process_resident_memory_bytes 2097152
`);
  expect(reading.delayP99Ms).toBeCloseTo(2.5);
  expect(reading.delayMaxMs).toBeCloseTo(20);
  expect(reading).toMatchObject({ cpuMs: 1500, rssMb: 2 });
});

test("what the metrics' library samples contains the time of its timer, as is taken off", async () => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  await setTimeout(200);
  const [, least] = /^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(await register.metrics())!;
  // The runtime's timers end up to a millisecond early.
  expect(Number(least)).toBeGreaterThan(0.008);
});
