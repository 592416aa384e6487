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
  expect(queue.ahead("b")).toBe(1);
  queue.push(ticket("b", 0));
  queue.push(ticket("c", 0));
  queue.push(ticket("b", 1));
  expect(queue.ahead("a")).toBe(7);
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
