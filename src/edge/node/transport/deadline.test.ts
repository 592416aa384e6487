import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { deadlineIn } from "./deadline.ts";

test("a deadline ends its work by time, and says so", async () => {
  const deadline = deadlineIn(5, undefined);
  expect(deadline.isOver()).toBe(false);
  await expect.poll(() => deadline.signal.aborted).toBe(true);
  expect(deadline.isOver()).toBe(true);
});

test("one that is cleared never ends anything, by time or by the signal that it was given", async () => {
  const caller = new AbortController();
  const deadline = deadlineIn(5, caller.signal);
  deadline.clear();
  caller.abort();
  await setTimeout(20);
  expect([deadline.signal.aborted, deadline.isOver()]).toEqual([false, false]);
});

test("the signal that it was given ends its work, with the reason of the signal, before the time is over", () => {
  const caller = new AbortController();
  const deadline = deadlineIn(60_000, caller.signal);
  caller.abort(new Error("nobody waits"));
  expect(deadline.signal.reason).toEqual(new Error("nobody waits"));
  expect(deadline.isOver()).toBe(false);
  deadline.clear();
});

test("a signal that has aborted before ends it at once", () => {
  const deadline = deadlineIn(60_000, AbortSignal.abort());
  expect(deadline.signal.aborted).toBe(true);
  deadline.clear();
});
