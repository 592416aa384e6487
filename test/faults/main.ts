/**
 * `npm run test:faults`: every fault, what must happen, and whether it does. Ends with "N passed, N failed", and says
 * every half minute what runs. The streams take some five minutes on two cores, the kills eleven.
 *
 *   -- --only TEXT        only cases whose name holds this text
 *   -- --streams 1000     random streams of blocks and reorgs
 *   -- --kills 200        times that the service is killed
 *   -- --seed 1           of the streams and of the moments of the kills; or random
 *   -- --no-unit          leaves out the unit tests
 *   -- --resume FILE      names of cases that passed are added to this file, and those that it holds are not run again
 *   -- --list             names the cases
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFlags, seedOf, wholeNumber } from "../../scripts/command-line.ts";
import type { Case } from "./case.ts";
import { drainingCases } from "./cases/draining.ts";
import { closeFixtures, followingCases } from "./cases/following.ts";
import { loadingCases } from "./cases/loading.ts";
import { kills, processCases } from "./cases/process.ts";
import { openStreams } from "./streams.ts";

const { values } = readFlags({
  options: {
    only: { type: "string", default: "" },
    streams: { type: "string", default: "1000" },
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    "no-unit": { type: "boolean", default: false },
    resume: { type: "string" },
    list: { type: "boolean", default: false },
  },
});
const seed = seedOf(values.seed);
const streamCount = wholeNumber("streams", values.streams, 0);
/** Time between two lines about what still runs. */
const TELLS_MS = 30_000;
/** A case that takes longer is taken to hang; none is asked to be fast. */
const HUNG_MS = 90 * 60_000;

/** The streams share one follower, and stop at the first that is wrong. */
const streams: Case = {
  name: `${values.streams} random streams of blocks and reorgs, each compared with the chain by hash (seed ${seed})`,
  async run(told) {
    const played = await openStreams(seed);
    for (let stream = 0; stream < streamCount; stream++) {
      told?.(`${stream} of ${streamCount}`);
      await played.run(stream);
    }
  },
};

const cases: readonly Case[] = [
  ...loadingCases,
  ...followingCases,
  streams,
  ...processCases,
  ...drainingCases,
  kills(wholeNumber("kills", values.kills, 0), seed),
].filter(({ name }) => name.includes(values.only));

if (values.list) {
  for (const { name } of cases) console.log(name);
  process.exit(0);
}

const { resume } = values;
const before = new Set(
  resume !== undefined && existsSync(resume) ? readFileSync(resume, "utf8").split("\n") : [],
);
let [passed, failed, skipped] = [0, 0, 0];
for (const { name, run } of cases) {
  if (before.has(name)) {
    skipped++;
    continue;
  }
  const start = performance.now();
  const trouble = await ended(telling(name, run));
  const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (trouble === undefined) passed++;
  else failed++;
  console.log(trouble === undefined ? `ok      ${name} (${took})` : `FAILED  ${name} (${took}): ${trouble}`);
  if (trouble === undefined && resume !== undefined) appendFileSync(resume, `${name}\n`);
}
await closeFixtures();

if (!values["no-unit"] && values.only === "") {
  const unit = await unitTests();
  passed += unit.passed;
  failed += unit.failed;
}
if (passed + failed + skipped === 0) {
  console.error(`no case has "${values.only}" in its name`);
  process.exit(2);
}
if (skipped > 0) console.log(`${skipped} of these passed in an earlier run, by ${resume}`);
console.log(`${passed + skipped} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Does the work, and says from time to time what runs, for how long, and how far it is. */
async function telling<T>(name: string, work: (told: (far: string) => void) => Promise<T>): Promise<T> {
  const start = performance.now();
  let far = "";
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`runs    ${name} (${seconds} s${far === "" ? "" : `, ${far}`})`);
  }, TELLS_MS);
  try {
    return await work((text) => {
      far = text;
    });
  } finally {
    clearInterval(timer);
  }
}

/** @returns the first line of what went wrong; undefined where nothing did */
async function ended(work: Promise<void>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it does not end within ${HUNG_MS / 60_000} minutes`)),
      HUNG_MS,
    );
  });
  try {
    await Promise.race([work, hung]);
    return undefined;
  } catch (error) {
    return (error as Error).message.split("\n")[0];
  } finally {
    clearTimeout(timer);
  }
}

type Counts = { readonly passed: number; readonly failed: number };

/** The tests of this folder, and of the fake chain with 2,000 pools against a real node, by the runner of the unit tests. */
async function unitTests(): Promise<Counts> {
  const paths = ["test/faults", "test/chain"];
  const limits = ["--testTimeout=3600000", "--hookTimeout=600000", "--maxWorkers=1"];
  const folder = mkdtempSync(join(tmpdir(), "braid-faults-"));
  const file = join(folder, "report.json");
  const child = spawn("vitest", ["run", ...paths, ...limits, "--reporter=json", `--outputFile=${file}`], {
    env: { ...process.env, LENS_POOLS: "2000" },
    stdio: "ignore",
  });
  await telling("the unit tests of this folder and of the fake chain", () => once(child, "close"));
  const report = reportIn(file);
  rmSync(folder, { recursive: true });
  if (report === undefined || report.numTotalTests === 0) {
    console.log("FAILED  the unit tests of this folder and of the fake chain tell nothing");
    return { passed: 0, failed: 1 };
  }
  for (const { assertionResults } of report.testResults)
    for (const { fullName, status } of assertionResults)
      if (status === "failed") console.log(`FAILED  ${fullName}`);
  console.log(
    `unit tests of this folder and of the fake chain: ${report.numPassedTests} passed, ${report.numFailedTests} failed`,
  );
  // A file that cannot be loaded has no tests that could fail.
  const broken = report.numFailedTestSuites > 0 && report.numFailedTests === 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken };
}

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
};

function reportIn(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return undefined;
  }
}
