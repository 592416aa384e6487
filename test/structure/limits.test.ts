import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const MAX_LINES = 299;

/** Code that is written by hand. What is generated, installed or built has no reader to spare. */
const ROOTS = ["src", "web", "packages", "contracts", "bench", "scripts", "test"];
const CODE = /\.(ts|tsx|cjs|mjs|sol|css)$/;
const NOT_WRITTEN = /(^|\/)(node_modules|dist|out|cache|forge-out|generated)\//;

/** Files that are longer, and the most that each may have: with few lines of room, so that what is added goes elsewhere. */
const LONGER: Readonly<Record<string, number>> = {
  "test/api/errors.test.ts": 400,
  "test/api/swap.test.ts": 440,
  "test/api/world.ts": 342,
  "test/browser/use-cases.ts": 350,
  "test/chain/contracts/model.ts": 330,
  "test/faults/nodes.test.ts": 350,
  "test/sdk/mutations.ts": 340,
  "web/src/styles/base.css": 360,
  "web/src/styles/swap.css": 380,
};

function linesOfFiles(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const root of ROOTS)
    for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      const file = join(root, path).replaceAll("\\", "/");
      if (!CODE.test(file) || NOT_WRITTEN.test(file)) continue;
      lines.set(file, readFileSync(file, "utf8").split("\n").length - 1);
    }
  return lines;
}

/** One sentence for each file that is too long. */
function complaints(lines: ReadonlyMap<string, number>, longer: Readonly<Record<string, number>>): string[] {
  const most = (file: string) => longer[file] ?? MAX_LINES;
  return [...lines]
    .filter(([file, count]) => count > most(file))
    .map(([file, count]) => `${file} has ${count} lines, ${most(file)} at most`);
}

describe("files", () => {
  test("each has fewer than 300 lines, but for those that are named", () => {
    const lines = linesOfFiles();
    expect(lines.size).toBeGreaterThan(1000);
    expect(complaints(lines, LONGER)).toEqual([]);
  });

  test("a file of 300 lines and an exception that has grown are told of", () => {
    const lines = new Map([
      ["a.ts", 299],
      ["b.ts", 300],
      ["c.ts", 340],
      ["d.ts", 341],
    ]);
    expect(complaints(lines, { "c.ts": 340, "d.ts": 340 })).toEqual([
      "b.ts has 300 lines, 299 at most",
      "d.ts has 341 lines, 340 at most",
    ]);
  });
});

/** The rules that the linter, as it is set up here, finds broken in files of the core, by the file's name. */
function lint(files: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "braid-limits-"));
  try {
    copyFileSync("biome.json", join(folder, "biome.json"));
    mkdirSync(join(folder, "src", "core"), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "src", "core", name), text);
    const biome = resolve("node_modules/.bin/biome");
    const args = ["lint", "--colors=off", "--reporter=github", "--max-diagnostics=none", "src"];
    const { stdout, stderr } = spawnSync(biome, args, { cwd: folder, encoding: "utf8" });
    const broken = new Map(Object.keys(files).map((name) => [name, [] as string[]]));
    for (const [, rule, name] of `${stdout}${stderr}`.matchAll(
      /^::error title=lint\/\w+\/(\w+),file=[^,]*\/([^,/]+),/gm,
    ))
      broken.get(name!)?.push(rule!);
    return broken;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sum = (count: number, form: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => form(index)).join("\n");

const PLANTED: readonly (readonly [rule: string, over: string, within: string])[] = [
  [
    "noExcessiveLinesPerFunction",
    `export function long(x: number) {\n${sum(40, (n) => `  x += ${n};`)}\n  return x;\n}\n`,
    `export function long(x: number) {\n${sum(36, (n) => `  x += ${n};`)}\n  return x;\n}\n`,
  ],
  [
    "useMaxParams",
    "export const add = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;\n",
    "export const add = (a: number, b: number, c: number, d: number) => a + b + c + d;\n",
  ],
  [
    "noExcessiveCognitiveComplexity",
    `export function branch(x: number) {\n${sum(13, (n) => `  if (x === ${n}) return ${n + 1};`)}\n  return 0;\n}\n`,
    `export function branch(x: number) {\n${sum(12, (n) => `  if (x === ${n}) return ${n + 1};`)}\n  return 0;\n}\n`,
  ],
  ["noExplicitAny", "export const one: any = 1;\n", "export const one: unknown = 1;\n"],
  ["noEnum", "export enum One {\n  A,\n}\n", 'export type One = "a";\n'],
  ["noDefaultExport", "const one = 1;\nexport default one;\n", "export const one = 1;\n"],
  ["noConsole", "console.log(1);\n", "export const one = 1;\n"],
];

test("the linter refuses in the core what each limit is about, and nothing short of it", () => {
  const name = (rule: string, side: string) => `${rule.toLowerCase()}-${side}.ts`;
  const files = PLANTED.flatMap(([rule, over, within]) => [
    [name(rule, "over"), over],
    [name(rule, "within"), within],
  ]);
  const broken = lint(Object.fromEntries(files));
  for (const [rule] of PLANTED) {
    expect(broken.get(name(rule, "over")), rule).toEqual([rule]);
    expect(broken.get(name(rule, "within")), rule).toEqual([]);
  }
});
