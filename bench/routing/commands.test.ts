import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { THREAD_LIMITS } from "../../src/edge/workers/market-search.ts";
import { RUNTIME_FLAGS } from "../http/processes.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const folder = mkdtempSync(join(tmpdir(), "braid-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the service and the bench have one limit of young heap, which is that of a search thread", () => {
  const flagsOf = (command: string) => command.split(" ").filter((word) => word.includes("-size"));
  // A runtime's young heap is three times what it calls a semi-space.
  const flag = `--max-semi-space-size=${THREAD_LIMITS.youngMb / 3}`;
  expect(flagsOf(scripts["bench:routing"])).toEqual([flag]);
  expect(flagsOf(scripts.start)).toEqual([flag]);
  expect(RUNTIME_FLAGS).toEqual([flag]);
});

function run(script: string, ...flags: string[]) {
  const [, ...words] = scripts[script].split(" ");
  return spawnSync(process.execPath, [...words, ...flags], { encoding: "utf8" });
}

const out = join(folder, "m.json");

describe("a bad flag ends a command with 2, names flag and value, and shows the usage instead of a stack:", () => {
  const refused: [script: string, flags: string[], message: RegExp][] = [
    ["bench:market", ["--out", out, "--dust", "some"], /--dust: .* not "some"/],
    ["bench:market", ["--out", out, "--dust", "1.5"], /--dust: a whole number .* not "1\.5"/],
    ["bench:market", ["--out", out, "--tokens", "3"], /--tokens: .* at least 30 .* not 3/],
    ["bench:market", ["--out", out, "--pools", "0"], /--pools: .* at least 1 .* not 0/],
    ["bench:market", ["--out", out, "--seed", "4294967296"], /--seed: .* to 4294967295 .* not 4294967296/],
    ["bench:market", ["--out", out, "--dsut", "5"], /'--dsut'/],
    ["bench:market", ["--dust", "5"], /--out FILE is missing/],
    ["bench:market", ["--out", join(folder, "none", "m.json")], /--out: ".*none.*m\.json" cannot be written/],
    ["bench:orders", ["--out", out], /--market FILE is missing/],
    ["bench:orders", ["--market", join(folder, "none.json"), "--out", out], /none\.json: cannot be read/],
    ["bench:orders", ["--market", out, "--out", out, "--count", "-0.5"], /--count/],
    ["bench:market", ["--out", folder], /--out: ".*" cannot be written \(it is a folder\)/],
    ["bench:routing:all", ["--page", "package.json"], /--page: "package\.json" lacks the mark/],
    ["bench:routing", ["--market", out], /--orders FILE is missing/],
    ["bench:routing", ["--market", out, "--orders", out, "--gas-gwei", "x"], /--gas-gwei: .* not "x"/],
    [
      "bench:routing",
      ["--market", out, "--orders", out, "--json", join(folder, "no", "o.json")],
      /--json: ".*o\.json"/,
    ],
  ];
  test.each(refused)("%s %j", (script, flags, message) => {
    const { status, stderr } = run(script, ...flags);
    expect(stderr).toMatch(message);
    expect(stderr).toContain(`${script} -- `);
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect(status).toBe(2);
  });
});

test.each(["bench:market", "bench:orders", "bench:routing"])("%s --help names its flags", (script) => {
  const { status, stdout } = run(script, "--help");
  expect(stdout).toContain(`${script} -- `);
  expect(status).toBe(0);
});

test("bench:market writes a market with dust, and its orders beside it", () => {
  const { status, stdout } = run(
    "bench:market",
    "--out",
    out,
    "--tokens",
    "40",
    "--pools",
    "100",
    "--dust",
    "20",
  );
  expect(stdout).toContain("40 tokens, 120 pools, 20 of them dust");
  expect(status).toBe(0);
  expect(JSON.parse(readFileSync(out, "utf8")).pools).toHaveLength(120);
  expect(JSON.parse(readFileSync(join(folder, "m.orders.json"), "utf8")).length).toBeGreaterThan(100);
});
