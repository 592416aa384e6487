import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import type { Case } from "./case.ts";
import { drainingCases } from "./cases/draining.ts";
import { closeFixtures, followingCases } from "./cases/following.ts";
import { loadingCases } from "./cases/loading.ts";
import { kills, processCases } from "./cases/process.ts";
import { openStreams } from "./streams.ts";

/** `npm run test:faults`: every fault, what must happen, and whether it does. Ends with "N passed, N failed". */

const { values } = parseArgs({
  options: {
    /** Only cases whose name holds this text. */
    only: { type: "string", default: "" },
    streams: { type: "string", default: "1000" },
    kills: { type: "string", default: "200" },
    /** Of the streams and of the moments of the kills. */
    seed: { type: "string", default: "1" },
    /** Leaves out the unit tests. */
    "no-unit": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log("npm run test:faults -- [--only TEXT] [--streams N] [--kills N] [--seed N] [--no-unit]");
  process.exit(0);
}
const seed = Number(values.seed);

/** The streams share one follower, and stop at the first that is wrong. */
const streams: Case = {
  name: `${values.streams} random streams of blocks and reorgs, each compared with the chain by hash (seed ${seed})`,
  async run() {
    const played = await openStreams(seed);
    for (let stream = 0; stream < Number(values.streams); stream++) await played.run(stream);
  },
};

const cases: readonly Case[] = [
  ...loadingCases,
  ...followingCases,
  streams,
  ...processCases,
  ...drainingCases,
  kills(Number(values.kills), seed),
].filter(({ name }) => name.includes(values.only));

let [passed, failed] = [0, 0];
for (const { name, run } of cases) {
  const start = performance.now();
  const trouble = await run().then(
    () => undefined,
    (error: unknown) => (error as Error).message.split("\n")[0],
  );
  const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (trouble === undefined) passed++;
  else failed++;
  console.log(trouble === undefined ? `ok      ${name} (${took})` : `FAILED  ${name} (${took}): ${trouble}`);
}
await closeFixtures();

if (!values["no-unit"] && values.only === "") {
  const unit = await unitTests();
  passed += unit.passed;
  failed += unit.failed;
}
if (passed + failed === 0) {
  console.error(`no case has "${values.only}" in its name`);
  process.exit(2);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

type Counts = { readonly passed: number; readonly failed: number };

/** The tests of this folder, and of the fake chain with 2,000 pools against a real node, by the runner of the unit tests. */
async function unitTests(): Promise<Counts> {
  const child = spawn("vitest", ["run", "test/faults", "test/chain", "--reporter=json"], {
    env: { ...process.env, LENS_POOLS: "2000" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    text += part;
  });
  await once(child, "close");
  const report = JSON.parse(text.slice(text.indexOf("{"))) as {
    numPassedTests: number;
    numFailedTests: number;
    numTotalTests: number;
  };
  if (report.numTotalTests === 0) return { passed: 0, failed: 1 };
  console.log(
    `unit tests of this folder and of the fake chain: ${report.numPassedTests} passed, ${report.numFailedTests} failed`,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}
