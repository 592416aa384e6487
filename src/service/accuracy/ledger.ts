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
import { createSeries, type Series } from "./figures.ts";
import { lossBps } from "./sample.ts";

/** What became of offers of one chain. */
export type Ledger = {
  ran(source: Source | "unvetted", quoted: bigint, paid: bigint | undefined): void;
  replayed(source: Source, pairClass: PairClass, horizon: Horizon, loss: Replayed): void;
  /** Remembers a quote, so that its execution is known by its calldata. */
  quoted(quoted: Quoted): void;
  /** A transaction that was mined; counted once. */
  executed(swap: Executed): void;
  report(): Omit<AccuracyReport, "pairs">;
};

type Replayed = { readonly bps: number; readonly isUnfilled: boolean };

const KEPT = 1_024;
const MOST_QUOTES = 20_000;
const MOST_TRANSACTIONS = 20_000;

type Row = {
  readonly key: Omit<Replays, "count" | "unfilled" | "loss">;
  readonly losses: Series;
  unfilled: number;
};

export function createLedger(): Ledger {
  const runs = { reference: noRuns(), callers: noRuns(), unvetted: noRuns() };
  const rows = new Map<string, Row>();
  const executions = createExecutions();
  return {
    ran(source, quoted, paid) {
      const run = runs[source];
      if (paid === undefined) run.reverted++;
      else if (paid === quoted) run.exact++;
      else run.differs++;
      if (paid !== undefined) run.mostBps = Math.max(run.mostBps, Math.abs(lossBps(quoted, paid)));
    },
    replayed(source, pairClass, horizon, { bps, isUnfilled }) {
      const name = `${source} ${pairClass} ${horizon}`;
      const key = { source, pairClass, horizon };
      const row = rows.get(name) ?? { key, losses: createSeries(KEPT), unfilled: 0 };
      rows.set(name, row);
      row.losses.add(bps);
      if (isUnfilled) row.unfilled++;
    },
    quoted: executions.quoted,
    executed: executions.executed,
    report: () => ({
      sameState: structuredClone(runs),
      replays: [...rows.values()].map(({ key, losses, unfilled }) => ({
        ...key,
        count: losses.count(),
        unfilled,
        loss: losses.summary()!,
      })),
      executed: executions.report(),
    }),
  };
}

/** Quotes by their calldata, and what became of those that were mined. */
function createExecutions(): Pick<Ledger, "quoted" | "executed"> & {
  report(): AccuracyReport["executed"];
} {
  const quotes = new Map<Hex, bigint>();
  const transactions = new Set<Hex>();
  const losses = createSeries(KEPT);
  let [succeeded, reverted] = [0, 0];
  return {
    quoted({ calldataHash, amountOut }) {
      quotes.set(calldataHash, amountOut);
      forgetOldest(quotes, MOST_QUOTES);
    },
    executed({ hash, calldataHash, received }) {
      const quoted = quotes.get(calldataHash);
      if (quoted === undefined || transactions.has(hash)) return;
      transactions.add(hash);
      forgetOldest(transactions, MOST_TRANSACTIONS);
      if (received === undefined) reverted++;
      else {
        succeeded++;
        losses.add(lossBps(quoted, received));
      }
    },
    report: () => ({ succeeded, reverted, loss: losses.summary() }),
  };
}

type Runs = { -readonly [K in keyof SameState]: SameState[K] };
const noRuns = (): Runs => ({ exact: 0, differs: 0, reverted: 0, mostBps: 0 });

function forgetOldest(all: Map<Hex, unknown> | Set<Hex>, most: number): void {
  for (const key of all.keys()) {
    if (all.size <= most) return;
    all.delete(key);
  }
}
