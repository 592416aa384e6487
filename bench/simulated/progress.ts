import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** What quotes came to whose calldata was run on their own block. */
export type Progress = {
  /** By `simulation.status`: exact, differs, reverted. */
  readonly statuses: Record<string, number>;
  /** Runs by `simulation.method`. */
  readonly methods: Record<string, number>;
  /** Runs that were made again, since anvil had answered with another state; told by `status` as they came out then. */
  again: number;
  /** Quotes that were not run, by `simulation_reason`. */
  readonly unrun: Record<string, number>;
  /** Requests without a quote, by reason. */
  readonly refused: Record<string, number>;
  /** Quotes that were found to be wrong before they were answered, and made again. */
  rerouted: number;
  /** Seeds that were used up, one a start. */
  readonly seeds: number[];
  /** The first requests whose run paid something else or reverted, for whoever looks into them. */
  readonly wrong: string[];
};

const MOST_WRONG = 50;

/** What an answer of `quote` says of its simulation. */
export type Answer = {
  readonly quote_id?: string;
  readonly amount_out_total: string;
  readonly simulation: {
    readonly status: string;
    readonly amount_out: string | null;
    readonly block: number;
    readonly method: string;
    readonly reason: string | null;
  } | null;
  readonly simulation_reason: string | null;
};

/** Whether a quote was run and paid what it says. */
export function isExact({ simulation, amount_out_total }: Answer): boolean {
  return simulation?.status === "exact" && simulation.amount_out === amount_out_total;
}

/** An answer as a second run of its calldata came out: it paid so much, or reverted. */
export function ranAgain(answer: Answer, paid: bigint | undefined): Answer {
  const { simulation, amount_out_total } = answer;
  if (simulation === null) return answer;
  if (paid === undefined) return { ...answer, simulation: { ...simulation, status: "reverted" } };
  const status = paid === BigInt(amount_out_total) ? "exact" : "differs";
  return { ...answer, simulation: { ...simulation, status, amount_out: paid.toString() } };
}

/** @returns the progress of a file; none where there is no such file */
export function readProgress(path: string): Progress {
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as Progress;
  return { statuses: {}, methods: {}, again: 0, unrun: {}, refused: {}, rerouted: 0, seeds: [], wrong: [] };
}

/** In the place of the file at once, so that a run that is ended leaves it whole. */
export function writeProgress(path: string, progress: Progress): void {
  writeFileSync(`${path}.next`, `${JSON.stringify(progress, undefined, 1)}\n`);
  renameSync(`${path}.next`, path);
}

const add = (counts: Record<string, number>, key: string) => {
  counts[key] = (counts[key] ?? 0) + 1;
};

export function noteAnswer(progress: Progress, query: string, answer: Answer): void {
  const { simulation, simulation_reason } = answer;
  if (simulation === null) {
    add(progress.unrun, simulation_reason ?? "no reason is said");
    return;
  }
  const { status, amount_out, block, method, reason } = simulation;
  add(progress.statuses, status);
  add(progress.methods, method);
  if (isExact(answer) || progress.wrong.length >= MOST_WRONG) return;
  const paid = amount_out ?? reason ?? "reverted";
  progress.wrong.push(`block ${block}: ${answer.amount_out_total} quoted, ${paid}: ${query}`);
}

export function noteRefusal(progress: Progress, reason: string): void {
  add(progress.refused, reason);
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Quotes that were run on their own block. */
export function simulatedOf({ statuses }: Progress): number {
  return sum(statuses);
}

/** Why the run fails; none where every quote that was run paid what it said. */
export function faultsOf(progress: Progress, count: number): string[] {
  const { statuses, rerouted, unrun, wrong } = progress;
  const { exact = 0, ...others } = statuses;
  const simulated = simulatedOf(progress);
  return [
    ...(simulated < count ? [`${simulated} quotes were simulated, ${count} are wanted`] : []),
    ...Object.entries(others).map(([status, number]) => `${number} of ${exact + sum(others)}: ${status}`),
    ...(rerouted > 0 ? [`${rerouted} quotes were wrong before they were answered`] : []),
    // A wrong quote must not hide behind runs that were not made.
    ...(sum(unrun) > simulated / 100 ? [`${sum(unrun)} quotes were not run: ${JSON.stringify(unrun)}`] : []),
    ...wrong,
  ];
}
