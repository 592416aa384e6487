import { expect, test } from "vitest";
import { cut, enlarged, grown } from "./rows.ts";

const list = () => Float64Array.from({ length: 40_000 }, (_, k) => k / 3);

test("an array that is enlarged or cut has the same content, and gives its own memory back at once", () => {
  for (const [make, size] of [
    [enlarged, 40_001],
    [cut, 39_000],
  ] as const) {
    const before = list();
    const after = make(before, size);
    expect(after.length).toBeGreaterThanOrEqual(size);
    expect(after.subarray(0, 39_000)).toEqual(list().subarray(0, 39_000));
    expect(after.subarray(40_000).every((one) => one === 0)).toBe(true);
    expect(before.buffer.byteLength).toBe(0);
  }
});

test("an array that others may hold keeps its content when a longer one takes its place", () => {
  const before = list();
  expect(grown(before, 40_001).subarray(0, 40_000)).toEqual(before);
  expect(before).toEqual(list());
});

test("an array that is long enough stays the same", () => {
  const same = list();
  expect([enlarged(same, 40_000), grown(same, 40_000), cut(same, 40_000)]).toEqual([same, same, same]);
  expect(same.length).toBe(40_000);
});
