import type { Hex } from "../../core/types.ts";
import type { PairClass } from "../advice/slippage.ts";
import type {
  AccuracyReport,
  Executed,
  Horizon,
  Quoted,
  Replays,
  SameState,
  Source,
} from "../ports/ports-accuracy.ts";
import { createExecutions } from "./executions.ts";
import { createSeries, type Series } from "./figures.ts";
import { lossBps } from "./sample.ts";

/** Counts how the offers of one chain turned out. */
export type Ledger = {
  ran(source: keyof AccuracyReport["sameState"], quoted: bigint, paid: bigint | undefined): void;
  replayed(source: Source, pairClass: PairClass, horizon: Horizon, loss: Replayed): void;
  /** Stores a quote, so that its execution can be recognised by its calldata. */
  quoted(quoted: Quoted): void;
  quotedAs(calldataHash: Hex): Quoted | undefined;
  /** Records a mined transaction. It counts once, also where it is reported again after its block was read. */
  executed(swap: Executed): void;
  /** Records a block whose transactions were read. */
  read(blockNumber: number): void;
  /** Records a number of blocks whose transactions were not read. */
  skipped(count: number): void;
  report(): Omit<AccuracyReport, "pairs">;
};

type Replayed = { readonly bps: number; readonly isUnfilled: boolean };

const KEPT = 1_024;

type Row = {
  readonly key: Omit<Replays, "count" | "unfilled" | "loss">;
  readonly losses: Series;
  unfilled: number;
};

export function createLedger(): Ledger {
  const runs = { reference: noRuns(), callers: noRuns(), executed: noRuns(), unvetted: noRuns() };
  const rows = new Map<string, Row>();
  let blocks: AccuracyReport["blocks"] = { read: 0, skipped: 0, newest: undefined };
  const ran: Ledger["ran"] = (source, quoted, paid) => {
    const run = runs[source];
    if (paid === undefined) run.reverted++;
    else if (paid === quoted) run.exact++;
    else run.differs++;
    if (paid !== undefined) run.mostBps = Math.max(run.mostBps, Math.abs(lossBps(quoted, paid)));
  };
  const executions = createExecutions(ran);
  return {
    ran,
    replayed(source, pairClass, horizon, { bps, isUnfilled }) {
      const name = `${source} ${pairClass} ${horizon}`;
      const key = { source, pairClass, horizon };
      const row = rows.get(name) ?? { key, losses: createSeries(KEPT), unfilled: 0 };
      rows.set(name, row);
      row.losses.add(bps);
      if (isUnfilled) row.unfilled++;
    },
    quoted: executions.quoted,
    quotedAs: executions.quotedAs,
    executed: executions.executed,
    read(newest) {
      blocks = { ...blocks, read: blocks.read + 1, newest };
    },
    skipped(count) {
      blocks = { ...blocks, skipped: blocks.skipped + count };
    },
    report: () => ({
      sameState: structuredClone(runs),
      replays: [...rows.values()].map(({ key, losses, unfilled }) => ({
        ...key,
        count: losses.count(),
        unfilled,
        loss: losses.summary()!,
      })),
      executed: executions.report(),
      blocks,
    }),
  };
}

type Runs = { -readonly [K in keyof SameState]: SameState[K] };
const noRuns = (): Runs => ({ exact: 0, differs: 0, reverted: 0, mostBps: 0 });
