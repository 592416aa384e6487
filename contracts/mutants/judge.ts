import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  compileRouter,
  formatArtifact,
  readContract,
  root,
} from "../../scripts/contracts/build-contracts.ts";
import { forge } from "../../scripts/contracts/forge.ts";
import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./results.ts";

const folder = join(root, "contracts", "cache");

/** The fuzz over whole routes and long sequences take most of the time, and few defects need it to be noticed. */
const SLOW = "Malformed|Victim|Takers|RealV4";

type Suites = Readonly<
  Record<
    string,
    {
      readonly test_results: Readonly<
        Record<string, { readonly status: string; readonly reason: string | null }>
      >;
    }
  >
>;

/** The first test that failed and the file that it is in; undefined where all passed. */
export function firstFailure(
  output: string,
): { readonly by: string; readonly suite: string; readonly reason: string } | undefined {
  const line = output.split("\n").find((one) => one.startsWith("{"));
  if (line === undefined) throw new Error(`the tests did not run:\n${output.slice(-2000)}`);
  for (const [suite, { test_results }] of Object.entries(JSON.parse(line) as Suites))
    for (const [test, { status, reason }] of Object.entries(test_results))
      if (status === "Failure")
        return { by: test.replace(/\(.*/, ""), suite: suite.split(":")[0]!, reason: reason ?? "" };
  return undefined;
}

/** Code as it is compiled for mutants: unoptimised assembly takes half of the time, and the tests pass on it. */
function compileQuickly(read: (path: string) => string) {
  return compileRouter(read, { warnings: "pass", quick: true });
}

function runTests(code: string, which: readonly string[]): Verdict {
  const path = join(folder, `mutant-${process.pid}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, code);
  const args = ["test", "--fail-fast", "--json", ...which];
  const { code: exit, output } = forge(args, { capture: true, profile: "mutants", routerArtifact: path });
  const failure = firstFailure(output);
  if (exit !== 0 && failure === undefined)
    throw new Error(`forge failed without a test:\n${output.slice(-2000)}`);
  return failure === undefined ? { kind: "survived" } : { kind: "killed", ...failure };
}

/** The tests in the order in which they are asked: whatever the first ones notice costs no more. */
function partsOf({ test }: Mutant): readonly (readonly string[])[] {
  if (test !== undefined) return [["--match-test", `^${test}\\(`]];
  return [
    ["--no-match-contract", SLOW],
    ["--match-contract", SLOW],
  ];
}

const ownCode = compileQuickly(readContract);
const sound = new Set<string>();

/**
 * Makes sure that these tests pass on the router's own code, compiled as mutants are: else every mutant would be killed.
 *
 * @throws Error naming the test that fails
 */
function requireSound(part: readonly string[]): void {
  const name = part.join(" ");
  if (sound.has(name)) return;
  const verdict = runTests(formatArtifact(ownCode), part);
  if (verdict.kind === "killed") throw new Error(`${verdict.by} fails without any defect`);
  sound.add(name);
}

function compiled({ name, changed }: Mutant): ReturnType<typeof compileQuickly> {
  try {
    return compileQuickly((path) => changed[path] ?? readContract(path));
  } catch (cause) {
    throw new Error(`${name}: does not compile`, { cause });
  }
}

/** @throws Error when a mutant does not compile, or its tests could not run: neither is a kill, and the rule that made it is wrong */
export function judge(mutant: Mutant): Verdict {
  const artifact = compiled(mutant);
  if (artifact.runtimeCodeHash === ownCode.runtimeCodeHash) return { kind: "none" };
  for (const part of partsOf(mutant)) {
    requireSound(part);
    const verdict = runTests(formatArtifact(artifact), part);
    if (verdict.kind === "killed") return verdict;
  }
  return { kind: "survived" };
}
