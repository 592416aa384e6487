import { readFileSync } from "node:fs";
import { parseVectors, type Vector } from "../src/protocols/swapvec.ts";
import { whyNotCovered } from "../src/protocols/uncovered.ts";
import { type Outcome, runVector, type Tally } from "../src/protocols/vectors.ts";
import { readFlags, refuse } from "./command-line.ts";

/**
 * npm run vectors -- FILE…
 *
 * A line a protocol, `<protocol> <passed>/<failed>/<skipped>`, counted in swaps; then the swaps that must fail, and how many of
 * those were answered all the same; the last line is the sum of all. What failed is told on stderr, and why a protocol is
 * skipped. Exit code 1 where a swap failed, 2 where a file cannot be read or is of another schema, or no file has a swap.
 */

/** More failures than this of one run are counted but not told. */
const TOLD = 50;

function readVectors(file: string): readonly Vector[] {
  try {
    return parseVectors(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`);
    return process.exit(2);
  }
}

function count(outcomes: readonly Outcome[] | undefined, swaps: number): Tally {
  if (outcomes === undefined) return { passed: 0, failed: 0, skipped: swaps };
  const failed = outcomes.filter(({ wrong }) => wrong !== undefined).length;
  return { passed: outcomes.length - failed, failed, skipped: 0 };
}

function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** Of the swaps that must fail: those that were refused, those that were answered, those of a design without a folder. */
function countMustFail(vector: Vector, outcomes: readonly Outcome[] | undefined): Tally {
  const isMustFail = (swap: number) => vector.swaps[swap]!.mustFail;
  const swaps = vector.swaps.filter(({ mustFail }) => mustFail).length;
  return count(
    outcomes?.filter(({ swap }) => isMustFail(swap)),
    swaps,
  );
}

const { positionals: files } = readFlags({ options: {}, allowPositionals: true });
if (files.length === 0) refuse("usage: npm run vectors -- FILE…");

const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };
const tallies = new Map<string, Tally>();
const failures: Outcome[] = [];
let mustFail = NOTHING;
for (const vector of files.flatMap(readVectors)) {
  const outcomes = runVector(vector);
  failures.push(...(outcomes ?? []).filter(({ wrong }) => wrong !== undefined));
  mustFail = add(mustFail, countMustFail(vector, outcomes));
  const before = tallies.get(vector.protocol) ?? NOTHING;
  tallies.set(vector.protocol, add(before, count(outcomes, vector.swaps.length)));
}

for (const { vector, swap, wrong } of failures.slice(0, TOLD))
  console.error(`${vector} swap ${swap}: ${wrong}`);
if (failures.length > TOLD) console.error(`… and ${failures.length - TOLD} more`);
for (const [protocol, { skipped }] of tallies)
  if (skipped > 0)
    console.error(`${protocol}: ${whyNotCovered(protocol) ?? "no design of this name is known"}`);
for (const [protocol, { passed, failed, skipped }] of tallies)
  console.log(`${protocol} ${passed}/${failed}/${skipped}`);
console.log(
  `must fail: ${mustFail.passed} refused, ${mustFail.failed} wrong answers, ${mustFail.skipped} skipped`,
);
const total = [...tallies.values()].reduce(add, NOTHING);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
const swaps = total.passed + total.failed + total.skipped;
if (swaps === 0) console.error(`there is no swap in ${files.join(", ")}`);
process.exitCode = swaps === 0 ? 2 : total.failed > 0 ? 1 : 0;
