import { expect, test } from "vitest";
import { withTeardown } from "./teardown.ts";

test("parts that are there end where a later one throws, the last one first, and the error is that one's", async () => {
  const ended: string[] = [];
  const opening = withTeardown(async (undo) => {
    undo(() => ended.push("service"));
    undo(() => {
      ended.push("folder");
      throw new Error("an end that fails");
    });
    undo(async () => ended.push("maker"));
    throw new Error("not ready");
  });
  await expect(opening).rejects.toThrow("not ready");
  expect(ended).toEqual(["maker", "folder", "service"]);
});

test("what was set up whole ends once, when it is told to, and says what failed", async () => {
  const ended: string[] = [];
  const made = await withTeardown(async (undo) => {
    undo(() => ended.push("service"));
    undo(() => Promise.reject(new Error("an end that fails")));
    return { url: "here" };
  });
  expect([made.url, ended]).toEqual(["here", []]);
  await expect(made.stop()).rejects.toThrow("an end that fails");
  await made.stop();
  expect(ended).toEqual(["service"]);
});
