import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/fuzz/quotes.ts", ...args], { encoding: "utf8" });

test("--help prints the comment that the command's file begins with", () => {
  const { status, stdout } = run("--help");
  expect(status).toBe(0);
  expect(stdout).toBe(
    "How many mutated quotes the SDK accepts, which must be none:\nnpm run fuzz:quotes -- [--count 100000] [--seed 1 | random]\n",
  );
});

test.each([
  ["--counts", /^Unknown option '--counts'/],
  ["--count=0", /^--count: a whole number of at least 1 is wanted, not "0"\n/],
  ["--count=1e99", /^--count: a whole number of at least 1 is wanted, not "1e99"\n/],
  ["--count=", /^--count: a whole number of at least 1 is wanted, not ""\n/],
  ["--seed=-1", /^--seed: a whole number of at least 0 is wanted, not "-1"\n/],
])("%s is refused by name and value, without a stack trace", (flag, message) => {
  const { status, stderr } = run(flag);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
});

/** They print what is wrong themselves. */
const OWN = [
  "bench/routing/flags.ts",
  "scripts/keys.ts",
  "scripts/chains/snapshot.ts",
  "scripts/contracts/deploy.ts",
];

test("every command reads its flags so", () => {
  const files = execFileSync("git", [
    "grep",
    "-l",
    "parseArgs(",
    "--",
    "scripts",
    "bench",
    "test/e2e",
    "test/faults",
  ]);
  const readers = files.toString().trim().split("\n");
  const others = readers.filter((file) => !file.startsWith("scripts/terminal/") && !OWN.includes(file));
  expect(others).toEqual(["scripts/command-line.ts"]);
  expect(readFileSync("package.json", "utf8")).toContain('"fuzz:quotes": "node scripts/fuzz/quotes.ts"');
});
