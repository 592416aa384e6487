import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), "utf8");

test("the guide says of every status of a failure whether to send the request again", () => {
  const rows = [...read("errors.md").matchAll(/^\| <a [^|]+\| [A-Z_]+ \| ([\d, ]+) \|/gm)];
  const statuses = new Set(rows.flatMap(([, list]) => list!.split(", ")));
  expect(statuses.size).toBeGreaterThan(10);
  const [, table = ""] = /^## What to send again\n\n([\s\S]*?)\n\n/m.exec(read("guide/failures.md"))!;
  const said = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, list]) => list!.split(", "));
  expect(said.sort()).toEqual([...statuses].sort());
});
