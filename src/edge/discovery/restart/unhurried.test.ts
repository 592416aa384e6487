import { expect, test } from "vitest";
import { unhurried } from "./unhurried.ts";

const PARTS = 1_000;

test.each([true, false])("no part comes after the signal, with pauses or without: %s", async (isLong) => {
  const over = new AbortController();
  let read = 0;
  async function* parts() {
    while (read < PARTS) yield read++;
  }
  const taken: number[] = [];
  for await (const part of unhurried(parts(), () => isLong, over.signal)) {
    taken.push(part);
    if (taken.length === 3) over.abort();
  }
  expect(taken).toEqual([0, 1, 2]);
  expect(read).toBe(4);
});

test("without a signal all parts come in order", async () => {
  async function* parts() {
    yield* [1, 2, 3];
  }
  const taken: number[] = [];
  for await (const part of unhurried(parts(), () => true, new AbortController().signal)) taken.push(part);
  expect(taken).toEqual([1, 2, 3]);
});
