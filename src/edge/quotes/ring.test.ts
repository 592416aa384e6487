import { describe, expect, test } from "vitest";
import { createRing } from "./ring.ts";

const KB = 1024;
const entry = (n = KB) => Buffer.alloc(n - 256);

describe("records of offers", () => {
  test("are found until newer ones displace them, and never exceed the total", () => {
    const ring = createRing({ total: 64 * KB, perCaller: 64 * KB });
    for (let k = 0; k < 1_000; k++) {
      ring.put(`id ${k}`, "alice", entry());
      expect(ring.size()).toBeLessThanOrEqual(64 * KB);
    }
    expect(ring.get("id 999")).toBeDefined();
    expect(ring.get("id 960")).toBeDefined();
    expect(ring.get("id 900")).toBeUndefined();
  });

  test("of one caller displace its own, and nobody else's", () => {
    const ring = createRing({ total: 64 * KB, perCaller: 8 * KB });
    ring.put("bob's", "bob", entry());
    for (let k = 0; k < 1_000; k++) ring.put(`id ${k}`, "alice", entry());
    expect(ring.size()).toBe(9 * KB);
    expect(ring.get("bob's")).toBeDefined();
    expect([ring.get("id 991"), ring.get("id 992")].map((found) => found !== undefined)).toEqual([
      false,
      true,
    ]);
  });

  test("of few callers with many requests are dropped before those of many callers with few", () => {
    const ring = createRing({ total: 64 * KB, perCaller: 32 * KB });
    for (let k = 0; k < 16; k++) ring.put(`small ${k}`, `caller ${k}`, entry());
    for (let k = 0; k < 5_000; k++) ring.put(`id ${k}`, `greedy ${k % 3}`, entry());
    for (let k = 0; k < 16; k++) expect(ring.get(`small ${k}`)).toBeDefined();
    expect(ring.get("id 4999")).toBeDefined();
    expect(ring.size()).toBeLessThanOrEqual(64 * KB);
  });

  test("are dropped as well where each entry has a caller of its own", () => {
    const ring = createRing({ total: 64 * KB, perCaller: 8 * KB });
    for (let k = 0; k < 5_000; k++) ring.put(`id ${k}`, `caller ${k}`, entry());
    expect(ring.size()).toBeLessThanOrEqual(64 * KB);
    expect(ring.get("id 4999")).toBeDefined();
  });
});
