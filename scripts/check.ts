/**
 * Everything that must hold before a change lands: `npm run check` (and `npm test`).
 * Runs every gate, goes on after a failure, and ends with one line: N passed, N failed, N skipped.
 * `npm run check -- unit e2e` runs the named gates only; `npm run check -- --help` names them all.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { HEADLESS_CHROMIUM } from "./browser/chromium.ts";

type Gate = {
  readonly name: string;
  readonly command: readonly string[];
  /** Why this machine cannot run the gate; undefined where it can. */
  readonly missing?: string | undefined;
};

type Outcome = "passed" | "failed" | "skipped";

/**
 * TypeScript's native compiler, which checks in a quarter of the time. Version 6 stays for tools that need its programming
 * interface; both name their command `tsc`.
 */
const TSC = ["node", "node_modules/typescript7/bin/tsc"];

/**
 * Two lanes side by side, the gates of a lane in turn. Gates of two lanes share no file that either writes. The unit tests begin
 * with those that start services: these, the browser and whole swaps wait for half of their time.
 */
const lanes: readonly (readonly Gate[])[] = [
  [
    { name: "lint", command: ["biome", "ci", "--colors=off", "."] },
    { name: "types", command: TSC },
    { name: "types-web", command: [...TSC, "-p", "web"] },
    { name: "arrows", command: ["node", "scripts/arrows.ts"] },
    { name: "dead-code", command: ["knip"] },
    { name: "gas", command: ["node", "bench/gas/main.ts", "--check"] },
    { name: "unit", command: ["vitest", "run", "--reporter=default"] },
  ],
  [
    {
      name: "contracts",
      command: ["node", "scripts/contracts/forge.ts", "test", "--fuzz-runs", "500"],
      missing: missingForge(),
    },
    {
      name: "mutants",
      command: ["node", "scripts/contracts/mutants.ts", "--sample", "4"],
      missing: missingForge(),
    },
    { name: "browser", command: ["node", "scripts/browser/main.ts"], missing: missingChromium() },
    { name: "e2e", command: ["node", "test/e2e/main.ts", "--count", "40", "--seed", "1"] },
  ],
];
const gates = lanes.flat();

function missingForge(): string | undefined {
  const shipped = existsSync("node_modules/@foundry-rs/forge-linux-amd64/bin/forge");
  return shipped || process.env.FORGE_PATH ? undefined : "no forge for this platform (set FORGE_PATH)";
}

function missingChromium(): string | undefined {
  return HEADLESS_CHROMIUM === undefined
    ? "no Chromium (Debian: apt-get install chromium; or set CHROMIUM_PATH)"
    : undefined;
}

/** How much of what a failed gate printed last is said again at the end, where a reader of a long log looks first. */
const LAST_LINES = 40;
const lastWords = new Map<Gate, string>();
const failures: string[] = [];

/** Lines that name what failed in a gate, for the very end: whoever sees only the last lines of a log knows where to begin. */
const named = (printed: string): string[] =>
  [
    ...new Set(
      stripVTControlCharacters(printed)
        .split("\n")
        .map((line) => line.trim()),
    ),
  ].filter((line) => /^(FAIL|\[FAIL|AssertionError|Error: |TypeError|error TS)/.test(line));
const MOST_NAMED = 12;

/** What a gate prints comes in one piece when it ends, or as it is printed where no other gate runs beside it. */
async function run(gate: Gate, alone: boolean): Promise<Outcome> {
  const title = `\n=== ${gate.name}: ${gate.command.join(" ")}\n`;
  if (gate.missing !== undefined) {
    process.stdout.write(`${title}!!! LEFT OUT: ${gate.name}: ${gate.missing}\n`);
    return "skipped";
  }
  if (alone) process.stdout.write(title);
  const start = performance.now();
  const { code, printed } = await execute(gate.command, alone);
  const outcome = code === 0 ? "passed" : "failed";
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (!alone) process.stdout.write(`${title}${printed}`);
  process.stdout.write(`=== ${gate.name} ${outcome} in ${seconds} s\n`);
  if (outcome === "failed") {
    lastWords.set(gate, printed.trimEnd().split("\n").slice(-LAST_LINES).join("\n"));
    failures.push(...named(printed).map((line) => `${gate.name}: ${line}`));
  }
  return outcome;
}

/**
 * Gates start some hundred processes, most of them for a second or less, half of which the runtime would take to
 * compile the same files again: what it compiles is kept, where `npm start` keeps it.
 */
const env = { NODE_COMPILE_CACHE: resolvePath("node_modules/.cache/compiled"), ...process.env };

/** @returns the exit code, undefined where the command could not be started or was killed */
function execute(
  [file = "", ...args]: readonly string[],
  alone: boolean,
): Promise<{ code: number | undefined; printed: string }> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env, stdio: ["inherit", "pipe", "pipe"] });
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece) => pieces.push(piece));
      if (alone) stream.pipe(process.stdout, { end: false });
    }
    const printed = () => Buffer.concat(pieces).toString();
    child.once("error", (error) =>
      resolve({ code: undefined, printed: `${file} could not be started: ${error.message}\n` }),
    );
    child.once("close", (code) => resolve({ code: code ?? undefined, printed: printed() }));
  });
}

const wanted = process.argv.slice(2);
if (wanted.includes("--help") || wanted.includes("-h")) {
  process.stdout.write("npm run check runs every gate, npm run check -- NAME… the named ones:\n");
  for (const { name, command, missing } of gates)
    process.stdout.write(
      `  ${name.padEnd(10)} ${command.join(" ")}${missing === undefined ? "" : ` (left out here: ${missing})`}\n`,
    );
  process.exit(0);
}
const unknown = wanted.filter((name) => !gates.some((gate) => gate.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No such gate: ${unknown.join(", ")}. Gates: ${gates.map((gate) => gate.name).join(", ")}\n`,
  );
  process.exit(2);
}
const outcomes = new Map<Gate, Outcome>();
const isWanted = (gate: Gate) => wanted.length === 0 || wanted.includes(gate.name);
const walked = lanes.map((lane) => lane.filter(isWanted)).filter((lane) => lane.length > 0);
const walk = async (lane: readonly Gate[]) => {
  for (const gate of lane) outcomes.set(gate, await run(gate, walked.length === 1));
};
await Promise.all(walked.map(walk));

const count = (outcome: Outcome) => [...outcomes.values()].filter((one) => one === outcome).length;
for (const [gate, words] of lastWords) process.stdout.write(`\n--- ${gate.name}, its end again:\n${words}\n`);
process.stdout.write("\n");
for (const gate of gates.filter(isWanted)) {
  const outcome = outcomes.get(gate);
  const mark = outcome === "passed" ? "ok  " : outcome === "skipped" ? "LEFT OUT" : "FAIL";
  process.stdout.write(`${mark} ${gate.name}${gate.missing ? `: ${gate.missing}` : ""}\n`);
}
for (const line of failures.slice(0, MOST_NAMED)) process.stdout.write(`${line}\n`);
process.stdout.write(`\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`);
process.exit(count("failed") > 0 ? 1 : 0);
