import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  atMost,
  type Bar,
  cleanBars,
  DUSTS,
  dustBars,
  movedBars,
  type Of,
  rawBars,
  searchedBars,
} from "./bars.ts";
import type { Cache } from "./cache.ts";
import { agreementBars, agreementText, runAgreement } from "./devnet/agreement.ts";
import { devnetBars, devnetText, runDevnet } from "./devnet/gaps.ts";
import { type Row, rowsOf } from "./figures.ts";
import { cleanMarket, type Made, movedRealMarket, realMarket } from "./markets.ts";
import { runBoth, type Side } from "./pair.ts";

/** What all parts share. */
export type Setting = {
  readonly cache: Cache;
  /** Folder of the tree that is measured. */
  readonly root: string;
  /** Folder of the baseline's tree; undefined where the clone does not hold it. */
  readonly baseline: string | undefined;
  readonly orders: number;
  readonly seeds: readonly number[];
  /** Files of real pools. */
  readonly real: readonly string[];
};

/** A row of the table: bars, or what a command printed. */
export type Result = { readonly bars: readonly Bar[]; readonly text?: string };
export type Part = { readonly name: string; readonly run: (setting: Setting) => Promise<Result> };

const SIZES = [
  { tokens: 500, pools: 2_000 },
  { tokens: 5_000, pools: 20_000 },
  { tokens: 20_000, pools: 100_000 },
] as const;
/** The size with a bar on its 99th percentile. */
const MIDDLE = 20_000;
const GWEIS = [0, 5];
/** Real pairs are asked for so many times the orders of a made market. */
const REAL_SHARE = 1.5;

/** All parts of the table; those of real pairs only where there are files of them. */
export function partsOf({ real, seeds }: Setting): Part[] {
  const searched = real.filter((file) => schemaOf(file) === "market/1");
  const raw = real.filter((file) => schemaOf(file) === "pools-univ2/1");
  // Markets full of dust take most of the time: the first seed and the last, which is the random one, are enough.
  const few = [...new Set([seeds[0]!, seeds.at(-1)!])];
  return [
    ...(searched.length > 0 ? [realPart("searched", searched, searchedBars)] : []),
    ...searched.slice(0, 1).flatMap((file) => few.map((seed) => movedPart(file, seed))),
    ...(raw.length > 0 ? [realPart("raw", raw, rawBars)] : []),
    ...few.flatMap((seed) => dustParts(seed)),
    ...SIZES.flatMap((size) => seeds.map((seed) => cleanPart(seed, size))),
    devnetPart(false),
    devnetPart(true),
    { name: "devnet-agreement", run: agreement },
    ...SIZES.slice(0, 2).flatMap((size) => few.map((seed) => purchasesPart(seed, size))),
    { name: "referee", run: (setting) => command(setting, "referee", ["--referee", "12"]) },
    { name: "strategies", run: strategies },
  ];
}

/** The head of a file is enough, and some have a hundred megabytes. */
function schemaOf(file: string): string | undefined {
  return /"schema":\s*"([^"]+)"/.exec(readFileSync(file, "utf8").slice(0, 1000))?.[1];
}

type Judge = (of: Of, rows: readonly Row[]) => Bar[];

function realPart(name: string, files: readonly string[], judge: Judge): Part {
  return {
    name,
    run: async (setting) => {
      const runs = await setting.cache.keep(name, async () => {
        const made = realMarket(files, Math.round(setting.orders * REAL_SHARE));
        return againstBaseline(setting, made, [5]);
      });
      return { bars: judge({ market: `${name} pairs, 5 gwei` }, runs[0]!.rows) };
    },
  };
}

/** The searched market between two searchers' transactions. */
function movedPart(file: string, seed: number): Part {
  const name = `moved-seed-${seed}`;
  return {
    name,
    run: async (setting) => {
      const runs = await setting.cache.keep(name, async () => {
        const made = movedRealMarket(setting.cache.folder, file, { seed, count: setting.orders });
        return againstBaseline(setting, made, [5]);
      });
      return { bars: movedBars({ market: "searched pairs, 1 % moved, 5 gwei", seed }, runs[0]!.rows) };
    },
  };
}

type Run = { readonly gwei: number; readonly rows: readonly Row[] };

async function againstBaseline(
  { root, baseline }: Setting,
  made: Made,
  gweis: readonly number[],
): Promise<Run[]> {
  const b: Side | undefined = baseline === undefined ? undefined : { root: baseline, market: made.files };
  const all = await runBoth({ a: { root, market: made.files }, b }, made.orders, gweis);
  made.discard();
  return [...all].map(([gwei, list]) => ({ gwei, rows: rowsOf(list, made.worth) }));
}

