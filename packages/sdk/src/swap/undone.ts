import { refuse } from "../error.ts";
import { decodeSwap, withMinimum } from "../quote/calldata.ts";
import type { Receipt } from "./chain.ts";
import type { Transaction, Wallet } from "./wallet.ts";

/** The router's word for: less than the minimum would have arrived. */
const MINIMUM = "min return not reached";
const MOST_PERCENT = 50;

/**
 * Percent of slippage that a lower amount needs against the quoted one, with a tenth to spare, in steps of 0.1, at most
 * 50.
 *
 * @param paid what the swap pays instead; undefined where that is not known
 * @returns undefined where it pays no less
 */
export function enoughSlippage(quoted: bigint, paid: bigint | undefined): number | undefined {
  if (paid === undefined || paid >= quoted || quoted === 0n) return undefined;
  const permille = Number(((quoted - paid) * 11_000n) / (quoted * 10n)) + 1;
  return Math.min(MOST_PERCENT, permille / 10);
}

/** A transaction that was mined and undone. */
export type Reverted = {
  readonly wallet: Wallet;
  readonly receipt: Receipt;
  /** Undefined for calls that were sent together: one of them means nothing without those before it. */
  readonly sent?: Omit<Transaction, "gas"> | undefined;
  /** What the quote of a swap promised. */
  readonly quotedOut?: bigint | undefined;
};

/**
 * The failure of a transaction that was undone, with the reason that the node gives when it runs the transaction again
 * on the state after its block. Of a swap that missed its minimum: what it would have paid, and the slippage with which
 * it would have gone through.
 *
 * @returns BraidError REVERTED
 */
export async function revertedError({ wallet, receipt, sent, quotedOut }: Reverted): Promise<Error> {
  const hash = receipt.transactionHash;
  const details = [{ field: "transaction", reason: "reverted", value: hash }];
  const rerun = sent === undefined ? undefined : await run(wallet, receipt, sent);
  const why = rerun?.failure;
  if (sent === undefined || quotedOut === undefined || !why?.includes(MINIMUM))
    return refuse("REVERTED", `The transaction ${hash} reverted${why === undefined ? "" : `: ${why}`}.`, {
      details,
    });
  const paid = (await run(wallet, receipt, { ...sent, data: withMinimum(sent.data, 1n) })).paid;
  const enough = enoughSlippage(quotedOut, paid);
  const minimum = decodeSwap(sent.data)?.minimumOut ?? 0n;
  const words =
    paid === undefined
      ? ""
      : ` It would have paid ${paid} of the ${quotedOut} quoted; at least ${minimum} was asked for.`;
  const remedy = enough === undefined ? "" : ` A slippage of ${enough} % would have done.`;
  const facts = {
    ...(paid === undefined ? {} : { would_have_paid: String(paid) }),
    ...(enough === undefined ? {} : { enough_percent: enough }),
  };
  return refuse(
    "REVERTED",
    `The transaction ${hash} reverted: ${MINIMUM}. The price moved by more than the slippage; nothing was swapped.${words}${remedy}`,
    { details: [...details, { field: "slippage", reason: MINIMUM, value: String(minimum), ...facts }] },
  );
}

type Rerun = { readonly paid?: bigint; readonly failure?: string };

/** Runs a call on the state after the receipt's block. */
async function run(
  { rpc, address: from }: Wallet,
  { blockNumber }: Receipt,
  { to, data, value }: Omit<Transaction, "gas">,
): Promise<Rerun> {
  try {
    const call = { from, to, data, value: `0x${value.toString(16)}` };
    const answer = String(await rpc("eth_call", [call, blockNumber]));
    return answer.length === 66 ? { paid: BigInt(answer) } : {};
  } catch (error) {
    const { message, cause } = error as Error;
    return { failure: wordsOf((cause as { message?: string } | undefined)?.message ?? message) };
  }
}

/** What a node or a library says of a revert, in one sentence without its dot. */
function wordsOf(message: string): string {
  if (message.includes(MINIMUM)) return MINIMUM;
  return message.split("\n")[0]!.replace(/\.$/, "");
}
