import { keccak256 } from "viem";
import { type DecodedSwap, decodeSwap } from "../../core/encoding/index.ts";
import type { Address, Hex } from "../../core/types.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import type { Receipt, SentTransaction, ServedChain } from "../ports/ports.ts";
import { gainedByLogs, type Received, received } from "./received.ts";
import { type RevertCause, revertCause } from "./revert-cause.ts";

/** What a swap agreed to, read from its calldata, and what it came to. */
export type SwapOutcome = {
  readonly terms: DecodedSwap;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  /** floor(amount · fee), what the router takes first; smallest units of the token sold. */
  readonly sellFee: bigint;
  /** What the recipient got; undefined while pending, where it reverted, and where it cannot be told. */
  readonly received: Received | undefined;
  /** What the fee recipient got of the token bought; undefined where it cannot be told apart. */
  readonly buyFee: bigint | undefined;
};

export type TransactionStatus = "unknown" | "pending" | "succeeded" | "reverted";

/** What became of a transaction. */
export type Outcome = {
  readonly status: TransactionStatus;
  /** undefined where no node knows the transaction. */
  readonly sent: SentTransaction | undefined;
  /** Blocks since, its own included; 0 while it is not mined. */
  readonly confirmations: number;
  /** undefined where it is no call of the router's swap. */
  readonly swap: SwapOutcome | undefined;
  readonly revert: RevertCause | undefined;
};

/**
 * Reads a transaction from the chain: what it agreed to, what it paid, or why it reverted.
 *
 * @throws BraidError UNSUPPORTED_CHAIN, STALE_STATE when no node answers
 */
export async function outcome(deps: Deps, chainId: number, hash: Hex): Promise<Outcome> {
  const served = servedChain(deps, chainId);
  const sent = await served.archive.transaction(hash);
  if (sent === undefined)
    return { status: "unknown", sent, confirmations: 0, swap: undefined, revert: undefined };
  const terms = termsOf(served, sent);
  if (!isMined(sent)) {
    return {
      status: "pending",
      sent,
      confirmations: 0,
      swap: terms && agreed(terms, sent),
      revert: undefined,
    };
  }
  const { succeeded } = sent.receipt;
  const [swap, revert] = await Promise.all([
    terms && swapOutcome(served, sent, terms),
    succeeded ? undefined : revertCause(served.archive, sent, terms !== undefined),
  ]);
  const status = succeeded ? "succeeded" : "reverted";
  noteExecuted(deps, chainId, { hash, sent, swap });
  return { status, sent, confirmations: confirmationsOf(served, sent.receipt), swap, revert };
}

/** A swap whose amount received cannot be told says nothing of how offers turn out. */
function noteExecuted(
  { accuracy }: Deps,
  chainId: number,
  { hash, sent, swap }: { hash: Hex; sent: Mined; swap: SwapOutcome | undefined },
): void {
  const received = swap?.received?.amount;
  if (accuracy === undefined || swap === undefined) return;
  if (sent.receipt.succeeded && received === undefined) return;
  accuracy.executed(chainId, { hash, calldataHash: keccak256(sent.data), received });
}

type Mined = SentTransaction & { readonly receipt: Receipt };

const isMined = (sent: SentTransaction): sent is Mined => sent.receipt !== undefined;

function confirmationsOf({ market }: ServedChain, { blockNumber }: Receipt): number {
  const status = market.status();
  return status.phase === "live" ? Math.max(1, status.head.number - blockNumber + 1) : 1;
}

/** The terms of a swap of the router; undefined for every other transaction. */
function termsOf({ router }: ServedChain, sent: SentTransaction): DecodedSwap | undefined {
  if (sent.to !== router) return undefined;
  try {
    const terms = decodeSwap(sent.data);
    return terms.route.tokens.length >= 2 ? terms : undefined;
  } catch {
    return undefined;
  }
}

const BPS = 10_000n;

function agreed(terms: DecodedSwap, { from }: SentTransaction): SwapOutcome {
  return {
    terms,
    tokenIn: terms.route.tokens[0]!,
    tokenOut: terms.route.tokens.at(-1)!,
    recipient: terms.recipient ?? from,
    sellFee: (terms.amountIn * BigInt(terms.sellFeeBps)) / BPS,
    received: undefined,
    buyFee: undefined,
  };
}

async function swapOutcome(served: ServedChain, sent: Mined, terms: DecodedSwap): Promise<SwapOutcome> {
  const swap = agreed(terms, sent);
  if (!sent.receipt.succeeded) return swap;
  const paid = await received(served.archive, sent, swap.tokenOut, swap.recipient);
  return { ...swap, received: paid, buyFee: buyFeeOf(swap, sent, paid) };
}

/** By the token's own logs; where the fee went to the recipient itself it cannot be told from what was bought. */
function buyFeeOf(
  { terms, tokenOut, recipient }: SwapOutcome,
  { receipt }: Mined,
  paid: Received | undefined,
): bigint | undefined {
  if (terms.buyFeeBps === 0) return 0n;
  const { feeRecipient } = terms;
  if (paid?.by !== "transfers" || feeRecipient === undefined || feeRecipient === recipient) return undefined;
  return gainedByLogs(receipt.logs, tokenOut, feeRecipient);
}
