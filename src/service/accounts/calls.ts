import { encodeApprove } from "../../core/encoding/index.ts";
import { BraidError } from "../../core/errors.ts";
import { isNative } from "../../core/tokens.ts";
import type { Notice } from "../advice/types.ts";
import { approve } from "../approve.ts";
import { servedChain } from "../chain.ts";
import type { Deps } from "../deps.ts";
import { type Quote, type QuoteRequest, quote } from "../quoting/quote.ts";
import { reverts, warned } from "../quoting/quote-notices.ts";
import type { Call } from "../quoting/simulation.ts";
import { readAllowance } from "../wallet.ts";
import { cautionsOf } from "./cautions.ts";
import { type Proof, proofOf, type Unproved } from "./proof.ts";

/** A quote with all calls that its sender has to make, in order. */
export type CallableQuote = {
  readonly quote: Quote;
  /** Reset and approval where they are needed, then the swap; undefined where no node reports the present allowance. */
  readonly calls: readonly Call[] | undefined;
  /** Whether `calls` resets the allowance first: the token only changes an allowance from or to 0, and one is set. */
  readonly resetsFirst: boolean;
  readonly proof: Proof | Unproved;
  /** Notices about its recipient, tokens and pools. */
  readonly cautions: readonly Notice[];
};

/**
 * A quote, and the calls that execute it. The allowance is read while the quote is made; without a wallet it counts as
 * 0.
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
  const told = tellRevert(made, proof, request);
  return { quote: told, proof, cautions, ...(await callsOf(deps, made, request, allowed)) };
}

/** The quote with the notice REVERTS where it reverts even with overridden funds, unless it has that notice already. */
function tellRevert(made: Quote, proof: Proof | Unproved, { permit }: QuoteRequest): Quote {
  if (proof.status !== "reverted" || proof.funds !== "overridden") return made;
  if (made.offer.advice.notices.some(({ code }) => code === "REVERTS")) return made;
  const reason = (proof.reason ?? "").replace(/\.$/, "");
  return { ...made, offer: warned(made.offer, reverts(reason, permit !== undefined)) };
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

/** The allowance of the taker; "any" where no approval is needed: the native coin, or a signature replaces it. */
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

/**
 * The node's answer; undefined where the read fails with a BraidError. The quote itself reports every other failure.
 */
async function unlessNobodyAnswers<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BraidError) return undefined;
    throw error;
  }
}
