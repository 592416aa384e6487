import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

const ticket = (caller: string, n: number) => ({ caller, n });
const drained = (queue: ReturnType<typeof createFairQueue<ReturnType<typeof ticket>>>) => {
  const order: string[] = [];
  for (let next = queue.next(); next !== undefined; next = queue.next())
    order.push(`${next.caller}${next.n}`);
  return order;
};

test("callers take turns, and each caller's own keep their order", () => {
  const queue = createFairQueue<ReturnType<typeof ticket>>(100);
  for (let n = 0; n < 4; n++) queue.push(ticket("a", n));
  queue.push(ticket("b", 0));
  queue.push(ticket("c", 0));
  queue.push(ticket("b", 1));
  expect(drained(queue)).toEqual(["a0", "b0", "c0", "a1", "b1", "a2", "a3"]);
  expect(queue.size()).toBe(0);
});

test("where it is full, the newest of whoever has the most gives way", () => {
  const queue = createFairQueue<ReturnType<typeof ticket>>(3);
  const [first, second, third] = [0, 1, 2].map((n) => ticket("a", n));
  for (const one of [first!, second!, third!]) expect(queue.push(one)).toBeUndefined();
  const own = ticket("a", 3);
  expect(queue.push(own)).toBe(own);
  expect(queue.push(ticket("b", 0))).toBe(third);
  expect(drained(queue)).toEqual(["a0", "b0", "a1"]);
});

test("a caller with as many as any other gives way itself; a ticket that waits no longer leaves no gap", () => {
  const queue = createFairQueue<ReturnType<typeof ticket>>(2);
  const a = ticket("a", 0);
  const late = ticket("c", 0);
  queue.push(a);
  queue.push(ticket("b", 0));
  expect(queue.push(late)).toBe(late);
  queue.remove(a);
  queue.remove(a);
  expect(queue.size()).toBe(1);
  expect(drained(queue)).toEqual(["b0"]);
});

/** Serves tickets in turn, each of which takes as long as `cost` says of its caller. */
const servedIn = (
  queue: ReturnType<typeof createFairQueue<ReturnType<typeof ticket>>>,
  cost: Readonly<Record<string, number>>,
  count: number,
) => {
  const order: string[] = [];
  for (let k = 0; k < count; k++) {
    const next = queue.next()!;
    order.push(`${next.caller}${next.n}`);
    queue.served(next, cost[next.caller]!);
  }
  return order;
};

test("a caller of long requests gets no more time than one of short ones: its second waits for all of those", () => {
  const queue = createFairQueue<ReturnType<typeof ticket>>(100);
  for (let n = 0; n < 4; n++) queue.push(ticket("long", n));
  expect(servedIn(queue, { long: 500 }, 1)).toEqual(["long0"]);
  for (let n = 0; n < 6; n++) queue.push(ticket("short", n));
  const cost = { long: 500, short: 20 };
  expect(servedIn(queue, cost, 9)).toEqual([
    ...["short0", "short1", "short2", "short3", "short4", "short5"],
    ...["long1", "long2", "long3"],
  ]);
});

test("how long a new ticket waits is told by what its caller's and others' requests took", () => {
  const queue = createFairQueue<ReturnType<typeof ticket>>(100);
  const cost = { long: 500, short: 20 };
  for (const caller of ["long", "short"]) {
    queue.push(ticket(caller, 0));
    servedIn(queue, cost, 1);
  }
  for (let n = 1; n < 9; n++) queue.push(ticket("long", n));
  expect(queue.aheadMs("long")).toBe(8 * 500);
  expect(queue.aheadMs("short")).toBe(0);
  queue.push(ticket("short", 1));
  expect(queue.aheadMs("short")).toBe(20);
  expect(queue.aheadMs("stranger")).toBeLessThanOrEqual(20);
});

test("a caller that was away gains no time by it", () => {
  const queue = createFairQueue<ReturnType<typeof ticket>>(100);
  const cost = { a: 100, b: 100 };
  for (let n = 0; n < 8; n++) queue.push(ticket("a", n));
  servedIn(queue, cost, 4);
  for (let n = 0; n < 4; n++) queue.push(ticket("b", n));
  expect(servedIn(queue, cost, 8)).toEqual(["b0", "a4", "b1", "a5", "b2", "a6", "b3", "a7"]);
});
