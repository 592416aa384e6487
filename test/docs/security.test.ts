import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const root = new URL("../../", import.meta.url);
const page = ["SECURITY.md", "docs/security.md", "docs/access.md"]
  .map((name) => readFileSync(new URL(name, root), "utf8"))
  .join("\n");

test("the code, tests and commands by which the threat model names its defences exist", () => {
  const paths = [...page.matchAll(/`((?:src|test|packages|contracts)\/[\w./-]+)`/g)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const commands = [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
});
