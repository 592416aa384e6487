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

test("where all places are taken, a caller with less than an equal share is let in, and whoever has more is refused", async () => {
  const gate = createGate(4);
  const { promise, resolve } = Promise.withResolvers<void>();
  const taken = ["a", "a", "a", "a", "b", "b"].map((caller) => gate.run(caller, () => promise));
  await expect(gate.run("a", async () => 1)).rejects.toMatchObject({ reason: "OVERLOADED" });
  await expect(gate.run("b", async () => 1)).rejects.toMatchObject({ reason: "OVERLOADED" });
  expect(await gate.run("c", async () => 1)).toBe(1);
  expect(gate.running()).toBe(6);
  resolve();
  await Promise.all(taken);
});

test("who only waits takes no place, and a caller has as many waits as there are places", async () => {
  const gate = createGate(2);
  const { promise, resolve } = Promise.withResolvers<void>();
  const waits = ["a", "a"].map((caller) => gate.wait(caller, () => promise));
  await expect(gate.wait("a", async () => undefined)).rejects.toMatchObject({ reason: "OVERLOADED" });
  await gate.wait("b", async () => undefined);
  expect(gate.running()).toBe(0);
  expect(await gate.run("a", async () => 1)).toBe(1);
  resolve();
  await Promise.all(waits);
  await gate.wait("a", async () => undefined);
});
