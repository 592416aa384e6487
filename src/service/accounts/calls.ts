import { encodeApprove } from "../../core/encoding/index.ts";
import { BraidError } from "../../core/errors.ts";
import { isNative } from "../../core/tokens.ts";
import { approve } from "../approve.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { type Quote, type QuoteRequest, quote } from "../quote.ts";
import type { Call } from "../simulation.ts";
import { readAllowance } from "../wallet.ts";

/** A quote with everything that its sender has to call, in order. */
export type CallableQuote = {
  readonly quote: Quote;
  /** Reset, approve, swap, as far as needed; undefined where no node says what is allowed already. */
  readonly calls: readonly Call[] | undefined;
  /** The token changes an allowance only from or to 0, and there is one. */
  readonly resetsFirst: boolean;
};

/**
 * A quote, and the calls that make it happen. The allowance is read while the quote is made. Without a wallet nothing is
 * known to be allowed.
 *
 * @throws BraidError as `quote`
 */
export async function callableQuote(deps: Deps, request: QuoteRequest): Promise<CallableQuote> {
  const [made, allowed] = await Promise.all([
    quote(deps, request),
    unlessNobodyAnswers(() => allowanceOf(deps, request)),
  ]);
  const { offer, call } = made;
  if (allowed === undefined) return { quote: made, calls: undefined, resetsFirst: false };
  if (allowed === "any" || allowed >= offer.amountIn)
    return { quote: made, calls: [call], resetsFirst: false };
  const approval: Call = {
    to: offer.tokenIn.address,
    data: encodeApprove(call.to, offer.amountIn),
    value: 0n,
  };
  const reset = allowed === 0n ? undefined : await unlessNobodyAnswers(() => resetOf(deps, made, request));
  const calls = [...(reset === undefined ? [] : [reset]), approval, call];
  return { quote: made, calls, resetsFirst: reset !== undefined };
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
