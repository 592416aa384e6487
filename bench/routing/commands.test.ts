import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the bench runs on the heap that the service runs on", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const flagsOf = (command: string) => command.split(" ").filter((word) => word.startsWith("--"));
  const flags = flagsOf(scripts.start);
  expect(flags).toHaveLength(2);
  expect(flagsOf(scripts["bench:routing"])).toEqual(flags);
});
