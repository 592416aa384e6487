import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makersSchemaText } from "../../scripts/docs/makers-schema.ts";

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

test("docs/makers.schema.json names a draft whose tuples are lists of schemas, as its own are", () => {
  // From 2020-12 on, a list under `items` makes a schema invalid, so that no validator reads it.
  const { $schema } = JSON.parse(read("makers.schema.json")) as { $schema: string };
  expect(makersSchemaText()).toContain('"items": [');
  expect($schema).toBe("https://json-schema.org/draft/2019-09/schema");
});

test("docs/makers.schema.json is up to date (npm run docs)", () => {
  expect(JSON.parse(read("makers.schema.json"))).toEqual(JSON.parse(makersSchemaText()));
});

test("docs/makers.md names every field of every message", () => {
  const page = read("makers.md");
  const fields = [...makersSchemaText().matchAll(/"required": \[([^\]]+)\]/g)]
    .flatMap(([, list]) => list!.match(/[a-z_]+/g)!)
    .filter((field) => field !== "makers");
  expect(fields.length).toBeGreaterThan(10);
  for (const field of fields) expect(page, field).toContain(field);
});
