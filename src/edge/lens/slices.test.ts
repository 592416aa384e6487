import { performance } from "node:perf_hooks";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { NodeFailure } from "../node/transport/failure.ts";
import { type Budget, inSlices } from "./slices.ts";

afterEach(() => void vi.restoreAllMocks());

const ITEMS = Array.from({ length: 1_000 }, (_, k) => k);
const GAS_EACH = 500_000;

/** Reads the list at an endpoint whose every answer takes `tookMs`. @returns number of requests */
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

test("an endpoint that is slow for requests of any size does not get ever smaller requests", async () => {
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

/** Number of requests for a list at an endpoint whose calls stop where `gas` is used up. */
async function requestsWithin(gas: number, costs: readonly number[], estimates: readonly number[]) {
  let requests = 0;
  const items = costs.map((_, k) => k);
  const results = await inSlices<number, number>({
    ...{ items, gasOf: (k) => estimates[k] as number, budget: { gas: 40_000_000 }, lanes: 1 },
    async ask(slice) {
      requests++;
      let [left, done] = [gas, 0];
      for (; done < slice.length; done++) {
        left -= costs[slice[done] as number] as number;
        if (left < 0) break;
      }
      return { done, results: slice.slice(0, done) };
    },
  });
  expect(results).toEqual(items);
  return requests;
}

test("inaccurate estimates cost hardly more requests than the gas of the list needs", async () => {
  const cost = fc.integer({ min: 350_000, max: 3_350_000 });
  const error = fc.double({ min: 0.8, max: 1.2, noNaN: true });
  const item = fc.tuple(cost, error);
  const property = fc.asyncProperty(fc.array(item, { minLength: 500, maxLength: 1_000 }), async (list) => {
    const gas = 50_000_000;
    const costs = list.map(([one]) => one);
    const requests = await requestsWithin(
      gas,
      costs,
      list.map(([one, by]) => one * by),
    );
    const sum = costs.reduce((total, one) => total + one, 0);
    // 5% for pools that a request begins and does not finish, and 2 for the first and the last request, which are not
    // full.
    expect(requests).toBeLessThanOrEqual(2 + Math.ceil((1.05 * sum) / gas));
  });
  await fc.assert(property, { numRuns: 20 });
});
