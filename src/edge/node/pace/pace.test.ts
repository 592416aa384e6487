import { expect, test } from "vitest";
import { mapLimit } from "./pace.ts";

test("the first failure rejects once the items under way have ended, and no further item is begun", async () => {
  const ended: number[] = [];
  const running = mapLimit([0, 1, 2, 3, 4], 2, async (item) => {
    await new Promise((resolve) => setTimeout(resolve, item === 1 ? 1 : 20));
    ended.push(item);
    if (item === 1) throw new Error("one");
    throw new Error("another");
  });
  await expect(running).rejects.toThrow("one");
  expect(ended).toEqual([1, 0]);
});

test("results are in the order of the items", async () => {
  const results = await mapLimit([30, 1, 10], 2, async (ms, index) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return [ms, index];
  });
  expect(results).toEqual([
    [30, 0],
    [1, 1],
    [10, 2],
  ]);
});
