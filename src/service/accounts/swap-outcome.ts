import { type DecodedSwap, decodeSwap } from "../../core/encoding/index.ts";
import type { Address } from "../../core/types.ts";
import type { Receipt, SentTransaction, ServedChain } from "../ports/ports.ts";
import { gainedByLogs, type Received, received } from "./received.ts";

/** A mined transaction. */
export type Mined = SentTransaction & { readonly receipt: Receipt };

export const isMined = (sent: SentTransaction): sent is Mined => sent.receipt !== undefined;

/** The terms of a swap, decoded from its calldata, and its result. */
export type SwapOutcome = {
  readonly terms: DecodedSwap;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  /** floor(amount · fee), which the router deducts first; smallest units of the token sold. */
  readonly sellFee: bigint;
  /** What the recipient received; undefined while pending, where it reverted, and where it cannot be determined. */
  readonly received: Received | undefined;
  /**
   * What the fee recipient received of the token bought; undefined where it cannot be separated from other payments.
   */
  readonly buyFee: bigint | undefined;
};

/**
 * The terms and the result of a transaction's swap. @returns undefined where the transaction does not call the router's
 * swap
 */
export async function swapOutcome(
  served: ServedChain,
  sent: SentTransaction,
): Promise<SwapOutcome | undefined> {
  const terms = termsOf(served, sent);
  if (terms === undefined) return undefined;
  const swap = agreed(terms, sent);
  if (!isMined(sent) || !sent.receipt.succeeded) return swap;
  const paid = await received(served.archive, sent, swap.tokenOut, swap.recipient);
  return { ...swap, received: paid, buyFee: buyFeeOf(swap, sent, paid) };
}

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

/**
 * The buy fee by the token's logs; undefined where the fee recipient is also the recipient, because its fee and the
 * amount bought are then not separable.
 */
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
