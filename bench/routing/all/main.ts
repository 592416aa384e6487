/** `npm run bench:routing:all`: every market of the table, every bar, and docs/benchmarks.md. */
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { parseFlags, runCommand, whole, writable } from "../flags.ts";
import { BadInput } from "../market/fields.ts";
import { BASELINE, checkOutBaseline, treeKey } from "./baseline.ts";
import { openCache } from "./cache.ts";
import { barTable, countOf, readPage, writePage } from "./page.ts";
import { type Part, partsOf, type Result, type Setting } from "./parts.ts";

const USAGE = `bench:routing:all -- [--real FILE...]
  --real FILE     real pools: a market/1 file is the searched market, pools-univ2/1 files together are the raw one;
                  without any these rows are left out, by name
  --only NAME     parts whose name begins with these words; several with commas: searched, moved, raw, dust, clean-2000, clean-20000, clean-100000,
                  devnet, purchases, referee, strategies
  --orders N      orders of a run; default 200, of real pairs half as many more
  --seeds LIST    of made markets; default: 1,2,3,7 and a random one, which is printed and kept with the parts
  --cache FOLDER  finished parts, by commit and options: a run that was cut short goes on; default bench/routing/out
  --page FILE     where the bars are written, between marks; default docs/benchmarks.md; "none" prints only`;

const MOST_SEED = 2 ** 32 - 1;
const SEEDS = [1, 2, 3, 7];

async function main(): Promise<number> {
  const options = readOptions();
  const key = `${treeKey()}-${options.orders}${options.seeds === "" ? "" : `-${options.seeds.replaceAll(",", ".")}`}`;
  const cache = openCache(options.cache, key);
  const extra = await cache.keep("random-seed", () => Math.floor(Math.random() * (MOST_SEED + 1)));
  const seeds =
    options.seeds === ""
      ? [...SEEDS, extra]
      : options.seeds.split(",").map((seed) => whole("seeds", seed, 0, MOST_SEED));
  const baseline = checkOutBaseline();
  try {
    const { real, orders } = options;
    const setting: Setting = { cache, root: resolve("."), baseline: baseline?.root, orders, seeds, real };
    const cut = options.only.length === 0 ? "" : `; only ${options.only.join(", ")}`;
    const head = headOf(`${key}${cut}`, seeds, setting);
    console.log(head);
    const results = await runParts(setting, options.only);
    const bars = results.flatMap((result) => result.bars);
    console.log(`\n${countOf(bars)}`);
    if (options.page !== undefined) writePage(options.page, head, results);
    return bars.some(({ holds }) => holds === false) ? 1 : 0;
  } finally {
    baseline?.remove();
  }
}

function readOptions() {
  const text = { type: "string" } as const;
  const { values, positionals } = parseFlags({
    allowPositionals: true,
    options: {
      real: { ...text, multiple: true },
      only: { ...text, default: "" },
      orders: { ...text, default: "200" },
      seeds: { ...text, default: "" },
      cache: { ...text, default: "bench/routing/out" },
      page: { ...text, default: "docs/benchmarks.md" },
    },
  });
  return {
    real: [...(values.real ?? []), ...positionals],
    only: values.only === "" ? [] : values.only.split(","),
    orders: whole("orders", values.orders, 1),
    seeds: values.seeds,
    cache: values.cache,
    page: values.page === "none" ? undefined : markedPage(values.page),
  };
}

/** A page that can be written and has its marks: found out before an hour is measured. */
function markedPage(path: string): string {
  readPage(writable("page", path));
  return path;
}

async function runParts(setting: Setting, only: readonly string[]): Promise<Result[]> {
  const all = partsOf(setting);
  const isWanted = ({ name }: Part) =>
    only.length === 0 || only.some((start) => `${name}-`.startsWith(`${start}-`));
  const parts = all.filter(isWanted);
  if (parts.length === 0)
    throw new BadInput(
      `--only: no part begins with "${only.join(",")}" among ${all.map(({ name }) => name).join(", ")}`,
    );
  const results: Result[] = [];
  for (const part of parts) {
    const start = performance.now();
    const result = await part.run(setting).catch((error: Error): Result => {
      // The other parts are worth their while all the same; this one is tried again by the next run.
      const failed = {
        market: part.name,
        what: "the part runs",
        wanted: "yes",
        measured: error.message.split("\n")[0]!,
      };
      return { bars: [{ ...failed, holds: false, bad: Number.POSITIVE_INFINITY }] };
    });
    results.push(result);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(
      `\n${part.name} (${seconds} s)\n${barTable(result.bars)}${result.text ? `\n${result.text}` : ""}`,
    );
  }
  return results;
}

function headOf(key: string, seeds: readonly number[], { baseline, real, orders }: Setting): string {
  const [cpu] = cpus();
  const load = loadavg()[0]!.toFixed(1);
  const machine = `${cpu?.model ?? "unknown processor"}, ${cpus().length} cores, load ${load}, Node ${process.version}`;
  const against =
    baseline === undefined ? `baseline ${BASELINE} is not in this clone: no ratios` : `baseline ${BASELINE}`;
  const missing = real.length === 0 ? "; LEFT OUT: searched, moved and raw pairs, no --real FILE" : "";
  return `${key}; ${machine}; ${against}; seeds ${seeds.join(", ")}; ${orders} orders a run, at most 16 legs${missing}\n`;
}

await runCommand(USAGE, main);
