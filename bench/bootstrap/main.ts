import { parseArgs } from "node:util";
import { type Chain, createChain } from "../../test/chain/blocks/chain.ts";
import { MAINNET_SIZES, type Sizes } from "../../test/chain/model/universe.ts";
import type { Bench, Row } from "./rows.ts";
import { suites } from "./suites.ts";

/** `npm run bench:bootstrap`: how a start from nothing goes against endpoints like providers', printed against its bars. */

const { values } = parseArgs({
  options: {
    /** Names of suites; all of them unless given. */
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    /** Share of mainnet's number of pools, in percent. */
    size: { type: "string", default: "100" },
    /** Seconds that a measurement may take before it counts as missed. */
    patience: { type: "string", default: "90" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(`npm run bench:bootstrap -- [--only ${Object.keys(suites).join(",")}] [--seed N] [--size PERCENT] [--patience S]
SHOW_LOG=1 shows the service's log`);
  process.exit(0);
}

const names = values.only?.split(",") ?? Object.keys(suites);
for (const name of names) {
  if (suites[name] === undefined) throw new Error(`--only ${name}: one of ${Object.keys(suites).join(", ")}`);
}
const scaled = (count: number) => Math.round((count * Number(values.size)) / 100);
const sizes: Sizes = {
  v2: scaled(MAINNET_SIZES.v2),
  v3: scaled(MAINNET_SIZES.v3),
  v4: scaled(MAINNET_SIZES.v4),
};
const seed = Number(values.seed);
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
  patienceS: Number(values.patience),
  say: (line) => console.log(`  ${line}`),
};

const rows: Row[] = [];
for (const name of names) {
  console.log(`${name} …`);
  try {
    rows.push(...(await suites[name]!(bench)));
  } catch (error) {
    rows.push({ name, bar: "", measured: `failed: ${(error as Error).message}`, ok: false });
  }
}
clearInterval(running?.clock);

const widths = [52, 26, 64];
const line = (cells: readonly string[]) =>
  `| ${cells.map((cell, k) => cell.padEnd(widths[k] ?? 0)).join(" | ")} |`;
console.log(line(["", "bar", "measured", ""]));
console.log(line(widths.map((width) => "-".repeat(width)).concat("---")));
for (const { name, bar, measured, ok } of rows)
  console.log(line([name, bar, measured, ok ? "ok" : "missed"]));
const missed = rows.filter(({ ok }) => !ok).length;
console.log(`${rows.length - missed} ok, ${missed} missed`);
process.exit(missed === 0 ? 0 : 1);
