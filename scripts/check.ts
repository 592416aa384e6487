/**
 * Everything that must hold before a change lands: `npm run check` (and `npm test`).
 * Runs each gate in turn, goes on after a failure, and ends with one line: N passed, N failed, N skipped.
 * `npm run check -- unit e2e` runs the named gates only.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { CHROMIUM } from "./chromium.ts";

type Gate = {
  readonly name: string;
  readonly command: readonly string[];
  /** Why this machine cannot run the gate; undefined where it can. */
  readonly missing?: string | undefined;
};

const gates: readonly Gate[] = [
  { name: "lint", command: ["biome", "ci", "--colors=off", "."] },
  { name: "types", command: ["tsc"] },
  { name: "types-web", command: ["tsc", "-p", "web"] },
  { name: "arrows", command: ["node", "scripts/arrows.ts"] },
  { name: "dead-code", command: ["knip"] },
  { name: "unit", command: ["vitest", "run", "--reporter=default"] },
  { name: "contracts", command: ["node", "scripts/forge.ts", "test"], missing: missingForge() },
  { name: "gas", command: ["node", "bench/gas/main.ts", "--check"] },
  { name: "e2e", command: ["node", "test/e2e/main.ts", "--count", "60", "--seed", "1"] },
  {
    name: "browser",
    command: ["node", "scripts/browser.ts"],
    missing:
      CHROMIUM === undefined
        ? "no Chromium (Debian: apt-get install chromium; or set CHROMIUM_PATH)"
        : undefined,
  },
];

function missingForge(): string | undefined {
  const shipped = existsSync("node_modules/@foundry-rs/forge-linux-amd64/bin/forge");
  return shipped || process.env.FORGE_PATH ? undefined : "no forge for this platform (set FORGE_PATH)";
}

function run(gate: Gate): "passed" | "failed" | "skipped" {
  process.stdout.write(`\n=== ${gate.name}: ${gate.command.join(" ")}\n`);
  if (gate.missing !== undefined) {
    process.stdout.write(`!!! LEFT OUT: ${gate.name}: ${gate.missing}\n`);
    return "skipped";
  }
  const [file = "", ...args] = gate.command;
  const start = performance.now();
  const { status, error } = spawnSync(file, args, { stdio: "inherit", env: process.env });
  if (error !== undefined) process.stdout.write(`${gate.name} could not be started: ${error.message}\n`);
  const outcome = status === 0 ? "passed" : "failed";
  process.stdout.write(
    `=== ${gate.name} ${outcome} in ${((performance.now() - start) / 1000).toFixed(1)} s\n`,
  );
  return outcome;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !gates.some((gate) => gate.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No such gate: ${unknown.join(", ")}. Gates: ${gates.map((gate) => gate.name).join(", ")}\n`,
  );
  process.exit(2);
}
const outcomes = gates
  .filter((gate) => wanted.length === 0 || wanted.includes(gate.name))
  .map((gate) => ({ gate, outcome: run(gate) }));

const count = (outcome: string) => outcomes.filter((one) => one.outcome === outcome).length;
process.stdout.write("\n");
for (const { gate, outcome } of outcomes) {
  const mark = outcome === "passed" ? "ok  " : outcome === "failed" ? "FAIL" : "LEFT OUT";
  process.stdout.write(`${mark} ${gate.name}${gate.missing ? `: ${gate.missing}` : ""}\n`);
}
process.stdout.write(`\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`);
process.exit(count("failed") > 0 ? 1 : 0);
