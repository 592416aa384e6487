import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { artifactPath, type RouterArtifact, root } from "./build-contracts.ts";

/**
 * Writes the program that forge takes for its compiler; absolute paths, so it is made anew for every machine. Another forge
 * may be running the one that is there: a file in use cannot be written, so it is replaced, and only where it differs.
 */
function writeShim(): string {
  const cache = join(root, "contracts", "cache");
  mkdirSync(cache, { recursive: true });
  const path = join(cache, "solc");
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, "scripts", "contracts", "solc-shim.ts")}' "$@"\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === program) return path;
  const written = `${path}-${process.pid}`;
  writeFileSync(written, program, { mode: 0o755 });
  renameSync(written, path);
  return path;
}

const forgePath = join(root, "node_modules", ".bin", "forge");

function placeOf(options: { routerArtifact?: string; profile?: string }) {
  const env = {
    ...process.env,
    FOUNDRY_SOLC: writeShim(),
    FOUNDRY_PROFILE: options.profile ?? process.env.FOUNDRY_PROFILE ?? "default",
    FOUNDRY_DISABLE_NIGHTLY_WARNING: "1",
    ROUTER_ARTIFACT: options.routerArtifact ?? artifactPath,
  };
  return { cwd: join(root, "contracts"), env };
}

/**
 * Runs forge offline on contracts/.
 *
 * @param routerArtifact the artifact whose code the tests deploy
 * @returns the exit code, and what forge printed where it is captured
 */
