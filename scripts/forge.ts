import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { artifactPath, root } from "./build-contracts.ts";

/** Writes the program that forge takes for its compiler; absolute paths, so it is made anew for every machine. */
function writeShim(): string {
  const cache = join(root, "contracts", "cache");
  mkdirSync(cache, { recursive: true });
  const path = join(cache, "solc");
  writeFileSync(
    path,
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, "scripts", "solc-shim.ts")}' "$@"\n`,
    {
      mode: 0o755,
    },
  );
  return path;
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
  const result = spawnSync(join(root, "node_modules", ".bin", "forge"), args, {
    cwd: join(root, "contracts"),
    encoding: "utf8",
    stdio: options.capture ? "pipe" : "inherit",
    env: {
      ...process.env,
      FOUNDRY_SOLC: writeShim(),
      FOUNDRY_PROFILE: options.profile ?? process.env.FOUNDRY_PROFILE ?? "default",
      FOUNDRY_DISABLE_NIGHTLY_WARNING: "1",
      ROUTER_ARTIFACT: options.routerArtifact ?? artifactPath,
    },
  });
  if (result.error) throw result.error;
  return { code: result.status ?? 1, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

const DEEP_RUNS = 1_000_000;
const RUNS_A_ROUND = 2_000;

/**
 * Fuzz tests and invariants in rounds, each with a seed of its own, until they have run `DEEP_RUNS` times together, or
 * `minutes` are over, or one fails.
 *
 * @returns the exit code; the runs done and their rate are printed after each round
 */
function deep(minutes: number): number {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let runs = 0;
  let calls = 0;
  for (let round = 1; runs < DEEP_RUNS && elapsed() < minutes * 60; round++) {
    const seed = `0x${round.toString(16)}`;
    process.env.FOUNDRY_FUZZ_RUNS = String(RUNS_A_ROUND);
    const { code, output } = forge(
      ["test", "--match-test", "test_fuzz|invariant", "--fuzz-seed", seed, "--fail-fast"],
      { capture: true },
    );
    if (code !== 0) {
      console.log(`${output}\nround ${round}, seed ${seed}: failed`);
      return code;
    }
    for (const [, own, inside] of output.matchAll(/\(runs: (\d+)(?:, calls: (\d+))?/g)) {
      if (inside === undefined) runs += Number(own);
      else calls += Number(inside);
    }
    if (runs === 0) throw new Error(`no fuzz test ran:\n${output.slice(-2000)}`);
    const rate = (runs / elapsed()).toFixed(0);
    console.log(
      `round ${round}: ${runs} runs of fuzz tests and ${calls} calls of invariants so far, all passed; ` +
        `${elapsed().toFixed(0)} s, ${rate} runs a second`,
    );
  }
  return 0;
}

/** `--deep [--minutes 15]`: a million runs, or as many as fit. */
if (import.meta.main) {
  const args = process.argv.slice(2);
  const at = args.indexOf("--minutes");
  const minutes = at < 0 ? Number.POSITIVE_INFINITY : Number(args[at + 1]);
  process.exitCode = args.includes("--deep") ? deep(minutes) : forge(args).code;
}
