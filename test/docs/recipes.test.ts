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
    "src/protocols/designs.ts",
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
const registry = "src/protocols/designs.ts";
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => ({ path, code: text(path) }));

test("a design costs its folder and one line of the registry: nothing else of src imports any", () => {
  expect(designs.length).toBeGreaterThanOrEqual(18);
  for (const design of designs) {
    const importers = sources
      .filter(({ path }) => !path.startsWith(`src/protocols/${design}/`))
      .filter(({ code }) => [...code.matchAll(IMPORT)].some(([, from]) => from!.includes(`/${design}/`)));
    expect(importers.map(({ path }) => path)).toEqual([registry]);
    const lines = text(registry).split("\n");
    expect(lines.filter((line) => line.includes(`/${design}/`))).toHaveLength(1);
  }
});

/** Who may know a design by name, and why. */
const acquainted: Readonly<Record<string, string>> = {
  "src/core/rfq.ts": "makers' orders have no record in a chain's file: the edge makes their pools",
  "src/devnet/pancake-v3.ts": "a record of uniswap-v3's design",
  "src/http/routes/chain-facts/sources.ts": "an example in the API's description",
  "src/http/schemas/schemas.ts": "an example in the API's description",
  "src/service/pricing/route-summary.ts":
    "wrapping is no hop for a person, and the API's word for makers is the design's",
};

test("a design is known by name to its folder and to records alone", () => {
  for (const { path, code } of sources) {
    if (path.startsWith("src/chains/") || path in acquainted) continue;
    const known = designs.filter((design) => code.includes(`"${design}"`));
    expect(
      known.filter((design) => !path.startsWith(`src/protocols/${design}/`)),
      path,
    ).toEqual([]);
  }
});
