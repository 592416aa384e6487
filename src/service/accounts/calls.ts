import { encodeApprove } from "../../core/encoding/index.ts";
import { BraidError } from "../../core/errors.ts";
import { isNative } from "../../core/tokens.ts";
import type { Notice } from "../advice/types.ts";
import { approve } from "../approve.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { type Quote, type QuoteRequest, quote } from "../quoting/quote.ts";
import type { Call } from "../quoting/simulation.ts";
import { readAllowance } from "../wallet.ts";
import { cautionsOf } from "./cautions.ts";
import { type Proof, proofOf, type Unproved } from "./proof.ts";

/** A quote with everything that its sender has to call, in order. */
export type CallableQuote = {
  readonly quote: Quote;
  /** Reset, approve, swap, as far as needed; undefined where no node says what is allowed already. */
  readonly calls: readonly Call[] | undefined;
  /** The token changes an allowance only from or to 0, and there is one. */
  readonly resetsFirst: boolean;
  readonly proof: Proof | Unproved;
  /** Of its recipient, tokens and pools. */
  readonly cautions: readonly Notice[];
};

/**
 * A quote, and the calls that make it happen. The allowance is read while the quote is made. Without a wallet nothing is
 * known to be allowed.
 *
 * @throws BraidError as `quote`
 */
export async function callableQuote(deps: Deps, request: QuoteRequest): Promise<CallableQuote> {
  const [[made, proof, cautions], allowed] = await Promise.all([
    quote(deps, request).then(async (made) => {
      const told = [proofOf(deps, made, request), cautionsOf(deps, made, request)] as const;
      return [made, ...(await Promise.all(told))] as const;
    }),
    unlessNobodyAnswers(() => allowanceOf(deps, request)),
  ]);
  return { quote: made, proof, cautions, ...(await callsOf(deps, made, request, allowed)) };
}

async function callsOf(
  deps: Deps,
  made: Quote,
  request: QuoteRequest,
  allowed: bigint | "any" | undefined,
): Promise<Pick<CallableQuote, "calls" | "resetsFirst">> {
  const { offer, call } = made;
  if (allowed === undefined) return { calls: undefined, resetsFirst: false };
  if (allowed === "any" || allowed >= offer.amountIn) return { calls: [call], resetsFirst: false };
  const approval: Call = {
    to: offer.tokenIn.address,
    data: encodeApprove(call.to, offer.amountIn),
    value: 0n,
  };
  const reset = allowed === 0n ? undefined : await unlessNobodyAnswers(() => resetOf(deps, made, request));
  const calls = [...(reset === undefined ? [] : [reset]), approval, call];
  return { calls, resetsFirst: reset !== undefined };
}

/** "any" where nothing has to be approved: coins, or a signature in its place. */
async function allowanceOf(
  deps: Deps,
  { chainId, tokenIn, taker, permit }: QuoteRequest,
): Promise<bigint | "any" | undefined> {
  if (isNative(tokenIn) || permit !== undefined) return "any";
  if (taker === undefined) return 0n;
  return readAllowance(servedChain(deps, chainId), tokenIn, taker);
}

async function resetOf(
  deps: Deps,
  { offer, call }: Quote,
  { chainId, taker }: QuoteRequest,
): Promise<Call | undefined> {
  const terms = { chainId, token: offer.tokenIn.address, amount: offer.amountIn, gasPriceWei: 1n };
  return (await approve(deps, { ...terms, taker, spender: call.to })).reset;
}

/** What a node says; undefined where none answers. The quote itself tells of every other failure. */
async function unlessNobodyAnswers<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BraidError) return undefined;
    throw error;
  }
}
