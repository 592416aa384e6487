import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { originOf, reasonOf } from "../../scripts/command-line.ts";

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/fuzz/quotes.ts", ...args], { encoding: "utf8" });

test("--help prints the comment that the command's file begins with", () => {
  const { status, stdout } = run("--help");
  expect(status).toBe(0);
  expect(stdout).toBe(
    "How many mutated quotes the SDK accepts, which must be none:\nnpm run fuzz:quotes -- [--count 100000] [--seed 1 | random]\n",
  );
});

test("npm run check -- --help names the gates and runs none", () => {
  const { status, stdout } = spawnSync(process.execPath, ["scripts/check.ts", "--help"], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  expect(stdout).toContain("vitest run");
  expect(stdout).not.toContain("passed");
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

test.runIf(existsSync("/dev/full"))("what cannot be printed is no success", () => {
  const full = openSync("/dev/full", "w");
  const { status } = spawnSync(process.execPath, ["scripts/install/size.ts"], {
    stdio: ["ignore", full, "ignore"],
  });
  expect(status).toBe(1);
});

test("a reader that closes the pipe ends a command as a signal would", () => {
  const piped = `set -o pipefail; "${process.execPath}" scripts/install/size.ts | true`;
  expect(spawnSync("bash", ["-c", piped]).status).toBe(141);
});

/** They print what is wrong themselves. */
const OWN = ["bench/routing/flags.ts", "scripts/keys.ts", "scripts/chains/snapshot.ts"];

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

const KEY = "KEY9f3c";
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
function command(name: string, ...args: readonly string[]) {
  const words = scripts[name]!.split(" ").slice(1);
  return spawnSync(process.execPath, [...words, ...args], { encoding: "utf8" });
}

describe("no command prints more of an address than where it leads", () => {
  const dead = `http://127.0.0.1:1/v2/${KEY}`;
  test.each([
    ["check-chain", ["--chain", "1", "--rpc", dead], 2],
    ["airswap-servers", ["--rpc", dead], 2],
    ["deploy", ["--chain", "1", "--rpc", dead], 1],
    ["deploy", ["--chain", "1", "--rpc", `htp:${KEY}`], 2],
    ["replay", ["0".repeat(32), "--url", dead], 2],
    ["fuzz", ["--url", dead], 2],
    ["e2e", ["--url", dead, "--rpc", dead], 2],
  ] as const)("%s %j", (name, args, status) => {
    const done = command(name, ...args);
    expect([done.status, done.stdout]).toEqual([status, ""]);
    expect(done.stderr).toMatch(/^.*127\.0\.0\.1:.*\n(--help prints what the command takes\.\n)?$/);
    expect(done.stderr).not.toContain(KEY);
  });

  test("whoever words the failure", () => {
    const rude = new Error(
      `limit reached: see https://user:${KEY}@node.example/${KEY}?k=${KEY} now\nURL: ${dead}`,
    );
    expect(reasonOf(new Error("HTTP request failed", { cause: rude }))).toBe(
      "limit reached: see https://node.example now",
    );
    expect(originOf(dead)).toBe("http://127.0.0.1:1");
  });
});

describe("mistakes end a command with 2 and a line that names them:", () => {
  test.each([
    ["deploy", ["--chain", "x"], /^--chain: .* not "x"\n/],
    ["deploy", ["--chian", "1"], /^Unknown option '--chian'/],
    ["quote", ["--from", "WETH"], /^--from, --to and --amount are needed/],
    ["quote", ["--from", "A", "--to", "B", "--amount", "1", "--url", "nowhere"], /^--url: an address/],
    ["vectors", ["--files"], /^Unknown option '--files'/],
    ["gas", ["--chek"], /^Unknown option '--chek'/],
    ["bench:page", ["--runs", "1"], /^Unknown option '--runs'/],
    ["bench:vetted", [], /^--market FILE and --orders FILE are wanted\n/],
    ["bench:vetted", ["--market", "no.json", "--orders", "no.json"], /^no\.json: cannot be read/],
    ["bench:protocols", ["--only", "nothing"], /^--only: one of .* not "nothing"\n/],
    ["e2e", ["--makers", "--contract", "--push"], /exclude each other\n/],
    ["fake-chain", ["--profile", "none"], /^--profile: one of .* not "none"\n/],
    ["fake-chain", ["--genesis", "0x1"], /^--genesis: .* not "0x1"\n/],
    ["test:faults", ["--only", "nothing", "--resume", "src"], /^EISDIR: /],
    ["test:browser", ["sale"], /^"sale" is no part of the tests: prepared, /],
    ["contracts:build", ["--x"], /^Unknown option '--x'/],
    ["replay", ["0".repeat(32), "f".repeat(32)], /^One quote is replayed at a time/],
  ] as const)("%s %j", (name, args, message) => {
    const { status, stdout, stderr } = command(name, ...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
    expect([status, stdout]).toEqual([2, ""]);
  });
});
