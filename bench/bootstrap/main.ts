/**
 * `npm run bench:bootstrap`: how a start from nothing goes against endpoints like providers', printed against its bars.
 *
 *   -- --only first,slow     suites; all of them unless given
 *   -- --seed 1              of the fake mainnet
 *   -- --size 100            share of mainnet's number of pools, in percent
 *   -- --patience 90         seconds that a measurement may take before it counts as missed
 *   -- --out FILE            rows go to FILE.json and FILE.md after each suite; rows of suites that are not run stay what they are there
 *   -- --resume              leaves out suites that FILE.json has rows of; those that failed are run again
 *
 * SHOW_LOG=1 shows the service's log.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { numberAboveZero, readFlags, refuse, seedOf } from "../../scripts/command-line.ts";
import { type Chain, createChain } from "../../test/chain/blocks/chain.ts";
import { MAINNET_SIZES, type Sizes } from "../../test/chain/model/universe.ts";
import { type Bench, type Row, seconds } from "./rows.ts";
import { suites } from "./suites.ts";

const { values } = readFlags({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    size: { type: "string", default: "100" },
    patience: { type: "string", default: "90" },
    out: { type: "string" },
    resume: { type: "boolean", default: false },
  },
});
const kept = values.out === undefined ? [] : readRows(values.out);
const done = new Set(values.resume ? kept.filter(({ bar }) => bar !== "").map(({ suite }) => suite) : []);
const names = (values.only?.split(",") ?? Object.keys(suites)).filter((name) => !done.has(name));
for (const name of names) {
  if (suites[name] === undefined)
    refuse(`--only: one of ${Object.keys(suites).join(", ")} is wanted, not "${name}"`);
}
const percent = numberAboveZero("size", values.size);
const scaled = (count: number) => Math.round((count * percent) / 100);
const sizes: Sizes = {
  v2: scaled(MAINNET_SIZES.v2),
  v3: scaled(MAINNET_SIZES.v3),
  v4: scaled(MAINNET_SIZES.v4),
};
const seed = seedOf(values.seed);
console.log(`fake mainnet: ${sizes.v2} pairs, ${sizes.v3} v3 pools, ${sizes.v4} v4 pools, seed ${seed}`);
let running: { readonly chain: Chain; readonly clock: NodeJS.Timeout } | undefined;
/** Built for the first suite that needs it: that takes half a minute. */
function chainThatRuns(): Chain {
  if (running === undefined) {
    const chain = createChain({ seed, sizes });
    running = { chain, clock: setInterval(() => chain.mine(), 12_000) };
  }
  return running.chain;
}
const bench: Bench = {
  get chain() {
    return chainThatRuns();
  },
  seed,
  patienceS: numberAboveZero("patience", values.patience),
  say: (line) => console.log(`  ${line}`),
};

/** The load tells whether others used the machine meanwhile: rows by the clock are worth nothing then. */
type Noted = Row & { readonly suite: string; readonly load: number };

let rows: readonly Noted[] = kept;
const begun = performance.now();
for (const suite of names) {
  console.log(`${suite} …`);
  const start = performance.now();
  const fresh = await measured(suite);
  const load = Math.round(loadavg()[1]! * 10) / 10;
  console.log(`  ${seconds(performance.now() - start)}, load ${load}`);
  rows = inOrder([
    ...rows.filter((row) => row.suite !== suite),
    ...fresh.map((row) => ({ ...row, suite, load })),
  ]);
  if (values.out !== undefined) write(values.out, rows);
}
clearInterval(running?.clock);

for (const line of tableOf(rows)) console.log(line);
const missed = rows.filter(({ ok }) => !ok).length;
console.log(`${rows.length - missed} ok, ${missed} missed, ${seconds(performance.now() - begun)}`);
process.exit(missed === 0 ? 0 : 1);

function tableOf(list: readonly Noted[]): string[] {
  const widths = [52, 26, 64, 6];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, k) => cell.padEnd(widths[k] ?? 0)).join(" | ")} |`;
  return [
    line(["", "bar", "measured", ""]),
    line(widths.map((width) => "-".repeat(width))),
    ...list.map(({ name, bar, measured, ok }) => line([name, bar, measured, ok ? "ok" : "missed"])),
  ];
}

/** A suite that fails is one row without a bar. */
async function measured(suite: string): Promise<Row[]> {
  try {
    return await suites[suite]!(bench);
  } catch (error) {
    return [{ name: suite, bar: "", measured: `failed: ${(error as Error).message}`, ok: false }];
  }
}

function inOrder(list: readonly Noted[]): Noted[] {
  const order = Object.keys(suites);
  return list.toSorted((a, b) => order.indexOf(a.suite) - order.indexOf(b.suite));
}

function readRows(file: string): Noted[] {
  const json = `${file}.json`;
  return existsSync(json) ? inOrder(JSON.parse(readFileSync(json, "utf8")) as Noted[]) : [];
}

function write(file: string, list: readonly Noted[]): void {
  writeFileSync(`${file}.json`, `${JSON.stringify(list, undefined, 2)}\n`);
  writeFileSync(`${file}.md`, `${tableOf(list).join("\n")}\n`);
}
