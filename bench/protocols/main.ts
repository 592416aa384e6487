import { parseArgs } from "node:util";
import fc from "fast-check";
import type { Protocol } from "../../src/core/protocol.ts";
import { protocols } from "../../src/protocols/index.ts";
import type { Subject } from "../../src/protocols/subject.ts";

/**
 * npm run bench:protocols -- [--states 64] [--seed 1] [--only uniswap-v3]
 *
 * Nanoseconds of processor time of each design's exact quote, quote in doubles, mirror and curve, over seeded random pools
 * and sizes, and their ratio to a plain loop of the same run: read the ratios. Prints; never fails on a time.
 */

/** One question that the pool can fill, with its mirror beside it. */
type Case = {
  readonly subject: Subject;
  readonly mirror: unknown;
  readonly i: number;
  readonly j: number;
  readonly exact: bigint;
  readonly float: number;
};

const SIZES = 8;
const ROUNDS = 7;
const ROUND_MS = 40;

/** Sums here are printed at the end, so that no loop can be dropped as dead. */
let sink = 0;

const { values } = parseArgs({
  options: {
    states: { type: "string", default: "64" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});

/** Sizes from a millionth of what the direction can pay up to nearly all of it. */
function casesOf(protocol: Protocol, subject: Subject, at: number): Case[] {
  const state = subject.states.get(subject.pool.stateIds[0]);
  const mirror = protocol.mirror(state, subject.pool, subject.at, subject.states);
  const count = subject.pool.tokens.length;
  const i = at % count;
  const j = (i + 1) % count;
  const depth = depthOf(protocol, mirror, i, j);
  return Array.from({ length: SIZES }, (_, k) => depth * 10 ** (-6 + (5.8 * k) / (SIZES - 1)))
    .filter((float) => float >= 1 && float < 2 ** 250)
    .map((float) => ({ subject, mirror, i, j, exact: BigInt(Math.floor(float)), float: Math.floor(float) }))
    .filter(({ exact }) => protocol.quote(subject.states, subject.pool, i, j, exact, "in", subject.at));
}

/** The input that halves the price where the curve goes on for ever, else all that it takes. */
function depthOf(protocol: Protocol, mirror: unknown, i: number, j: number): number {
  const curve = protocol.curve(mirror, i, j);
  if (curve === undefined) return 1e18;
  const last = curve.x.length - 1;
  const reach = curve.c[last]! > 0 ? curve.x[last]! + 1 / curve.c[last]! : 1e24;
  return Math.min(curve.end, reach);
}

/** Processor time of this thread, which other processes on the machine do not stretch. */
function cpuMicroseconds(): number {
  return process.threadCpuUsage().user;
}

/** Best of some rounds, each long enough for the clock: the least disturbed one. */
function nanoseconds(cases: readonly Case[], run: (one: Case) => number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpuMicroseconds();
    let calls = 0;
    while (cpuMicroseconds() - start < ROUND_MS * 1000) {
      for (let repeat = 0; repeat < 4; repeat++) for (const one of cases) sink += run(one);
      calls += cases.length * 4;
    }
    best = Math.min(best, ((cpuMicroseconds() - start) * 1000) / calls);
  }
  return best;
}

/** A constant product in doubles, written out: what the cheapest quote of any design would cost. */
function plain({ float }: Case): number {
  const lessFee = float * 0.997;
  return (lessFee * 2e18) / (1e18 + lessFee);
}

type Row = { readonly name: string; readonly cases: number; readonly figures: readonly number[] };

function measure(protocol: Protocol, cases: readonly Case[]): Row {
  const state = ({ subject }: Case) => subject.states.get(subject.pool.stateIds[0]);
  const loop = nanoseconds(cases, plain);
  const float = nanoseconds(cases, (c) => protocol.quoteFloat(c.mirror, c.i, c.j, c.float));
  const exact = nanoseconds(
    cases,
    (c) => protocol.quote(c.subject.states, c.subject.pool, c.i, c.j, c.exact, "in", c.subject.at)!.gas,
  );
  const mirror = nanoseconds(cases, (c) =>
    protocol.mirror(state(c), c.subject.pool, c.subject.at, c.subject.states) === undefined ? 1 : 0,
  );
  const curve = nanoseconds(cases, (c) => protocol.curve(c.mirror, c.i, c.j)?.x.length ?? 0);
  return { name: protocol.name, cases: cases.length, figures: [loop, float, exact, mirror, curve] };
}

async function casesFor(protocol: Protocol): Promise<Case[]> {
  const { subjects } = (await import(`../../src/protocols/${protocol.name}/arbitrary.ts`)) as {
    subjects: fc.Arbitrary<Subject>;
  };
  const sample = fc.sample(subjects, { seed: Number(values.seed), numRuns: Number(values.states) });
  return sample.flatMap((subject, at) => casesOf(protocol, subject, at));
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(14))).join(" | ")} |`;
}

/** Nanoseconds, and beside them how many plain loops that is. */
function cell(figure: number, loop: number): string {
  return `${figure.toFixed(figure < 100 ? 1 : 0)} (${(figure / loop).toFixed(0)}×)`;
}

console.log(line(["ns a call", "cases", "plain loop", "double", "exact", "mirror", "curve"]));
console.log(
  line(
    Array(7)
      .fill("-")
      .map((dash, at) => (at === 0 ? dash : `${dash}:`)),
  ),
);
for (const protocol of protocols.values()) {
  if (values.only !== undefined && values.only !== protocol.name) continue;
  const { name, cases, figures } = measure(protocol, await casesFor(protocol));
  const [loop, ...rest] = figures as [number, ...number[]];
  console.log(line([name, String(cases), loop.toFixed(1), ...rest.map((figure) => cell(figure, loop))]));
}
console.log(`seed ${values.seed}, ${values.states} states a design, checksum ${sink.toExponential(3)}`);
