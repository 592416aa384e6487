import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const text = (path: string) => readFileSync(`${root}${path}`, "utf8");

/** The blocks of code that a page shows. */
function blocks(page: string): string[] {
  return [...text(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!.trimEnd());
}

test("the worked example of a design is the code of its folder, word for word", () => {
  const sources = [
    "src/protocols/wrapped-native/index.ts",
    "src/protocols/wrapped-native/arbitrary.ts",
    "src/protocols/index.ts",
  ].map(text);
  const shown = blocks("docs/recipes/add-a-dex.md");
  expect(shown.length).toBeGreaterThanOrEqual(5);
  for (const block of shown)
    expect(
      sources.some((source) => source.includes(block)),
      block,
    ).toBe(true);
});

test("a design costs its folder and one line: the registries alone import the example", () => {
  const importers = globSync("src/**/*.ts", { cwd: root })
    .filter((path) => !path.includes("protocols/wrapped-native/") && !path.endsWith(".test.ts"))
    .filter((path) => text(path).includes("wrapped-native/"))
    .sort();
  expect(importers).toEqual(["src/devnet/protocols.ts", "src/protocols/index.ts"]);
});
