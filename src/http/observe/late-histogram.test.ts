import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createLateHistogram } from "./late-histogram.ts";

const SECONDS = { name: "s", help: "h", labelNames: ["stage"], buckets: [1, 10] } as const;
const countIn = (text: string, stage: string) =>
  new RegExp(`^s_count{stage="${stage}"} (\\d+)$`, "m").exec(text)?.[1];

test("every sample is counted once, whether it waited to be asked for or not", async () => {
  const register = new Registry();
  const histogram = createLateHistogram({ ...SECONDS, registers: [register] });
  for (let k = 0; k < 1_001; k++) histogram.observe({ stage: "one" }, k % 20);
  histogram.observe({ stage: "other" }, 5);
  const first = await register.metrics();
  expect([countIn(first, "one"), countIn(first, "other")]).toEqual(["1001", "1"]);
  expect(first).toContain('s_bucket{le="10",stage="other"} 1');
  expect(first).toContain('s_bucket{le="1",stage="other"} 0');
  expect(await register.metrics()).toBe(first);
});
