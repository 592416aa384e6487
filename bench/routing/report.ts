import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * Runs the whole bench, and writes what it prints into docs/benchmarks.md. Every run is a process of its own, on the
 * core that this one is bound to.
 */

/** On the largest market the strategies take hours. */
const SIZES: readonly Size[] = [
  { tokens: 50, pools: 200, flags: [] },
  { tokens: 500, pools: 2_000, flags: [] },
  { tokens: 5_000, pools: 20_000, flags: [] },
  { tokens: 20_000, pools: 100_000, flags: ["--strategies", "none"] },
];
const RUNS = [
  { title: "gas free, no cap", flags: ["--gas-gwei", "0", "--max-legs", "0", "--verify"] },
  { title: "gas free, 16 legs", flags: ["--gas-gwei", "0", "--max-legs", "16"] },
  { title: "5 gwei, 16 legs", flags: ["--gas-gwei", "5", "--max-legs", "16", "--verify"] },
];
const BEGIN = "<!-- routing: printed by bench/routing/report.ts -->";
const END = "<!-- end of routing -->";

/** What `npm run bench:routing` gives to node. */
const BENCH: readonly string[] = JSON.parse(readFileSync("package.json", "utf8"))
  .scripts["bench:routing"].split(" ")
  .slice(1);

type Size = { readonly tokens: number; readonly pools: number; readonly flags: readonly string[] };
type Section = { readonly title: string; readonly command: string; readonly output: string };

function main(): void {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      real: { ...text, multiple: true },
      seed: { ...text, default: "1" },
      sizes: { ...text, default: "4" },
      out: { ...text, default: "docs/benchmarks.md" },
    },
  });
  const page = readFileSync(values.out, "utf8");
  if (!page.includes(BEGIN) || !page.includes(END))
    throw new Error(`${values.out} lacks the marks "${BEGIN}"`);
  const folder = mkdtempSync(join(tmpdir(), "braid-bench-"));
  try {
    const sections = [
      ...SIZES.slice(0, Number(values.sizes)).flatMap((size) => seeded(folder, values.seed, size)),
      bench("Referee", ["--referee", "25"]),
      ...realMarket(folder, [...(values.real ?? []), ...positionals]),
    ];
    writeFileSync(values.out, withTables(page, sections));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function seeded(folder: string, seed: string, { tokens, pools, flags: more }: Size): Section[] {
  const market = join(folder, `${tokens}.json`);
  const orders = join(folder, `${tokens}.orders.json`);
  const size = ["--seed", seed, "--tokens", String(tokens), "--pools", String(pools)];
  run([join(import.meta.dirname, "make-market.ts"), ...size, "--out", market]);
  return RUNS.map(({ title, flags }) =>
    bench(`${tokens} tokens, ${pools} pools, seed ${seed}: ${title}`, [
      "--market",
      market,
      "--orders",
      orders,
      ...flags,
      ...more,
    ]),
  );
}

function realMarket(folder: string, files: readonly string[]): Section[] {
  if (files.length === 0) return [];
  const orders = join(folder, "real.orders.json");
  run([join(import.meta.dirname, "make-orders.ts"), "--market", ...files, "--out", orders]);
  return RUNS.slice(1).map(({ title, flags }) =>
    bench(`Real market of ${files.length} files: ${title}`, [
      "--market",
      ...files,
      "--orders",
      orders,
      ...flags.filter((flag) => flag !== "--verify"),
    ]),
  );
}

function bench(title: string, flags: readonly string[]): Section {
  const shown = flags.map((flag) => (flag.includes("/") ? flag.slice(flag.lastIndexOf("/") + 1) : flag));
  return {
    title,
    command: `npm run bench:routing -- ${shown.join(" ")}`,
    output: run([...BENCH, ...flags]),
  };
}

/** Exit code 1 is a finding and belongs into the page; anything worse stops the report. */
function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0 && status !== 1) throw new Error(`${args.join(" ")} ended with ${status}:\n${stderr}`);
  console.log(`${args.join(" ")}: exit ${status}`);
  return status === 1 ? `${stdout}\nExit code 1.\n${stderr}` : stdout;
}

function withTables(page: string, sections: readonly Section[]): string {
  const printed = sections.map(
    ({ title, command, output }) => `### ${title}\n\n\`\`\`\n${command}\n\n${output.trim()}\n\`\`\`\n`,
  );
  const start = page.indexOf(BEGIN) + BEGIN.length;
  return `${page.slice(0, start)}\n\n${printed.join("\n")}\n${page.slice(page.indexOf(END))}`;
}

main();
