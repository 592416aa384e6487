/**
 * How many mutated quotes the SDK accepts, which must be none:
 * npm run fuzz:quotes -- [--count 100000] [--seed 1 | random]
 */

import { createPayingWorld, genuineQuotes } from "../../test/sdk/genuine.ts";
import { judge, mutationNames } from "../../test/sdk/mutations.ts";
import { seeded } from "../../test/support/random.ts";
import { readFlags, seedOf, wholeNumber } from "../command-line.ts";

const { values } = readFlags({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "random" } },
});
const count = wholeNumber("count", values.count, 1);
const seed = seedOf(values.seed);
const world = await createPayingWorld();
const genuine = await genuineQuotes(world);
await world.app.close();

const random = seeded(seed);
const tally = new Map<string, number>(mutationNames.map((name) => [name, 0]));
const faults: string[] = [];
for (let judged = 0; judged < count; ) {
  const name = mutationNames[Math.floor(random() * mutationNames.length)]!;
  const verdict = judge(genuine, name, random);
  if (verdict === undefined) continue;
  judged++;
  tally.set(name, tally.get(name)! + 1);
  if (verdict.accepted || verdict.fault !== undefined) faults.push(`${name}: ${verdict.fault}`);
}
for (const [name, judged] of tally) process.stdout.write(`${String(judged).padStart(8)} ${name}\n`);
for (const fault of faults.slice(0, 10)) process.stdout.write(`${fault}\n`);
process.stdout.write(
  `seed ${seed}: ${count} mutated quotes, ${faults.length} accepted or failed otherwise\n`,
);
const untried = [...tally].filter(([, judged]) => judged === 0).map(([name]) => name);
if (untried.length > 0)
  process.stdout.write(`never tried, so a greater --count is wanted: ${untried.join(", ")}\n`);
process.exit(faults.length > 0 || untried.length > 0 ? 1 : 0);
