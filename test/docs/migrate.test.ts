import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SITE_PAGES } from "../../src/http/site/pages.ts";
import { PAGES_WITH_EXAMPLES } from "./examples.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

type Node = { readonly [key: string]: unknown };
type Parameter = { readonly name: string };

/** Names of every parameter and of every field of every request and answer, and every path. */
function vocabulary(): { readonly names: ReadonlySet<string>; readonly paths: readonly string[] } {
  const document = JSON.parse(read("docs/openapi.json")) as { readonly paths: Node };
  const names = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { properties, parameters } = node as { properties?: Node; parameters?: readonly Parameter[] };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    if (Array.isArray(parameters)) for (const { name } of parameters) names.add(name);
    for (const each of Object.values(node)) walk(each);
  };
  walk(document);
  return { names, paths: Object.keys(document.paths) };
}

/** Services whose names the page translates. */
const SERVICES = ["1inch", "0x", "ParaSwap", "KyberSwap"];

type Row = { readonly service: string; readonly theirs: string; readonly ours: string };

/** The rows of the tables of docs/guide/migrate.md, by the service that they come from. */
function rowsOf(page: string): Row[] {
  return page.split(/^## /m).flatMap((section) => {
    const [service = ""] = section.split("\n");
    if (!SERVICES.includes(service)) return [];
    const lines = section.split("\n").filter((line) => line.startsWith("| "));
    return lines.slice(1).map((line) => {
      const [, theirs = "", ours = ""] = line.split("|").map((cell) => cell.trim());
      return { service, theirs, ours };
    });
  });
}

const CODE = /`([^`]+)`/g;
/** Values, and what a column says of itself. */
const VALUES = new Set(["side=BUY", "SELL", "BUY", "NO_ROUTE"]);

/** What a cell names that the interface does not have. */
function unknown(cell: string, { names, paths }: ReturnType<typeof vocabulary>): string[] {
  const named = [...cell.matchAll(CODE)].map(([, name]) => name!).filter((name) => !VALUES.has(name));
  return named.filter((name) =>
    name.startsWith("/")
      ? !paths.some((path) => path === name || path.endsWith(name))
      : !name.split(".").every((part) => names.has(part)),
  );
}

const page = read("docs/guide/migrate.md");
const rows = rowsOf(page);

test("the tables of the migration guide have rows of four services, each with a counterpart or none", () => {
  for (const service of SERVICES)
    expect(rows.filter((row) => row.service === service).length, service).toBeGreaterThan(12);
  const silent = rows.filter(({ ours }) => !/`|\bnone\b|\bthe path\b|NO_ROUTE/.test(ours));
  expect(silent).toEqual([]);
});

test.each(rows)("$service: $theirs becomes $ours, which the OpenAPI document has", ({ ours }) => {
  expect(unknown(ours, vocabulary())).toEqual([]);
});

test("a name that the interface does not have is found", () => {
  const known = vocabulary();
  expect(unknown("`fromTokenAddress`, `fromToken`, `/quote`, `/swap`", known)).toEqual([
    "fromToken",
    "/swap",
  ]);
  expect(unknown("`permit.permit2.typed_data` and `permit.permit2.typedData`", known)).toHaveLength(1);
});

/** Pages whose code another test holds, with the name of its file. */
const HELD: Readonly<Record<string, string>> = {
  "docs/recipes/add-a-dex.md": "test/docs/recipes.test.ts",
  "docs/access.md": "test/docs/migrate.test.ts",
  "packages/sdk/README.md": "test/sdk/package.test.ts",
};

test("code that a page of the site shows is run by a test", () => {
  const shown = SITE_PAGES.filter(({ path }) => /^```(sh|ts|bash)$/m.test(read(path))).map(
    ({ path }) => path,
  );
  const run: readonly string[] = [...PAGES_WITH_EXAMPLES, ...Object.keys(HELD)];
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((path) => !run.includes(path))).toEqual([]);
  for (const [path, held] of Object.entries(HELD)) expect(read(held), held).toContain(path.split("/").at(-1));
});

test("the commands of docs/access.md make, list and revoke keys", () => {
  const folder = mkdtempSync(join(tmpdir(), "braid-keys-"));
  try {
    const [, code = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(read("docs/access.md"))!;
    const lines = code.trim().split("\n").slice(1);
    expect(lines).toHaveLength(5);
    let id = "";
    for (const line of lines) {
      const command = line
        .replace("npm run keys --", "node scripts/keys.ts")
        .replace("0x…", "0x000000000000000000000000000000000000fee5")
        .replace("1f0c5a…", id);
      const { status, stdout, stderr } = spawnSync("bash", ["-ec", command], {
        cwd: root,
        encoding: "utf8",
        env: {
          ...process.env,
          DATA_DIR: folder,
          PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
        },
      });
      expect(status, `${line}\n${stdout}${stderr}`).toBe(0);
      id = /\b[0-9a-f]{6,}\b/.exec(stdout)?.[0] ?? id;
    }
    expect(id).not.toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
