import { forgetOldest } from "../../core/forget-oldest.ts";
import type { Hex } from "../../core/types.ts";
import type { AccuracyReport, Executed, Quoted } from "../ports/ports-accuracy.ts";
import { createSeries } from "./figures.ts";
import { lossBps } from "./sample.ts";

const KEPT = 1_024;
const MOST_QUOTES = 20_000;
const MOST_TRANSACTIONS = 20_000;

type Executions = {
  quoted(quoted: Quoted): void;
  quotedAs(calldataHash: Hex): Quoted | undefined;
  executed(swap: Executed): void;
  report(): AccuracyReport["executed"];
};

/**
 * Quotes by the hash of their calldata, and the results of those that were mined.
 *
 * @param ran called with each quote that was executed on exactly the state that it was quoted on
 */
export function createExecutions(
  ran: (source: "executed" | "unvetted", quoted: bigint, paid: bigint) => void,
): Executions {
  const quotes = new Map<Hex, Quoted>();
  /** Transactions that were counted, and whether their place in the chain was counted as well. */
  const transactions = new Map<Hex, boolean>();
  const counts = { succeeded: 0, untold: 0, reverted: 0, found: 0 };
  const losses = createSeries(KEPT);
  const nextBlockLosses = createSeries(KEPT);
  const count = ({ succeeded, received, isVetted, placed }: Executed, { amountOut }: Quoted) => {
    if (succeeded) counts.succeeded++;
    else counts.reverted++;
    if (placed !== undefined) counts.found++;
    if (received === undefined) counts.untold += succeeded ? 1 : 0;
    else if (isVetted) losses.add(lossBps(amountOut, received));
  };
  const place = ({ received, isVetted, placed }: Executed, { amountOut }: Quoted) => {
    if (received === undefined || placed === undefined) return;
    if (placed.isNextBlock && isVetted) nextBlockLosses.add(lossBps(amountOut, received));
    if (placed.isSameState) ran(isVetted ? "executed" : "unvetted", amountOut, received);
  };
  return {
    quoted(quoted) {
      quotes.set(quoted.calldataHash, quoted);
      forgetOldest(quotes, MOST_QUOTES);
    },
    quotedAs: (calldataHash) => quotes.get(calldataHash),
    executed(swap) {
      const quoted = quotes.get(swap.calldataHash);
      if (quoted === undefined) return;
      const isPlaced = transactions.get(swap.hash);
      if (isPlaced === undefined) count(swap, quoted);
      if (isPlaced !== true) place(swap, quoted);
      transactions.set(swap.hash, isPlaced === true || swap.placed !== undefined);
      forgetOldest(transactions, MOST_TRANSACTIONS);
    },
    report: () => ({ ...counts, loss: losses.summary(), nextBlockLoss: nextBlockLosses.summary() }),
  };
}