function cleanPart(seed: number, size: (typeof SIZES)[number]): Part {
  const name = `clean-${size.pools}-seed-${seed}`;
  return {
    name,
    run: async (setting) => {
      const runs = await setting.cache.keep(name, () => {
        const made = cleanMarket(setting.cache.folder, seed, { ...size, count: setting.orders });
        return againstBaseline(setting, made, GWEIS);
      });
      const of = (gwei: number) => ({ market: `clean ${size.tokens}/${size.pools}, ${gwei} gwei`, seed });
      const kind = (gwei: number) => ({ isFree: gwei === 0, isMiddle: size.pools === MIDDLE });
      return { bars: runs.flatMap(({ gwei, rows }) => cleanBars(of(gwei), rows, kind(gwei))) };
    },
  };
}

/** The same market with dust and without, the same orders of it, by one commit. */
function dustParts(seed: number): Part[] {
  return DUSTS.map((wanted) => {
    const name = `dust-${wanted.dust}-seed-${seed}`;
    return {
      name,
      run: async ({ cache, root, orders }) => {
        const runs = await cache.keep(name, async () => {
          const size = { ...SIZES[0], count: orders };
          const clean = cleanMarket(cache.folder, seed, size);
          const dusty = cleanMarket(cache.folder, seed, { ...size, dust: wanted.dust });
          const sides = { a: { root, market: dusty.files }, b: { root, market: clean.files } };
          const all = await runBoth(sides, clean.orders, GWEIS);
          clean.discard();
          dusty.discard();
          return [...all].map(([gwei, list]): Run => ({ gwei, rows: rowsOf(list, clean.worth) }));
        });
        const of = (gwei: number) => ({ market: `dust ${wanted.dust} on 500/2000, ${gwei} gwei`, seed });
        return { bars: runs.flatMap(({ gwei, rows }) => dustBars(of(gwei), rows, wanted)) };
      },
    };
  });
}

function devnetPart(withGas: boolean): Part {
  const name = withGas ? "devnet-gas" : "devnet-free";
  return {
    name,
    run: async ({ cache }) => {
      const rows = await cache.keep(name, () => runDevnet(withGas));
      return { bars: devnetBars(rows, withGas ? "with gas" : "gas free"), text: devnetText(rows) };
    },
  };
}

async function agreement({ cache }: Setting): Promise<Result> {
  const rows = await cache.keep("devnet-agreement", runAgreement);
  return { bars: agreementBars(rows), text: agreementText(rows) };
}

/** Published ideas on the smallest market. */
function strategies(setting: Setting): Promise<Result> {
  const files = filesOf(setting, 1, SIZES[0]);
  return command(setting, "strategies", [...files, "--gas-gwei", "5", "--sample", "60"]);
}

/** What sales of a clean market pay, bought. */
function purchasesPart(seed: number, size: (typeof SIZES)[number]): Part {
  const name = `purchases-${size.pools}-seed-${seed}`;
  return {
    name,
    run: (setting) =>
      command(setting, name, [...filesOf(setting, seed, size), "--strategies", "none", "--buy"]),
  };
}

/** A made market and its orders, as flags of the command. */
function filesOf({ cache, orders: count }: Setting, seed: number, size: (typeof SIZES)[number]): string[] {
  const [market] = cleanMarket(cache.folder, seed, { ...size, count }).files as [string];
  const orders = market.replace(".market.json", ".orders.json");
  const status = makeOrders(market, orders, count);
  if (status !== 0) throw new Error(`bench:orders ended with ${status}`);
  return ["--market", market, "--orders", orders];
}

function makeOrders(market: string, out: string, count: number): number | null {
  const script = join(import.meta.dirname, "..", "make-orders.ts");
  return spawnSync(process.execPath, [script, "--market", market, "--out", out, "--count", String(count)])
    .status;
}

/** What `npm run bench:routing` prints; an exit code of 1 is a finding, and anything worse ends the report. */
async function command({ cache }: Setting, name: string, flags: readonly string[]): Promise<Result> {
  const { status, stdout } = await cache.keep(name, () => {
    const [, ...words] = JSON.parse(readFileSync("package.json", "utf8")).scripts["bench:routing"].split(" ");
    const ended = spawnSync(process.execPath, [...words, ...flags], { encoding: "utf8", maxBuffer: 1 << 28 });
    if (ended.status !== 0 && ended.status !== 1) throw new Error(`${name}: ${ended.stderr}`);
    return { status: ended.status, stdout: ended.stdout };
  });
  const bar = atMost({ market: name }, { what: "exit code", value: status }, 0);
  return { bars: [bar], text: stdout.trim() };
}
