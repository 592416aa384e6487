import { BraidError } from "../../core/errors.ts";
import type { Hex } from "../../core/types.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { Receipt, SentTransaction, ServedChain } from "../ports/ports.ts";
import { noteMined } from "./note-mined.ts";
import { type RevertCause, revertCause } from "./revert-cause.ts";
import { isMined, type SwapOutcome, swapOutcome } from "./swap-outcome.ts";

export type TransactionStatus = "unknown" | "pending" | "succeeded" | "reverted";

/** What became of a transaction. */
export type Outcome = {
  readonly status: TransactionStatus;
  /** undefined where no node knows the transaction. */
  readonly sent: SentTransaction | undefined;
  /** Number of blocks from its own to the head, both included; 0 while it is not mined. */
  readonly confirmations: number;
  /** undefined where it does not call the router's swap. */
  readonly swap: SwapOutcome | undefined;
  readonly revert: RevertCause | undefined;
};

/**
 * Reads a transaction from the chain: the terms of its swap, what it paid, or why it reverted.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, STALE_STATE when no node answers
 */
export async function outcome(deps: Deps, chainId: number, hash: Hex): Promise<Outcome> {
  const served = servedChain(deps, chainId);
  const sent = await served.archive.transaction(hash);
  if (sent === undefined)
    return { status: "unknown", sent, confirmations: 0, swap: undefined, revert: undefined };
  const reading = swapOutcome(served, sent);
  if (!isMined(sent))
    return { status: "pending", sent, confirmations: 0, swap: await reading, revert: undefined };
  const { succeeded } = sent.receipt;
  const [swap, revert] = await Promise.all([
    reading,
    succeeded ? undefined : reading.then((read) => revertCause(served.archive, sent, read !== undefined)),
  ]);
  const status = succeeded ? "succeeded" : "reverted";
  if (swap !== undefined) await noteMined(deps, served, { sent, swap }).catch(unlessStale);
  return { status, sent, confirmations: confirmationsOf(served, sent.receipt), swap, revert };
}

/** Ignores a BraidError: a failure to record the result must not prevent the answer. */
function unlessStale(error: unknown): void {
  if (!(error instanceof BraidError)) throw error;
}

function confirmationsOf({ market }: ServedChain, { blockNumber }: Receipt): number {
  const status = market.status();
  return status.phase === "live" ? Math.max(1, status.head.number - blockNumber + 1) : 1;
}
