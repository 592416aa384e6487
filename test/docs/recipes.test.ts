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

const designs = globSync("src/protocols/*/index.ts", { cwd: root }).map((path) => path.split("/").at(-2)!);
/** Of modules that are loaded later too. */
const IMPORT = /(?:from|import\()\s*["'`]([^"'`]+)["'`]/g;
const registries = ["src/devnet/protocols.ts", "src/protocols/index.ts", "src/protocols/vectors.ts"];

test("a design costs its folder and its lines in the registries: nothing else of src imports any", () => {
  expect(designs.length).toBeGreaterThanOrEqual(18);
  const sources = globSync("src/**/*.ts", { cwd: root })
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => ({ path, imports: [...text(path).matchAll(IMPORT)].map(([, from]) => from!) }));
  for (const design of designs) {
    const importers = sources
      .filter(({ path }) => !path.startsWith(`src/protocols/${design}/`))
      .filter(({ imports }) => imports.some((from) => from.includes(`/${design}/`)))
      .map(({ path }) => path);
    expect(importers).toContain("src/protocols/index.ts");
    expect(registries, design).toEqual(expect.arrayContaining(importers));
  }
});
