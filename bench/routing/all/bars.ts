import { quantileOf } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import {
  cappedGaps,
  complete,
  gains,
  gaps,
  least,
  meanOf,
  most,
  msOf,
  proved,
  type Row,
  violations,
} from "./figures.ts";

/** What a run was of; seeds of one market are told together. */
export type Of = { readonly market: string; readonly seed?: number };

/** A bar of the table, what was measured, and whether it holds; `holds` is undefined where nothing could be measured. */
export type Bar = Of & {
  readonly what: string;
  /** "-" for a figure without a bar. */
  readonly wanted: string;
  readonly measured: string;
  readonly holds: boolean | undefined;
  /** What decides which seed is the worst: the larger, the worse. */
  readonly bad: number;
};

type Measure = {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  readonly more?: string;
};

const tell = ({ value, unit = "", more = "" }: Measure) => `${figure(value, 3)}${unit}${more}`;

export function atMost(of: Of, measure: Measure, limit: number): Bar {
  const { what, value, unit = "" } = measure;
  const holds = Number.isFinite(value) ? value <= limit : undefined;
  return { ...of, what, wanted: `<= ${limit}${unit}`, measured: tell(measure), holds, bad: value };
}

export function atLeast(of: Of, measure: Measure, limit: number): Bar {
  const { what, value, unit = "" } = measure;
  const holds = Number.isFinite(value) ? value >= limit : undefined;
  return { ...of, what, wanted: `>= ${limit}${unit}`, measured: tell(measure), holds, bad: -value };
}

/** A figure without a bar. */
function shown(of: Of, measure: Measure): Bar {
  return {
    ...of,
    what: measure.what,
    wanted: "-",
    measured: tell(measure),
    holds: undefined,
    bad: measure.value,
  };
}

const [BP, MS, PERCENT] = [" bp", " ms", " %"];
/** Legs of a route in the runs. */
const CAP = 16;

/** What every run is held to: a net bound on all orders, none violated, searches that end by themselves. */
function soundness(of: Of, rows: readonly Row[]): Bar[] {
  return [
    atLeast(of, { what: "orders with a net bound", value: 100 * proved(rows), unit: PERCENT }, 100),
    atMost(of, { what: "violated bounds", value: violations(rows) }, 0),
    atLeast(of, { what: "searches complete", value: 100 * complete(rows), unit: PERCENT }, 99.5),
  ];
}

/** Real pairs after searchers, with gas. */
export function searchedBars(of: Of, rows: readonly Row[]): Bar[] {
  const large = gaps(rows, "netBp", { from: 3, to: Number.POSITIVE_INFINITY });
  const middle = gaps(rows, "netBp", { from: 0.3, to: 3 });
  const legs = gaps(rows, "legs");
  const ms = msOf(rows, "a");
  const bar = (what: string, value: number, limit: number, unit: string) =>
    atMost(of, { what, value, unit }, limit);
  return [
    ...soundness(of, rows),
    bar(">= 3 ETH: net gap, median", quantileOf(large, 0.5), 0.1, BP),
    bar(">= 3 ETH: net gap, p90", quantileOf(large, 0.9), 2, BP),
    bar("0.3 - 3 ETH: net gap, median", quantileOf(middle, 0.5), 4, BP),
    bar("0.3 - 3 ETH: net gap, p90", quantileOf(middle, 0.9), 12, BP),
    bar("all: gap in legs, median", quantileOf(legs, 0.5), 1, ""),
    bar("all: gap in legs, p90", quantileOf(legs, 0.9), 2, ""),
    ...notBelow(of, rows, { mean: undefined, worst: -0.1 }),
    bar("CPU time, p50", quantileOf(ms, 0.5), 8, MS),
    bar("CPU time, p99", quantileOf(ms, 0.99), 60, MS),
    ...timeRatio(of, rows, undefined),
  ];
}

/** Those pairs after a few swaps: no bar is set for how long arbitrage may keep a search busy. */
export function movedBars(of: Of, rows: readonly Row[]): Bar[] {
  const ms = msOf(rows, "a");
  return [
    ...soundness(of, rows),
    ...notBelow(of, rows, { mean: -0.02, worst: -0.5 }),
    shown(of, { what: "CPU time, p50", value: quantileOf(ms, 0.5), unit: MS }),
    shown(of, { what: "CPU time, p99", value: quantileOf(ms, 0.99), unit: MS }),
    ...timeRatio(of, rows, undefined),
  ];
}

/** Arbitrage that the raw pairs hold in ETH, as it was measured by other means, and how far from it a figure may be. */
const RAW_ARBITRAGE = 753;
const NEAR = 0.02;

