import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readFlags, refuse, wholeNumber } from "../../scripts/command-line.ts";
import { protocols } from "../../src/protocols/index.ts";
import { barFigures, curveBar, doubleBar } from "./bars.ts";
import { casesFor } from "./cases.ts";
import { multiple, nanoseconds, sink } from "./clock.ts";
import { compileLoop, curveLoop, doubleLoop, exactLoop, mirrorLoop } from "./figures.ts";
import { plainLoops } from "./plain.ts";
import { barLine, heads, line, middleOf, type Plain, type Row, rowLine, worst } from "./table.ts";

/**
 * npm run bench:protocols -- [--states 64] [--seed 1] [--only uniswap-v3] [--runs 3]
 *
 * Nanoseconds of processor time of each design's exact quote, quote in doubles, compiled curve, mirror and compilation,
 * over seeded random pools and sizes, and how many plain loops of the same run that is: an exact quote against a constant
 * product in integers, the rest against one in doubles. Each design runs in processes of its own, so that none is slowed
 * by what the compiler learnt of another; a figure is the median of them, since what a process happens to compile first,
 * and where its memory lies, moves it by a tenth. Read the multiples. Prints; never fails on a time.
 */
const { values } = readFlags({
  options: {
    states: { type: "string", default: "64" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    runs: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
  },
});

const sample = {
  states: wholeNumber("states", values.states, 1),
  seed: wholeNumber("seed", values.seed, 0),
};
const runs = wholeNumber("runs", values.runs, 1);
if (values.only !== undefined && !protocols.has(values.only))
  refuse(`--only: one of ${[...protocols.keys()].join(", ")} is wanted, not "${values.only}"`);
if (values.json && values.only === undefined)
  refuse("--json prints the figures of one design: --only is wanted");

async function measure(name: string): Promise<Row> {
  const protocol = protocols.get(name)!;
  const cases = await casesFor(protocol, sample);
  const row = {
    name,
    cases: cases.length,
    plain: plainNow(),
    exact: nanoseconds(exactLoop(protocol, cases)),
    double: nanoseconds(doubleLoop(protocol, cases)),
    curve: nanoseconds(curveLoop(protocol, cases)),
    mirror: nanoseconds(mirrorLoop(protocol, cases)),
    compile: nanoseconds(compileLoop(protocol, cases)),
    doubleTimes: multiple(doubleLoop(protocol, cases), plainLoops.double),
    curveTimes: multiple(curveLoop(protocol, cases), plainLoops.double),
    bars: await barFigures(name, sample),
    checksum: sink.total,
  };
  const later = plainNow();
  const best = (loop: keyof Plain) => Math.min(row.plain[loop], later[loop]);
  return { ...row, plain: { double: best("double"), integer: best("integer") } };
}

function plainNow(): Plain {
  return { double: nanoseconds(plainLoops.double), integer: nanoseconds(plainLoops.integer) };
}

function measuredApart(name: string): Row {
  const script = fileURLToPath(import.meta.url);
  const given = ["--states", values.states, "--seed", values.seed, "--only", name, "--json"];
  const { stdout, status } = spawnSync(process.execPath, [script, ...given], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${name}: the measurement ended with ${status}`);
  return JSON.parse(stdout) as Row;
}

function print(measured: Iterable<Row>): void {
  console.log(line(heads));
  console.log(line(heads.map((_, at) => (at === 0 ? "-" : "-:"))));
  const rows: Row[] = [];
  for (const row of measured) {
    console.log(rowLine(row));
    rows.push(row);
  }
  const bars = rows.flatMap((row) => row.bars.map(barLine));
  console.log(
    ["", ...bars, "nearest to their bars:", worst(rows, curveBar), worst(rows, doubleBar)].join("\n"),
  );
}

function* all(): Generator<Row> {
  for (const name of protocols.keys()) yield measuredOften(name);
}

/** Once where a design has no bar of its own: those of all are far off. */
function measuredOften(name: string): Row {
  const first = measuredApart(name);
  const more = first.bars.length > 0 ? runs - 1 : 0;
  return middleOf([first, ...Array.from({ length: Math.max(0, more) }, () => measuredApart(name))]);
}

if (values.json) console.log(JSON.stringify(await measure(values.only!)));
else print(values.only === undefined ? all() : [measuredOften(values.only)]);
