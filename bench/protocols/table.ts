/** A measured figure, and the most that it should be on the machine that the bars were set on. */
export type Figure = {
  readonly name: string;
  readonly bar: number;
  readonly ns: number;
  /** The plain loop that it is a multiple of, and how many of it. */
  readonly loop: keyof Plain;
  readonly times: number;
};

/** The plain loops of a run. */
export type Plain = { readonly double: number; readonly integer: number };

/** What is measured of one design. */
export type Row = {
  readonly name: string;
  readonly cases: number;
  readonly exact: number;
  readonly double: number;
  readonly curve: number;
  readonly mirror: number;
  readonly compile: number;
  readonly plain: Plain;
  /** Plain loops of the same moment that a quote in doubles and a point of the compiled curve take. */
  readonly doubleTimes: number;
  readonly curveTimes: number;
  readonly bars: readonly Figure[];
  /** Of all that was called, so that nothing measured is dead code. */
  readonly checksum: number;
};

/** What the plain loops took where the bars were set. */
const REFERENCE: Plain = { double: 3, integer: 196 };

/** The row of several processes' medians, figure by figure. */
export function middleOf([first, ...others]: readonly Row[]): Row {
  const rows = [first!, ...others];
  const middle = (of: (row: Row) => number) => rows.map(of).sort((a, b) => a - b)[rows.length >> 1]!;
  const plain = { double: middle((row) => row.plain.double), integer: middle((row) => row.plain.integer) };
  const bars = first!.bars.map((bar, k) => ({
    ...bar,
    ns: middle((row) => row.bars[k]!.ns),
    times: middle((row) => row.bars[k]!.times),
  }));
  return {
    ...first!,
    ...{ exact: middle((row) => row.exact), double: middle((row) => row.double) },
    ...{ curve: middle((row) => row.curve), mirror: middle((row) => row.mirror) },
    ...{ compile: middle((row) => row.compile), doubleTimes: middle((row) => row.doubleTimes) },
    ...{ curveTimes: middle((row) => row.curveTimes), plain, bars },
  };
}

const WIDTHS = [16, 6, 16, 14, 14, 16, 16, 11];

export function line(cells: readonly string[]): string {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(WIDTHS[0]!) : cell.padStart(WIDTHS[at]!)));
  return `| ${padded.join(" | ")} |`;
}

/** A figure, and how many of the plain loop that is. */
function cell(ns: number, loop: number): string {
  const times = ns / loop;
  return `${ns.toFixed(ns < 100 ? 1 : 0)} (${times.toFixed(times < 10 ? 1 : 0)}×)`;
}

export const heads: readonly string[] = [
  "ns a call",
  "cases",
  "exact",
  "double",
  "curve",
  "mirror",
  "compile",
  "plain",
];

export function rowLine({ name, cases, plain, ...row }: Row): string {
  const doubles = [row.double, row.curve, row.mirror, row.compile].map((ns) => cell(ns, plain.double));
  const loops = `${plain.integer.toFixed(0)} / ${plain.double.toFixed(1)}`;
  return line([name, String(cases), cell(row.exact, plain.integer), ...doubles, loops]);
}

/** A bar is a multiple of the plain loop of its kind, so that the machine's speed does not matter. */
export function barLine({ name, bar, ns, loop, times }: Figure): string {
  const most = bar / REFERENCE[loop];
  const measured = `${ns.toFixed(0)} ns = ${times.toFixed(2)}×`;
  return `${name.padEnd(40)} ${measured.padStart(20)}   bar ${bar} ns = ${most.toFixed(2)}×   ${times <= most ? "holds" : "DOES NOT HOLD"}`;
}

/** The figure that is farthest up to its bar. */
export function worst(rows: readonly Row[], pick: (row: Row) => Figure): string {
  const share = ({ times, bar }: Figure) => times / bar;
  return barLine(rows.map(pick).reduce((most, next) => (share(next) > share(most) ? next : most)));
}