/** Real pairs that were read one by one, and hold much arbitrage. */
export function rawBars(of: Of, rows: readonly Row[]): Bar[] {
  const held = most(rows.flatMap(({ a }) => (a.arbitrageWei == null ? [] : [Number(a.arbitrageWei) / 1e18])));
  const off = Math.abs(held - RAW_ARBITRAGE) / RAW_ARBITRAGE;
  return [
    ...soundness(of, rows),
    {
      ...{
        ...of,
        what: "market_arbitrage",
        wanted: `${RAW_ARBITRAGE} ETH within 2 %`,
        measured: `${figure(held)} ETH`,
      },
      ...{ holds: Number.isFinite(held) ? off <= NEAR : undefined, bad: off },
    },
    ...notBelow(of, rows, { mean: undefined, worst: -0.1 }),
    atMost(of, { what: "CPU time, p50", value: quantileOf(msOf(rows, "a"), 0.5), unit: MS }, 20),
    ...timeRatio(of, rows, undefined),
  ];
}

/** Of fewer orders a 90th percentile says nothing. */
const FEWEST_CAPPED = 10;

/** Which bars a clean run has beside those of all. */
export type CleanKind = { readonly isFree: boolean; readonly isMiddle: boolean };

export function cleanBars(of: Of, rows: readonly Row[], { isFree, isMiddle }: CleanKind): Bar[] {
  const p99 = { what: "CPU time, p99", value: quantileOf(msOf(rows, "a"), 0.99), unit: MS };
  return [
    ...soundness(of, rows),
    ...(isFree ? [cappedBar(of, rows)] : []),
    ...notBelow(of, rows, { mean: -0.02, worst: -0.5 }),
    ...timeRatio(of, rows, 1.3),
    isMiddle ? atMost(of, p99, 100) : shown(of, p99),
  ];
}

function cappedBar(of: Of, rows: readonly Row[]): Bar {
  const { a, b } = cappedGaps(rows, CAP);
  const [mine, other] = [quantileOf(a, 0.9), quantileOf(b, 0.9)];
  const value = a.length >= FEWEST_CAPPED ? mine / other : Number.NaN;
  const more = ` (${figure(mine)} over ${figure(other)} bp, ${a.length} orders)`;
  return atMost(
    of,
    { what: "orders with all legs used: p90 of the gap over the baseline's", value, more },
    0.25,
  );
}

/** Dust pools, the most that the time of the clean market may grow by, and the gap that orders of 1 to 20 ETH may have. */
export const DUSTS = [
  { dust: 1, ratio: 1.2, gapBp: undefined },
  { dust: 100, ratio: 1.5, gapBp: 1.5 },
  { dust: 5000, ratio: 2, gapBp: 8 },
] as const;

/** A gap is as that of the clean market where it is above by no more than this share, and this many basis points. */
const AS_CLEAN = { share: 0.05, bp: 0.05 };

/** @param rows with dust on the first side, and without on the second */
export function dustBars(of: Of, rows: readonly Row[], { ratio, gapBp }: (typeof DUSTS)[number]): Bar[] {
  const size = { from: 1, to: 20 };
  const value = quantileOf(gaps(rows, "netBp", size), 0.5);
  const clean = quantileOf(
    gaps(
      rows.map((row) => ({ ...row, a: row.b ?? row.a })),
      "netBp",
      size,
    ),
    0.5,
  );
  const measure = {
    what: "1 - 20 ETH: net gap, median",
    value,
    unit: BP,
    more: `, clean ${figure(clean, 3)}`,
  };
  const holds = Number.isFinite(clean) ? value <= (1 + AS_CLEAN.share) * clean + AS_CLEAN.bp : undefined;
  return [
    ...soundness(of, rows),
    gapBp === undefined ? { ...shown(of, measure), wanted: "as clean", holds } : atMost(of, measure, gapBp),
    ...notBelow(of, rows, { mean: -0.02, worst: -0.5 }, "clean"),
    ...timeRatio(of, rows, ratio, "clean"),
  ];
}

type Limits = { readonly mean: number | undefined; readonly worst: number };

function notBelow(of: Of, rows: readonly Row[], { mean, worst }: Limits, other = "baseline"): Bar[] {
  const all = gains(rows);
  const average = { what: `net against ${other}, mean`, value: meanOf(all), unit: BP };
  return [
    mean === undefined ? shown(of, average) : atLeast(of, average, mean),
    atLeast(of, { what: `net against ${other}, worst order`, value: least(all), unit: BP }, worst),
    shown(of, { what: `net against ${other}, best order`, value: most(all), unit: BP }),
  ];
}

function timeRatio(of: Of, rows: readonly Row[], limit: number | undefined, other = "baseline"): Bar[] {
  const p50 = (side: "a" | "b", clock: "ms" | "cpuMs") => quantileOf(msOf(rows, side, clock), 0.5);
  const ratio = (clock: "ms" | "cpuMs"): Pick<Measure, "value" | "more"> => ({
    value: p50("a", clock) / p50("b", clock),
    more: ` (${figure(p50("a", clock))} over ${figure(p50("b", clock))} ms)`,
  });
  const cpu = { what: `CPU time, p50 over that of ${other}`, ...ratio("cpuMs") };
  const wall = { what: `time by the clock, p50 over that of ${other}`, ...ratio("ms") };
  return [limit === undefined ? shown(of, cpu) : atMost(of, cpu, limit), shown(of, wall)];
}
