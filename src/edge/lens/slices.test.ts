import { performance } from "node:perf_hooks";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { createSlots } from "../node/pace/slots.ts";
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

/** Requests for a list of which each answer leaves the last item unfinished; answers come in the order of requests. */
async function rests(isRange: boolean, slots = createSlots(3), load = { running: 0, most: 0 }) {
  const asked: number[][] = [];
  const results = await inSlices<number, number>({
    ...{ items: ITEMS.slice(0, 90), gasOf: () => 1, budget: { gas: 30, most: 30 }, lanes: 3, slots, isRange },
    async ask(slice) {
      asked.push([...slice]);
      load.most = Math.max(load.most, ++load.running);
      await new Promise((resolve) => setTimeout(resolve, 10 * asked.length));
      load.running--;
      const done = slice.length > 10 ? slice.length - 1 : slice.length;
      return { done, results: slice.slice(0, done) };
    },
  });
  expect(results).toEqual(ITEMS.slice(0, 90));
  return asked;
}

test("what several slices leave unfinished is requested together", async () => {
  const asked = await rests(false);
  expect(asked.map((slice) => slice.length)).toEqual([30, 30, 30, 3]);
});

test("the items of a slice follow each other where a request names only the first and the last one", async () => {
  const asked = await rests(true);
  for (const slice of asked) expect(slice.at(-1)! - slice[0]!).toBe(slice.length - 1);
});

test("lists that share slots have no more requests under way together than there are slots", async () => {
  const load = { running: 0, most: 0 };
  const slots = createSlots(2);
  await Promise.all([rests(false, slots, load), rests(false, slots, load)]);
  expect(load).toEqual({ running: 0, most: 2 });
});

test("an item that is too large by itself is left out, and the others are read", async () => {
  const results = await inSlices<number, number>({
    ...{ items: ITEMS.slice(0, 50), gasOf: () => 1, budget: { gas: 40_000_000 }, lanes: 3 },
    async ask(slice) {
      if (slice.includes(17)) throw new NodeFailure("reverted", "out of gas");
      return { done: slice.length, results: slice };
    },
  });
  expect(results).toEqual(ITEMS.slice(0, 50).map((item) => (item === 17 ? undefined : item)));
});

test("after a failure no further slice is requested", async () => {
  let requests = 0;
  const reading = inSlices<number, number>({
    ...{ items: ITEMS, gasOf: () => 1, budget: { gas: 10, most: 10 }, lanes: 3 },
    async ask(slice) {
      const isFirst = requests++ === 0;
      await new Promise((resolve) => setTimeout(resolve, isFirst ? 0 : 5));
      if (isFirst) throw new NodeFailure("refused", "no");
      return { done: slice.length, results: slice };
    },
  });
  await expect(reading).rejects.toThrow("no");
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(requests).toBe(3);
});
