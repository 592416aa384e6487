import { performance } from "node:perf_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { NodeFailure } from "../node/transport/failure.ts";
import { type Budget, inSlices } from "./slices.ts";

afterEach(() => void vi.restoreAllMocks());

const ITEMS = Array.from({ length: 1_000 }, (_, k) => k);
const GAS_EACH = 500_000;

/** An endpoint whose every answer takes so long. @returns how many requests the list took */
async function requestsFor(budget: Budget, tookMs: number, most = ITEMS.length): Promise<number> {
  let [now, requests] = [0, 0];
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const results = await inSlices<number, number>({
    ...{ items: ITEMS, gasOf: () => GAS_EACH, budget, lanes: 1 },
    async ask(slice) {
      requests++;
      now += tookMs;
      if (slice.length > most) throw new NodeFailure("range", "too much");
      return { done: slice.length, results: slice };
    },
  });
  expect(results).toEqual(ITEMS);
  return requests;
}

test("an endpoint that is slow whatever it is asked is not asked for ever smaller parts", async () => {
  const budget = { gas: 40_000_000 };
  expect(await requestsFor(budget, 4_000)).toBeLessThanOrEqual(26);
  expect(budget.gas).toBe(20_000_000);
  expect(await requestsFor(budget, 4_000)).toBe(25);
});

test("a budget that failures made small stays small while the endpoint is slow, and grows once it is fast", async () => {
  const budget = { gas: 40_000_000 };
  await requestsFor(budget, 4_000, 4);
  const small = budget.gas;
  expect(small).toBeLessThanOrEqual(4 * GAS_EACH);
  await requestsFor(budget, 4_000);
  expect(budget.gas).toBe(small);
  await requestsFor(budget, 100);
  expect(budget.gas).toBeGreaterThan(small);
});
