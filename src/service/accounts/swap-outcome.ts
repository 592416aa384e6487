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
   * What the fee recipient received of the token bought; undefined where it cannot be determined.
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
  return { ...swap, ...apart(swap, sent, paid) };
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
 * The amount bought and the buy fee, apart from each other. A fee recipient who is also the recipient gains both: the
 * router then computed its fee from this sum, so that the same formula separates them. A trace shows only the amount
 * bought.
 */
function apart(
  { terms, tokenOut, recipient }: SwapOutcome,
  { receipt }: Mined,
  paid: Received | undefined,
): Pick<SwapOutcome, "received" | "buyFee"> {
  const { feeRecipient, buyFeeBps } = terms;
  if (buyFeeBps === 0 || feeRecipient === undefined) return { received: paid, buyFee: 0n };
  if (paid === undefined || paid.by === "trace") return { received: paid, buyFee: undefined };
  if (feeRecipient === recipient) {
    const fee = paid.amount > 0n ? (paid.amount * BigInt(buyFeeBps)) / BPS : 0n;
    return { received: { ...paid, amount: paid.amount - fee }, buyFee: fee };
  }
  const isLogged = paid.by === "transfers";
  return {
    received: paid,
    buyFee: isLogged ? gainedByLogs(receipt.logs, tokenOut, feeRecipient) : undefined,
  };
}
