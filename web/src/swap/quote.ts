import { BraidError } from "../../../packages/sdk/src/error.ts";
import { operations, type QuoteAnswer } from "../../../packages/sdk/src/generated/api.ts";
import { readIntegers } from "../../../packages/sdk/src/integers.ts";
import { type Asked, checkQuote } from "../../../packages/sdk/src/quote/bounds.ts";
import type { PermitKind } from "../../../packages/sdk/src/quote/typed-data.ts";
import { ApiFailure, ask, type Offer, type PriceRequest, quotePath } from "../api.ts";

/** An offer with the transaction that takes it, held to what was asked for. */
export type Quote = Offer & {
  /** What is signed and sent: amounts as bigints, refused where one term differs from the request. */
  readonly terms: QuoteAnswer;
};

export type SignedPermit = {
  readonly kind: PermitKind;
  readonly signature: string;
  readonly nonce: bigint;
  /** Unix seconds. */
  readonly deadline: number;
};

export type QuoteWish = {
  readonly request: PriceRequest;
  readonly taker: string;
  /** No older block than this; undefined = the newest known. */
  readonly minBlock?: number | undefined;
  readonly permit?: SignedPermit | undefined;
};

/**
 * @throws ApiFailure where there is no quote; BraidError where the quote is not what was asked for; the abort error
 * where `signal` fired
 */
export async function fetchQuote(wish: QuoteWish, signal?: AbortSignal): Promise<Quote> {
  const answer = await ask(quotePath(wish.request, extras(wish)), {}, signal);
  const terms = structuredClone(answer) as QuoteAnswer;
  readIntegers(terms, operations.quote.integers);
  checkQuote(askedBy(wish, terms.valid_until), terms);
  return { ...(answer as Offer), terms };
}

/** Whether an error ends the swap in words of the service or of the check, and not of the wallet. */
export function isQuoteFailure(error: unknown): error is Error {
  if (error instanceof ApiFailure) return true;
  return error instanceof BraidError && ["QUOTE_MISMATCH", "BAD_ANSWER"].includes(error.reason);
}

function extras({ taker, minBlock, permit }: QuoteWish): Record<string, string> {
  return {
    takerAddress: taker,
    ...(minBlock === undefined ? {} : { min_block: String(minBlock) }),
    ...(permit === undefined
      ? {}
      : {
          permit_kind: permit.kind,
          permit_signature: permit.signature,
          permit_nonce: String(permit.nonce),
          permit_deadline: String(permit.deadline),
        }),
  };
}

/** The same request in the words of the SDK. The deadline is left to the service: a browser's clock may be wrong. */
function askedBy({ request, taker, permit }: QuoteWish, deadline: number): Asked {
  const { chainId, tokenIn, tokenOut, side, amount, slippage, fees } = request;
  return {
    ...{ chainID: chainId, fromTokenAddress: tokenIn, toTokenAddress: tokenOut, side, amount, deadline },
    slippage: Number(slippage),
    takerAddress: taker,
    feeRecipient: fees?.recipient,
    sellTokenPercentageFee: Number(fees?.sell ?? 0),
    buyTokenPercentageFee: Number(fees?.buy ?? 0),
    permit_kind: permit?.kind,
    permit_signature: permit?.signature,
    permit_nonce: permit?.nonce,
    permit_deadline: permit?.deadline,
  };
}

/** Why a mined transaction was undone, as the service finds by running it again. */
export type RevertCause = {
  /** For people. */
  readonly text: string;
  /** Smallest units that it would have paid without its minimum; undefined where that was not the reason. */
  readonly wouldHavePaid: bigint | undefined;
};

/** @returns undefined where the service does not know either @throws ApiFailure */
export async function fetchRevertCause(chainId: number, hash: string): Promise<RevertCause | undefined> {
  const answer = await ask(`/v1/${chainId}/transaction/outcome?hash=${hash}`, {});
  const { revert } = answer as { revert: { text: string; would_have_paid: string | null } | null };
  if (revert === null) return undefined;
  const paid = revert.would_have_paid;
  return { text: revert.text, wouldHavePaid: paid === null ? undefined : BigInt(paid) };
}