export function forge(
  args: readonly string[],
  options: { capture?: boolean; routerArtifact?: string; profile?: string } = {},
): { code: number; output: string } {
  const result = spawnSync(forgePath, args, {
    ...placeOf(options),
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: options.capture ? "pipe" : "inherit",
  });
  if (result.error) throw result.error;
  return { code: result.status ?? 1, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

const DEEP_RUNS = 1_000_000;

/** What deep rounds have done to one router so far; kept, so that a run that was stopped goes on. */
type Deep = {
  readonly router: string;
  readonly rounds: number;
  readonly runs: number;
  readonly calls: number;
  readonly seconds: number;
};

const progressPath = join(root, "contracts", "cache", "deep.json");

/** Of this router, and of a goal not yet reached; else from nothing. */
function readProgress(): Deep {
  const router = (JSON.parse(readFileSync(artifactPath, "utf8")) as RouterArtifact).runtimeCodeHash;
  const fresh = { router, rounds: 0, runs: 0, calls: 0, seconds: 0 };
  if (!existsSync(progressPath)) return fresh;
  const kept = JSON.parse(readFileSync(progressPath, "utf8")) as Deep;
  return kept.router === router && kept.runs < DEEP_RUNS ? kept : fresh;
}

type Kind = { readonly Fuzz?: { readonly runs: number }; readonly Invariant?: { readonly calls: number } };
type Suites = Record<string, { readonly test_results: Record<string, { readonly kind: Kind }> }>;

function kindsOf(output: string): readonly Kind[] {
  const line = output.split("\n").find((one) => one.startsWith("{"));
  if (line === undefined) throw new Error(`forge printed no results:\n${output.slice(-2000)}`);
  return Object.values(JSON.parse(line) as Suites)
    .flatMap((suite) => Object.values(suite.test_results))
    .map(({ kind }) => kind);
}

const sum = (counts: readonly number[]) => counts.reduce((x, y) => x + y, 0);

/**
 * Calls of invariants, as forge prints them without `--json`, which would keep a trace of each.
 *
 * @throws Error where no invariant made a call
 */
export function countCalls(output: string): number {
  const calls = sum(
    [...output.matchAll(/^\[PASS\] .*\(runs: \d+, calls: (\d+), /gm)].map(([, count]) => Number(count)),
  );
  if (calls === 0) throw new Error("no invariant ran");
  return calls;
}

/**
 * Runs of fuzz tests and calls of invariants in one round. Inputs that a test refuses by `assume` are in neither.
 *
 * @throws Error where forge printed no results, no fuzz test or no invariant ran, or the fuzz tests did not run equally often
 */
export function countRound(output: string): { runs: number; calls: number } {
  const kinds = kindsOf(output);
  const runs = kinds.flatMap(({ Fuzz }) => (Fuzz === undefined ? [] : [Fuzz.runs]));
  const calls = kinds.flatMap(({ Invariant }) => (Invariant === undefined ? [] : [Invariant.calls]));
  if (sum(runs) === 0 || sum(calls) === 0) throw new Error("no fuzz test or no invariant ran");
  if (Math.min(...runs) !== Math.max(...runs))
    throw new Error(`between ${Math.min(...runs)} and ${Math.max(...runs)} runs a test, not equally many`);
  return { runs: sum(runs), calls: sum(calls) };
}

/**
 * Fuzz tests and invariants in rounds, each with a seed of its own by chance, until the fuzz tests have run `DEEP_RUNS`
 * times together, or `minutes` are over, or one fails. Goes on where the last run with this router was stopped.
 *
 * @returns the exit code; the runs done and their rate are printed after each round
 */
function deep(minutes: number): number {
  const started = performance.now();
  let progress = readProgress();
  while (progress.runs < DEEP_RUNS && performance.now() - started < minutes * 60_000) {
    const began = performance.now();
    const seed = `0x${randomBytes(32).toString("hex")}`;
    process.env.DEEP = "true";
    const tests = ["test", "--match-test", "test_fuzz|invariant", "--fuzz-seed", seed];
    const { code, output } = forge([...tests, "--json"], { capture: true, profile: "deep" });
    if (code !== 0) {
      console.log(`${output.slice(-5000)}\nseed ${seed}: failed`);
      return code;
    }
    const { runs, calls } = countRound(output);
    progress = {
      router: progress.router,
      rounds: progress.rounds + 1,
      runs: progress.runs + runs,
      calls: progress.calls + calls,
      seconds: progress.seconds + (performance.now() - began) / 1000,
    };
    writeFileSync(progressPath, JSON.stringify(progress));
    console.log(
      `round ${progress.rounds}: ${progress.runs} runs of fuzz tests and ${progress.calls} calls of invariants so far, ` +
        `0 failed; ${progress.seconds.toFixed(0)} s, ${(progress.runs / progress.seconds).toFixed(0)} runs a second`,
    );
  }
  return 0;
}

const TAKER_SEEDS = 3;

function startTakers(seed: string): Promise<{ readonly code: number; readonly output: string }> {
  const args = ["test", "--match-contract", "TakersTest", "--match-test", "invariant", "--fuzz-seed", seed];
  const child = spawn(forgePath, args, {
    ...placeOf({ profile: "takers" }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Honest takers among hostile pools and tokens: a third of a million swaps for each of three seeds by chance, side by side.
 *
 * @returns the exit code; each seed is printed with its swaps
 */
async function takers(): Promise<number> {
  // Else each of them would compile the tests.
  const built = forge(["build"], { profile: "takers" });
  if (built.code !== 0) return built.code;
  const seeds = Array.from({ length: TAKER_SEEDS }, () => `0x${randomBytes(32).toString("hex")}`);
  const codes = seeds.map(async (seed) => {
    const { code, output } = await startTakers(seed);
    if (code === 0) console.log(`takers, seed ${seed}: ${countCalls(output)} swaps, 0 rules broken`);
    else console.log(`${output.slice(-5000)}\nseed ${seed}: failed`);
    return code;
  });
  return Math.max(...(await Promise.all(codes)));
}

/** `--deep [--minutes 15]`: a million runs, or as many as fit; the next call goes on. `--takers`: a million swaps. */
if (import.meta.main) {
  const args = process.argv.slice(2);
  const at = args.indexOf("--minutes");
  const minutes = at < 0 ? Number.POSITIVE_INFINITY : Number(args[at + 1]);
  if (args.includes("--takers")) process.exitCode = await takers();
  else process.exitCode = args.includes("--deep") ? deep(minutes) : forge(args).code;
}
