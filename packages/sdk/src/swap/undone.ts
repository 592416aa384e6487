import { refuse } from "../error.ts";
import { untilKnown } from "../pause.ts";
import { decodeSwap, withMinimum } from "../quote/calldata.ts";
import type { Receipt } from "../wallet/chain.ts";
import type { Transaction, Wallet } from "../wallet/wallet.ts";
import { messageOf, messagesOf } from "../wallet/wallet-error.ts";

/** Revert message of the router where less than the minimum would arrive. */
const MINIMUM = "min return not reached";
/** Largest slippage that the service accepts, in percent. */
const MOST_PERCENT = 50;

/**
 * The slippage in percent that allows a lower amount than the quoted one: a tenth more than the difference, in steps of
 * 0.1, at most 50.
 *
 * @param paid the amount that the swap pays instead; undefined = not known
 * @returns undefined where `paid` is not known or not lower
 */
export function enoughSlippage(quoted: bigint, paid: bigint | undefined): number | undefined {
  if (paid === undefined || paid >= quoted || quoted === 0n) return undefined;
  const permille = Number(((quoted - paid) * 11_000n) / (quoted * 10n)) + 1;
  return Math.min(MOST_PERCENT, permille / 10);
}

/** A transaction that was mined and reverted. */
export type Reverted = {
  readonly wallet: Wallet;
  readonly receipt: Receipt;
  /** The transaction; undefined for a batch, whose last call cannot be run again without those before it. */
  readonly sent?: Omit<Transaction, "gas"> | undefined;
  /** For a swap, the amount bought by its quote. */
  readonly quotedOut?: bigint | undefined;
};

/**
 * Explains a reverted transaction by running it again on the state after its block. For a swap that missed its minimum,
 * the failure has the amount that it would have paid, and the slippage with which it would have succeeded.
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

/** Most runs of a call, which take about five seconds together. */
const RUNS = 10;
/** What nodes say that do not have a block or its state, yet or any more. */
const NO_STATE =
  /header not found|block (is )?not found|unknown block|out ?of ?range|missing trie node|state .*(not available|unavailable|pruned)/i;

/**
 * Runs a call on the state after the receipt's block. A node that is behind has no state of the block yet.
 *
 * @returns the amount paid or the revert message; neither where the node has no state of the block
 */
async function run(
  { rpc, address: from }: Wallet,
  { blockNumber }: Receipt,
  { to, data, value }: Omit<Transaction, "gas">,
): Promise<Rerun> {
  const call = { from, to, data, value: `0x${value.toString(16)}` };
  const once = async (): Promise<Rerun | undefined> => {
    try {
      const answer = String(await rpc("eth_call", [call, blockNumber]));
      return answer.length === 66 ? { paid: BigInt(answer) } : {};
    } catch (error) {
      return failureIn((error as Error).cause ?? error);
    }
  };
  return (await untilKnown(once, RUNS, [])) ?? {};
}

/**
 * The revert message in a node's error, which libraries wrap in messages of their own.
 *
 * @returns undefined where the node has no state of the block
 */
function failureIn(error: unknown): Rerun | undefined {
  const all = messagesOf(error);
  if (all.some((each) => each.includes(MINIMUM))) return { failure: MINIMUM };
  return all.some((each) => NO_STATE.test(each))
    ? undefined
    : { failure: messageOf(error).replace(/\.$/, "") };
}
