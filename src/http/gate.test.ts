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
