import { BraidError } from "../../../packages/sdk/src/error.ts";
import { operations, type QuoteAnswer } from "../../../packages/sdk/src/generated/api.ts";
import { readIntegers } from "../../../packages/sdk/src/integers.ts";
import { type Asked, checkQuote } from "../../../packages/sdk/src/quote/bounds.ts";
import type { PermitKind } from "../../../packages/sdk/src/quote/typed-data.ts";
import { ApiFailure, ask, type Offer, offerIn, type PriceRequest, quotePath, unreadable } from "../api.ts";

/** An offer with its transaction, which has been checked against the request. */
export type Quote = Offer & {
  /** The checked answer, with amounts as bigints: the source of everything that is signed and sent. */
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
  /** Oldest block whose state may be priced; undefined = no limit. */
  readonly minBlock?: number | undefined;
  readonly permit?: SignedPermit | undefined;
};

/**
 * Requests a quote and checks it against the request.
 *
 * @throws ApiFailure where there is no quote; BraidError where the quote differs from the request; the abort error
 * where `signal` is aborted
 */
export async function fetchQuote(wish: QuoteWish, signal?: AbortSignal): Promise<Quote> {
  const answer = await ask(quotePath(wish.request, extras(wish)), {}, signal);
  const offer = offerIn(answer);
  const terms = structuredClone(answer) as QuoteAnswer;
  if (!Number.isSafeInteger(terms.valid_until)) throw unreadable();
  readIntegers(terms, operations.quote.integers);
  checkQuote(askedBy(wish, terms.valid_until), terms);
  return { ...offer, terms };
}

/** Whether an error comes from the service or the check of a quote, and not from the wallet. */
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

/** The request in the SDK's form. The deadline is the service's, because the browser's clock may be wrong. */
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

/** Why a mined transaction reverted, which the service finds by running it again. */
export type RevertCause = {
  /** Message for the user. */
  readonly text: string;
  /** Smallest units that it would have paid without its minimum; undefined where the minimum was not the cause. */
  readonly wouldHavePaid: bigint | undefined;
};

/** Asks the service why a transaction reverted. @returns undefined where it does not know @throws ApiFailure */
export async function fetchRevertCause(chainId: number, hash: string): Promise<RevertCause | undefined> {
  const answer = await ask(`/v1/${chainId}/transaction/outcome?hash=${hash}`, {});
  const { revert } = answer as { revert: { text: string; would_have_paid: string | null } | null };
  if (revert === null) return undefined;
  const paid = revert.would_have_paid;
  return { text: revert.text, wouldHavePaid: paid === null ? undefined : BigInt(paid) };
}
