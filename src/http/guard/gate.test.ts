import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

test("one caller fills its places, and another's first is let in all the same", async () => {
  const gate = createGate(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = ["a", "a", "b", "c"].map((caller) => gate.run(caller, () => promise));
  expect(gate.running()).toBe(4);
  for (const caller of ["a", "b", "d"])
    await expect(gate.run(caller, async () => 1)).rejects.toMatchObject({ reason: "OVERLOADED" });
  resolve();
  await Promise.all(taken);
  expect(gate.running()).toBe(0);
  const failing = gate.run("a", () => Promise.reject(new Error("work")));
  await expect(failing).rejects.toThrow("work");
  expect(await gate.run("a", async () => 1)).toBe(1);
});

test("who comes after everybody waits until nothing runs, and no longer than it said", async () => {
  const gate = createGate(2);
  await gate.idle(60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = gate.run("a", () => promise);
  await gate.idle(1);
  expect(gate.running()).toBe(1);
  let isIdle = false;
  const idle = gate.idle(60_000).then(() => (isIdle = true));
  await gate.run("b", async () => 1);
  expect(isIdle).toBe(false);
  resolve();
  await Promise.all([work, idle]);
  expect(gate.running()).toBe(0);
});
