import { refuse } from "../error.ts";
import type { Hex } from "../hex.ts";
import type { Receipt } from "../wallet/chain.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { type CallsFate, callsFate } from "./batch.ts";
import { type Following, fateOf } from "./fate.ts";

const POLL_MS = 250;
/** Longest wait for a receipt. */
const RECEIPT_MS = 180_000;
/** Consecutive polls, about a minute, in which the node may not know a transaction before it counts as dropped. */
const PATIENCE = 240;
/** Lowest status of wallet_getCallsStatus for calls that were mined and reverted. */
const UNDONE = 500;

/** The wallet that sent, and the chain that it sent to. */
type Sender = {
  readonly wallet: Wallet;
  readonly terms: { readonly chainID: number };
  readonly signals: readonly AbortSignal[];
};

/** Waits for the receipt of a transaction. @throws BraidError NOT_MINED, REPLACED, DROPPED */
export function mined(of: Sender, hash: Hex): Promise<Receipt> {
  return receiptOf(`transaction ${hash}`, of.signals, (all) => fateOf(hash, followingOf(of, all)));
}

/** Waits for the receipt of a batch of calls. @throws BraidError NOT_MINED, REPLACED, DROPPED, REVERTED */
export function callsMined(of: Sender, id: string): Promise<Receipt> {
  return receiptOf(`calls ${id}`, of.signals, (all) => callsFate(id, followingOf(of, all)));
}

const followingOf = ({ wallet, terms }: Sender, signals: readonly AbortSignal[]): Following => ({
  wallet,
  chainID: terms.chainID,
  pollMs: POLL_MS,
  patience: PATIENCE,
  signals,
});

async function receiptOf(
  what: string,
  signals: readonly AbortSignal[],
  follow: (signals: readonly AbortSignal[]) => Promise<CallsFate>,
): Promise<Receipt> {
  const late = AbortSignal.timeout(RECEIPT_MS);
  const details = (reason: string) => [{ field: "transaction", reason, value: what.split(" ")[1]! }];
  const fate = await follow([...signals, late]).catch((cause: unknown) => {
    if (!late.aborted || signals.some(({ aborted }) => aborted)) throw cause;
    const text = `The ${what} has no receipt after ${RECEIPT_MS / 1000} s.`;
    throw refuse("NOT_MINED", text, { details: details("has no receipt yet") });
  });
  if (fate.kind === "mined") return fate.receipt;
  if (fate.kind === "replaced")
    throw refuse("REPLACED", `Another transaction of the wallet was mined in the place of the ${what}.`, {
      details: details("was replaced"),
    });
  if (fate.kind === "failed" && fate.status >= UNDONE)
    throw refuse("REVERTED", `The wallet's ${what} failed with status ${fate.status}.`, {
      details: details("reverted"),
    });
  throw refuse("DROPPED", `The ${what} was not mined and is no longer known.`, {
    details: details("is no longer known"),
  });
}
